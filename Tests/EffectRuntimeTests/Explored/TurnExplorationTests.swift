// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Tree = Reduce<Int, Int>

/// A store, and senders and readers that come between the slices of its drain: all orders, found by the search of
/// `explore`.
///
/// The main actor is busy with the test, so only the test takes slices.
@MainActor struct TurnExplorationTests {
  /// What an action sends, all within its turn: its last digit is the depth, and an odd first digit sends two actions.
  private nonisolated static func followUps(_ action: Int) -> [Int] {
    if action % 10 == 0 { return [] }
    return Array(repeating: action - 1, count: 1 + action / 10 % 2)
  }

  private enum Event: CaseIterable { case sendElsewhere, sendInline, slice, read }

  private func takeSlice(of store: Store<Tree>) {
    store.assumeIsolated { store in
      _ = store.mailbox.drainBegins()
      _ = store.drainSlice()
    }
  }

  private func read(_ store: Store<Tree>) {
    _ = store.assumeIsolated { $0.state }
  }

  @Test(arguments: [1, 2], [2, 1_000])
  func `Whatever comes between two slices, each turn is one, or goes on behind the mailbox (T1, T2, T3, T5, T6, L1)`(
    budget: Int, followUpLimit: Int
  ) async {
    let actions = [2, 11, 20]
    var (problem, ends) = (String?.none, Set<[Int]>())
    let result = await explore(budget: .schedules(100_000), options: .init(upTo: .deliveries)) { schedule in
      if problem != nil { return }
      let log = Recorder<Int>()
      let store = Store(
        initialState: 0,
        reducer: Tree { @Sendable _, action in
          log.record(action)
          return .merge(Self.followUps(action).map { .send($0) })
        }, isolation: MainActor.shared, followUpLimit: followUpLimit, drainBudget: budget)
      var model = TurnModel(followUpLimit: followUpLimit, budget: budget, followUps: Self.followUps)
      var (history, rest) = ([Event](), actions[...])
      while !rest.isEmpty || !model.isIdle {
        let possible = Event.allCases.filter { event in
          switch event {
          case .sendElsewhere, .sendInline: !rest.isEmpty
          case .slice: !model.isIdle
          // Behind another one it would find nothing to do.
          case .read: !model.isIdle && history.last != .read
          }
        }
        let event = possible[schedule.choose(possible.count)]
        history.append(event)
        switch event {
        case .sendElsewhere:
          model.accept(rest[rest.startIndex])
          store.send(rest.removeFirst(), isolation: nil)
        case .sendInline:
          model.accept(rest[rest.startIndex])
          model.catchUp()
          store.send(rest.removeFirst())
        case .slice:
          model.takeSlice()
          takeSlice(of: store)
        case .read:
          model.catchUp()
          read(store)
        }
        if log.events != model.reduced {
          problem = "\(history): \(log.events), by the model \(model.reduced)"
          return
        }
      }
      ends.insert(log.events)
    }
    #expect(problem == nil)
    Measured.print("budget \(budget), limit \(followUpLimit): \(result), \(ends.count) orders of reductions")
    #expect(result.completeLevel != nil && result.schedules > 100)
    // Nothing is dropped; and turns interleave only where one grows too long.
    #expect(Set(ends.map { $0.sorted() }) == [[0, 1, 2, 10, 10, 11, 20]])
    #expect(ends.count == 1 || followUpLimit == 2)
  }
}
