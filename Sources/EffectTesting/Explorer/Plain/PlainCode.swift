// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Code that is explored without a store of the user's: each piece of it is a run of this feature, which has no state.
struct PlainCode: Reducer {
  enum Action: Sendable {
    case begin
    /// Nothing else can happen.
    case end
    case violated(Violation)
  }

  typealias Condition = @concurrent @Sendable () async throws -> Bool

  struct Piece {
    var name: String
    var mayWait: Bool
    var site: (fileID: StaticString, line: UInt)
    var body: @concurrent @Sendable () async throws -> Void
  }

  /// What the body of a schedule has asked for.
  struct Plan {
    var pieces: [Piece] = []
    var steps: [(Exploration.Script<Action>) -> Void] = []
    var always: Condition?
    var finally: Condition?
    var tasksMayWait = false

    var isEmpty: Bool { pieces.isEmpty && steps.isEmpty && always == nil && finally == nil }
  }

  let plan: Plan
  let fail: (Violation) -> Void

  func reduce(into state: inout Void, action: Action) -> Effect<Action> {
    switch action {
    case .begin: return .merge(plan.pieces.map(run))
    case .end: return plan.finally.map(check) ?? .none
    case .violated(let violation):
      fail(violation)
      return .none
    }
  }

  private func run(_ piece: Piece) -> Effect<Action> {
    let (name, body, always) = (piece.name, piece.body, plan.always)
    return .run(id: name, overlap: .concurrent, fileID: piece.site.fileID, line: piece.site.line) { send in
      do {
        try await body()
        if let always, try await !always() {
          send(.violated(Violation(label: "always", text: FailureText.brokenAlways(behind: name))))
        }
      } catch is CancellationError {
        // What a cancelled task throws.
      } catch {
        send(.violated(Violation(label: "error", text: FailureText.thrown(error, by: name))))
      }
    }
  }

  /// The id of the run that checks what must hold at the end.
  static let finally = EffectID("finally")

  private func check(_ condition: @escaping Condition) -> Effect<Action> {
    .run(id: Self.finally, overlap: .concurrent) { send in
      do {
        if try await !condition() { send(.violated(Violation(label: "finally"))) }
      } catch {
        send(.violated(Violation(label: "error", text: FailureText.thrown(error, by: "finally"))))
      }
    }
  }
}

extension Exploration.Schedule {
  /// The runs are a feature of their own. Called when the body is over.
  func makeStoreOfRuns() {
    guard !plan.isEmpty else { return }
    if runner.schedule.feature != nil {
      runner.misuse = FailureText.storeAndRuns
      return
    }
    (runner.evidence.isPlain, runner.evidence.tasksMayWait) = (true, plan.tasksMayWait)
    let names = plan.pieces.map(\.name)
    if let double = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      runner.misuse = FailureText.doubleRun(names[double])
    } else if names.isEmpty {
      runner.misuse = FailureText.noRuns
    } else if runner.mode.level.joinsJobs {
      runner.misuse = FailureText.plainLevel
    }
    let mayWait = plan.pieces.filter(\.mayWait).map { EffectID($0.name) }
    var requirements = [Exploration.Requirement<Void>(kind: .noDeadlock(except: mayWait))]
    if !plan.tasksMayWait { requirements.append(Exploration.Requirement(kind: .tasksEnd)) }
    let script = store(
      initialState: (), reducer: PlainCode(plan: plan) { [runner] in runner.schedule.feature?.fail($0) },
      requiring: requirements)
    script.send(.begin)
    for step in plan.steps { step(script) }
    if plan.finally != nil {
      runner.schedule.lastStep = 1 + plan.steps.count
      script.send(.end)
    }
  }
}
