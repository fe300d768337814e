// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Which code drains when a run has ended.
@Suite(.timeLimit(.minutes(5))) struct MailboxDrainTests {
  private let mailbox = Mailbox<Int>(time: TimeSource(ContinuousClock()))
  private let end = Message<Int>.ended(Token(slot: 0, generation: 0), nil)

  /// Empties the mailbox; the second `take` finds nothing.
  private func empty(_ drain: MailboxDrain) {
    var batch: [Message<Int>] = []
    while mailbox.take(into: &batch, drain) { batch = [] }
  }

  @Test func `Of several runs that end while there is no drain, the first one drains, until the mailbox is empty`() {
    #expect(mailbox.postEnd(end) == .instead)
    #expect(mailbox.postEnd(end) == .others)
    #expect(!mailbox.post(1).mustSchedule)
    empty(.instead)
    #expect(mailbox.postEnd(end) == .instead)
    empty(.instead)
    #expect(mailbox.post(1).mustSchedule)
  }

  @Test func `A drain that runs ahead of a scheduled one leaves that one scheduled`() {
    #expect(mailbox.post(1).mustSchedule)
    #expect(mailbox.postEnd(end) == .ahead)
    #expect(mailbox.postEnd(end) == .others)
    empty(.ahead)
    #expect(!mailbox.post(2).mustSchedule)
    #expect(mailbox.postEnd(end) == .ahead)
    empty(.ahead)
    mailbox.drainBegins()
    #expect(mailbox.postEnd(end) == .others)
    empty(.others)
    #expect(mailbox.post(3).mustSchedule)
  }

  @Test func `A closed mailbox requests no drain`() {
    _ = mailbox.close()
    #expect(mailbox.postEnd(end) == .others)
  }

  @Test func `What a store reduces in the task of a run is reduced as if no run had used that task (L6, E1)`() async {
    // Each part ends while there is no drain, so the task of the one before starts most of them.
    let seen = Recorder<String>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        guard action < 0 else {
          state += action
          seen.record("\(Bound.value) \(Task.isCancelled) \(CurrentRun.identity == nil)")
          return .none
        }
        return .concatenate(
          (0..<300).map { _ in
            .run { send in Bound.$value.withValue(1) { _ = send(1) } }
          })
      })
    await store.send(-1).finish()
    #expect(await store.state == 300)
    #expect(Set(seen.events) == ["0 false true"])
    #expect(await store.isEmpty)
  }

  @Test func `A store that is released while the task of a run drains is freed (E7)`() async {
    weak var gone: Store<Reduce<Int, Int>>?
    let runs = Tally()
    do {
      let store = Store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          // A cycle of runs that would never end. They suspend: without that, two drains may hold the store by turns for seconds
          // (Docs/Reliability.md, Known limits).
          .run { send in
            runs.increment()
            await Task.yield()
            send(action)
          }
        })
      gone = store
      store.send(0)
      await runs.reaches(100)
    }
    // The drain at this moment holds it for one slice more; the sequence ends with the store.
    if let values = gone?.values(\.self) { for await _ in values {} }
    #expect(gone == nil)
  }
}

private enum Bound {
  @TaskLocal static var value = 0
}
