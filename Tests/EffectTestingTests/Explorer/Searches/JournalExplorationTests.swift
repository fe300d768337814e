// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@testable import EffectRuntime

/// Processes that end at each step of each schedule of a feature.
@Suite struct JournalExplorationTests {
  /// A journal that is written beside an explored store.
  private struct Written {
    var bytes: [UInt8]
    var book = RecordingBook(.replacing(every: 3))
    /// The files that were uploaded when the last turn had ended.
    var done = 0

    init() throws {
      bytes = Recording.bytes(
        initialState: try Uploads.codec.encodeState(Uploads.State()), codecVersion: 1)
    }

    /// An action is about to be reduced in this state.
    mutating func add(_ action: Uploads.Action, in state: Uploads.State) throws {
      let isFollowUp = if case .begin = action { true } else { false }
      if !isFollowUp { try endTurn(in: state) }
      book.reduced(
        Recording.Step(
          time: .zero, cause: isFollowUp ? .followUp : .user(""), action: try Uploads.codec.encodeAction(action)))
    }

    mutating func endTurn(in state: Uploads.State) throws {
      guard let turn = book.endTurn() else { return }
      bytes += turn.bytes
      done = state.done.count
      guard turn.isCheckpointDue else { return }
      bytes = Recording.bytes(initialState: try Uploads.codec.encodeState(state), codecVersion: 1)
      book.replaced()
    }
  }

  /// Whether a process that ends now is restored to a state whose work all begins again, and to no other work.
  private func isRestored(_ written: Written, _ uploads: some Reducer<Uploads.State, Uploads.Action>) throws -> Bool {
    var state = Uploads.State()
    let codec = Uploads.codec
    _ = try JournalContent(written.bytes).restore(&state, with: uploads, codec)
    let isWhole = state.isWhole && state.done.count == written.done
    let resumed = uploads.reduce(into: &state, action: .restored)
    return isWhole && Set(resumed.runs.map(\.id)) == Set(state.active.map { EffectID($0) })
  }

  private func explored(_ uploads: some Reducer<Uploads.State, Uploads.Action> & Sendable) async -> Exploration {
    await explore { schedule in
      let written = Lock(Result { try Written() })
      let script = schedule.store(
        initialState: Uploads.State(),
        reducer: Reduce<Uploads.State, Uploads.Action> { state, action in
          let former = state
          written.withLock { written in
            written = written.flatMap { now in
              Result {
                var next = now
                try next.add(action, in: former)
                return next
              }
            }
          }
          return uploads.reduce(into: &state, action: action)
        },
        always: { state in
          // The process ends before the turn is written, or, if the turn has ended, after that.
          guard var now = try? written.withLock({ $0 }).get() else { return false }
          guard (try? isRestored(now, uploads)) == true else { return false }
          guard state.isWhole else { return true }
          return (try? now.endTurn(in: state)) != nil && (try? isRestored(now, uploads)) == true
        })
      script.send(.add(1))
      script.send(.add(2))
    }
  }

  @Test func `A process that ends at any step of any schedule resumes exactly the work that its state claims (V4)`()
    async
  {
    let result = await explored(Uploads(upload: { _ in }))
    #expect("\(result)" == "complete: answers (8 states), timers (8 states), deliveries (26 states), steps (26 states)")
  }

  @Test func `A feature that does not resume its work fails in some schedule`() async {
    let uploads = Uploads(upload: { _ in })
    let failures = await reportedFailures {
      _ = await explored(
        Forgetful(uploads: uploads))
    }
    #expect(failures.count == 1 && failures[0].contains("After a reduction `always` does not hold"))
  }

  private struct Forgetful: Reducer, Sendable {
    let uploads: Uploads

    func reduce(into state: inout Uploads.State, action: Uploads.Action) -> Effect<Uploads.Action> {
      action == .restored ? .none : uploads.reduce(into: &state, action: action)
    }
  }
}
