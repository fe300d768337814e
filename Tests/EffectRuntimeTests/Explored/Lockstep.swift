// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

@testable import EffectRuntime
@testable import EffectTesting

/// An explored store beside the model: each message that the store takes is passed to the model, and then both are
/// compared.
final class Lockstep {
  private let program: EveryProgram
  private let model: ReferenceModel
  private var store: ExploredStore<Feature>?
  private let reduced: Reduced
  private let conductor = Conductor()
  /// What cancellation handlers find, and what they should find.
  private var visits: [Visit] = []
  private var expectedVisits: [Visit] = []
  private var expectedAnswers: [String: Bool] = [:]
  /// The first difference.
  private(set) var difference: String?

  private static let ids = [EveryProgram.id, Plan.scope + "/" + EveryProgram.id]

  private final class Reduced { var actions: [String] = [] }

  private struct Visit: Equatable {
    var name: String
    var reduced: Int
    var statuses: [EffectStatus]
  }

  private struct Feature: Reducer {
    let program: EveryProgram
    let reduced: Reduced
    let conductor: Conductor

    func reduce(into state: inout Int, action: String) -> Effect<String> {
      reduced.actions.append(action)
      return Lockstep.effect(Lockstep.plan(of: action, in: program), conductor)
    }
  }

  init(_ program: EveryProgram, mayWait: Bool = false, _ schedule: Exploration.Schedule) {
    self.program = program
    model = ReferenceModel(performsWholeTurns: true) { Lockstep.plan(of: $0, in: program) }
    let reduced = Reduced()
    self.reduced = reduced
    let script = ScriptSteps<String>()
    let runner = schedule.runner
    let store = ExploredStore(
      state: 0, reducer: Feature(program: program, reduced: reduced, conductor: conductor), script: script,
      properties: ExploredProperties(
        always: nil, eventually: nil,
        finally: { [model] _ in model.isAmbiguous || model.isEmpty || (mayWait && model.isAtRest) },
        requirements: mayWait ? [.noDeadlock(except: Plan.id(Self.ids[0]), Plan.id(Self.ids[1]))] : []),
      mailbox: Mailbox(time: runner.time), in: runner)
    self.store = store
    model.onCancel = { [unowned self] in expectVisit($0) }
    conductor.onCancel = { [unowned self] in visit($0) }
    conductor.onAnswer = { [unowned self] in answered($0, $1) }
    runner.use(
      store, script,
      store.operations.replacing(
        take: { self.take() }, takeEnd: { _ in }, absorb: { self.absorb() },
        tearDown: {
          self.store = nil
          return store.tearDown()
        }))
    for action in 0..<program.plans.count { script.append(.send("\(action)", CallSite(fileID: #fileID, line: #line))) }
  }

  // MARK: - The program

  private static func plan(of action: String, in program: EveryProgram) -> Plan {
    if let number = Int(action) { return program.plans[number] }
    // A descendant of a run needs the slot that the run may still hold.
    if action.hasPrefix("q") {
      return .run(.init(name: "r" + action.dropFirst(), id: EveryProgram.id, overlap: program.overlap))
    }
    // What a run sends causes a follow-up, in the same turn.
    return action.hasPrefix("r") ? .send("f" + action.dropFirst()) : .none
  }

  private static func effect(_ plan: Plan, _ conductor: Conductor) -> Effect<String> {
    switch plan {
    case .none: .none
    case .run(let run): conductor.effect(of: run)
    case .send(let action): .send(action)
    case .merge(let parts): .merge(parts.map { effect($0, conductor) })
    case .concatenate(let parts): .concatenate(parts.map { effect($0, conductor) })
    case .cancel(let id): .cancel(id: EffectID(id))
    case .cancelIDs(let ids): .cancel(ids: ids)
    case .cancelAll(let names): .cancel(.all(of: String.self) { names.contains($0) })
    case .timed(let timing, let content): timing.applied(to: effect(content, conductor))
    case .cancelEverything: .cancel(.everything)
    case .cancelScope: .cancel(scope: Plan.scope)
    case .scoped(let content): effect(content, conductor).scoped(EffectID(Plan.scope)) { $0 }
    case .tree(let id, let overlap, let content):
      effect(content, conductor).cancellable(id: EffectID(id), overlap: overlap)
    }
  }

  // MARK: - Step by step

  private func take() {
    guard let store, difference == nil else { return }
    let message = store.batch[store.position]
    switch message {
    case .action(let action): model.send(action, isRefusing: false)
    case .sent(let action, let token): _ = model.send(action, by: name(token))
    case .order(.delivered(let action, let token, _)):
      expectedAnswers[name(token)] = model.send(action, by: name(token))
    case .ended(let token, let error): model.end(name(token), throwing: error != nil)
    default: break
    }
    store.takeNext()
    compare(after: message)
  }

  /// Ends are taken in their order and at once. This gives enough orders to compare two ways of deciding, and each
  /// order takes long.
  private func absorb() -> Bool {
    while let store, difference == nil, store.hasMail {
      guard case .ended = store.batch[store.position] else { return true }
      take()
    }
    return false
  }

  private func name(_ token: Token) -> String {
    store?.live.first { $0.token == token }?.operation.name ?? "?"
  }

  // MARK: - What user code sees (rule E8)

  private func visit(_ name: String) {
    guard let store else { return }
    let statuses = Self.ids.map { store.scheduler.status(of: Plan.id($0)) }
    visits.append(Visit(name: name, reduced: reduced.actions.count, statuses: statuses.map(comparable)))
    if store.mailbox.post("v" + name).mustSchedule { store.executor.noteMail() }
  }

  private func expectVisit(_ name: String) {
    guard conductor.waiting[name] != nil else { return }
    let count = model.events.count { if case .reduced = $0 { true } else { false } }
    expectedVisits.append(
      Visit(name: name, reduced: count, statuses: Self.ids.map { comparable(model.status($0)) }))
  }

  private func answered(_ name: String, _ isReduced: Bool) {
    guard store != nil, isReduced != expectedAnswers[name, default: false], difference == nil else { return }
    difference = "delivered: \(name) gets \(isReduced) in \(program)"
    store?.fail(Violation(label: "model", detail: difference ?? ""))
  }

  /// A cancelled tree counts as long as a closure in it has not returned; the model keeps no record of that.
  private func comparable(_ status: EffectStatus) -> EffectStatus {
    var status = status
    status.cancelling = 0
    return status
  }

  // MARK: - Comparing

  private func compare(after message: Message<String>) {
    guard let store else { return }
    var expected: [String] = []
    var reports = 0
    for event in model.takeEvents() {
      if case .reduced(let action) = event { expected.append(action) }
      if case .reported = event { reports += 1 }
    }
    var ownReports = 0
    if store.violation?.label == "uncaught error" {
      // A store does not end because of it (rule E5).
      store.violation = nil
      ownReports = 1
    }
    defer {
      reduced.actions = []
      (visits, expectedVisits) = ([], [])
    }
    // The order is not promised from here on.
    guard !model.isAmbiguous else { return }
    if model.takeCancelledEverything() {
      reduced.actions.sort()
      expected.sort()
      visits.sort { $0.name < $1.name }
      expectedVisits.sort { $0.name < $1.name }
    }
    check("reduced", reduced.actions, expected, message)
    check("failures", ownReports, reports, message)
    check(
      "closures", store.live.map { name($0.token) + (store.scheduler.isCancelling($0.token) ? " cancelled" : "") },
      model.executing.map { ($0.run?.name ?? "?") + ($0.phase == .cancelled ? " cancelled" : "") }, message)
    check("dropped", store.scheduler.droppedActions, model.droppedActions, message)
    for id in Self.ids {
      check(
        "status of \(id)", comparable(store.scheduler.status(of: Plan.id(id))), comparable(model.status(id)), message)
    }
    check("cancellation handlers", visits, expectedVisits, message)
    if let difference { store.fail(Violation(label: "model", detail: difference)) }
  }

  private func check<Value: Equatable>(_ what: String, _ own: Value, _ modelled: Value, _ message: Message<String>) {
    guard own != modelled, difference == nil else { return }
    difference = "\(what): \(own), by the model \(modelled), after \(message) of \(program)"
  }
}

extension ScheduleRunner.Operations {
  /// The same operations, except for these.
  fileprivate func replacing(
    take: @escaping () -> Void, takeEnd: @escaping (Int) -> Void, absorb: @escaping () -> Bool,
    tearDown: @escaping () -> Bool
  ) -> ScheduleRunner.Operations {
    ScheduleRunner.Operations(
      post: post, take: take, takeEnd: takeEnd, absorb: absorb, fireAlarm: fireAlarm, cutShutdown: cutShutdown,
      cancelSuspended: cancelSuspended, tearDown: tearDown, nextAlarm: nextAlarm, isQuiet: isQuiet,
      checkEnd: checkEnd, checkAnswers: checkAnswers,
      unexplained: unexplained, waitingSenders: waitingSenders, holdsEnd: holdsEnd,
      fingerprint: fingerprint, isForgotten: isForgotten, canBeForgotten: canBeForgotten,
      hasReduced: hasReduced,
      events: events, stateText: stateText, test: test)
  }
}
