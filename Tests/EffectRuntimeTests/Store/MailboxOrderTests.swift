// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

private enum Action: Sendable { case sent(by: Int, number: Int), probe }

/// Detects a reduction inside another, on any thread (rule T1).
private final class Overlaps: Sendable {
  private let isReducing = Atomic<Bool>(false)
  private let seen = Atomic<Int>(0)

  var count: Int { seen.load(ordering: .acquiring) }

  func during(_ body: () -> Void) {
    if isReducing.exchange(true, ordering: .acquiringAndReleasing) {
      seen.add(1, ordering: .relaxed)
    }
    body()
    isReducing.store(false, ordering: .releasing)
  }
}

private struct Counts: Equatable, Sendable {
  var next: [Int]
  var total = 0
  var outOfOrder = 0
}

@Suite(.serialized) struct MailboxOrderTests {
  private static let senders = 8
  private static let sends = 100_000

  @Test func `8 threads, 100,000 sends each: every action once, in each sender's order (T1, T2)`() async {
    let overlaps = Overlaps()
    let store = Store(
      initialState: Counts(next: Array(repeating: 0, count: Self.senders)),
      reducer: Reduce<Counts, Action> { state, action in
        overlaps.during {
          guard case .sent(let sender, let number) = action else { return }
          if state.next[sender] != number { state.outOfOrder += 1 }
          state.next[sender] = number + 1
          state.total += 1
        }
        return .none
      })
    let done = Tally()
    for sender in 0..<Self.senders {
      Thread {
        for number in 0..<Self.sends { store.send(.sent(by: sender, number: number)) }
        done.increment()
      }.start()
    }
    await done.reaches(Self.senders)
    await store.send(.probe).finish()
    #expect(
      await store.state
        == Counts(next: Array(repeating: Self.sends, count: Self.senders), total: Self.senders * Self.sends))
    #expect(overlaps.count == 0)
  }

  @Test func `Runs that send at once each keep their own order (T2)`() async {
    let overlaps = Overlaps()
    let store = Store(
      initialState: Counts(next: Array(repeating: 0, count: 8)),
      reducer: Reduce<Counts, Action> { state, action in
        var effect = Effect<Action>.none
        overlaps.during {
          switch action {
          case .probe:
            effect = .merge(
              (0..<8).map { sender in
                .run { send in
                  for number in 0..<2_000 { send(.sent(by: sender, number: number)) }
                }
              })
          case .sent(let sender, let number):
            if state.next[sender] != number { state.outOfOrder += 1 }
            state.next[sender] = number + 1
            state.total += 1
          }
        }
        return effect
      })
    await store.send(.probe).finish()
    #expect(await store.state == Counts(next: Array(repeating: 2_000, count: 8), total: 16_000))
    #expect(overlaps.count == 0)
  }

  @Test func `What was accepted before another send began comes first, from any thread (T2)`() async {
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Action> { state, action in
        if case .sent(_, let number) = action { state.append(number) }
        return .none
      })
    for number in 0..<1_000 {
      // Each send begins when the one before has returned, on another thread.
      await withCheckedContinuation { continuation in
        Thread {
          store.send(.sent(by: 0, number: number))
          continuation.resume()
        }.start()
      }
    }
    await store.send(.probe).finish()
    #expect(await store.state == Array(0..<1_000))
  }
}
