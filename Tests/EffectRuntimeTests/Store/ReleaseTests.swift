// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// When a store releases the objects it was given, and what may happen then.
@Suite(.timeLimit(.minutes(5))) struct ReleaseTests {
  private final class Owner: Sendable {
    let store = Lock<Store<Reduce<Int, Payload>>?>(nil)
    let released: Tally

    init(_ released: Tally) {
      self.released = released
    }

    deinit { released.increment() }
  }

  private struct Payload: Sendable {
    let owner: Owner
  }

  @Test @MainActor func `An action that was reduced inline is released (E7)`() {
    let released = Tally()
    do {
      let owner = Owner(released)
      let store = Store(
        initialState: 0, reducer: Reduce<Int, Payload> { @Sendable _, _ in .none }, isolation: MainActor.shared)
      owner.store.withLock { $0 = store }
      store.send(Payload(owner: owner))
      owner.store.withLock { $0 = nil }
      store.send(Payload(owner: owner))
    }
    #expect(released.value == 1)
  }

  @Test @MainActor func `The list of work to be released keeps its memory`() {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable _, action in
        action == 0 ? .none : .concatenate(.send(0), .send(0))
      }, isolation: MainActor.shared)
    // The scheduler and the store exchange two lists.
    for _ in 1...2 { store.send(1) }
    let capacity = store.assumeIsolated { $0.core.value.outputs.released.capacity }
    #expect(capacity > 0)
  }

  @Test @MainActor func `The lists of messages keep their memory`() {
    let store = Store(
      initialState: 0, reducer: Reduce<Int, Int> { @Sendable _, _ in .none }, isolation: MainActor.shared)
    // The mailbox and the store exchange two lists.
    for action in 1...2 { store.send(action) }
    let capacities = store.assumeIsolated { store in
      [store.core.value.batch.capacity, store.mailbox.queue.withLock { $0.messages.capacity }]
    }
    #expect(capacities.allSatisfy { $0 > 0 }, "\(capacities)")
  }

  /// Ends the iteration that shows it when it is released.
  private final class Lease: Equatable, Sendable {
    private let channel: Lock<ValueChannel<Lease>?>

    init(_ channel: ValueChannel<Lease>?) {
      self.channel = Lock(channel)
    }

    static func == (left: Lease, right: Lease) -> Bool { left === right }
    deinit { channel.withLock { $0 }?.finish() }
  }

  @Test func `The release of a value may end the iteration it was for`() {
    let channel = ValueChannel<Lease>()
    _ = channel.offer(Lease(channel))
    // Replaces the only other reference.
    _ = channel.offer(Lease(nil))
    #expect(!channel.isWatched)
  }

  @Test func `The release of a value that was read may end the iteration it was for`() async {
    let channel = ValueChannel<Lease>()
    _ = channel.offer(Lease(channel))
    _ = await channel.next()
    _ = channel.offer(Lease(nil))
    #expect(channel.isWatched)
    // Replaces the only other reference.
    _ = await channel.next()
    #expect(!channel.isWatched)
  }

  @Test func `Every reader of an iteration is answered, however many there are`() async {
    for _ in 1...200 {
      let channel = ValueChannel<Int>()
      async let one = channel.next()
      async let other = channel.next()
      _ = channel.offer(1)
      channel.finish()
      // Each has its answer, the value or the end, depending on when it called `next()`.
      for answer in await [one, other] { #expect(answer == 1 || answer == nil) }
    }
  }
}
