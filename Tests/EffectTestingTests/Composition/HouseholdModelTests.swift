// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import TestSupport
import Testing

/// Random lives of children, changed at every place by which a state can change, beside a model of rules M2, M3 and M8.
/// `EFFECTS_CHILD_STEPS=100000` takes so many steps.
@Suite struct `A household of children` {
  private static let steps = 500
  private static let seeds: Range<UInt64> = {
    let wished = ProcessInfo.processInfo.environment["EFFECTS_CHILD_STEPS"].flatMap(Int.init)
    return 0..<UInt64(wished.map { ($0 + steps - 1) / steps } ?? TestSize.of(10, short: 2))
  }()

  /// The state, with the elements of stacks but without their ids, which only the store knows.
  private func text(_ state: Household.State) -> String {
    let flats = ([state.flat].compactMap(\.self) + state.past).map { flat in
      "\(String(describing: flat.guest)) \(String(describing: flat.owner)) \(flat.room) "
        + "\(flat.rows.sorted { $0.key < $1.key }) \(flat.list) \(flat.pages.elements)"
    }
    return "\(state.flat == nil) \(flats)"
  }

  @Test(arguments: seeds)
  func `An answer reaches the child that the rules say, and work that they cancel is not left (M2, M3, M8)`(
    seed: UInt64
  ) async {
    let (clock, missing) = (TestClock(), Tally())
    let store = Store(
      initialState: Household.State(), reducer: Household(), clock: clock, onFailure: { _ in missing.increment() })
    var model = HouseholdModel(seed: seed)
    var tasks: [Int: StoreTask] = [:]
    var owners: [Int: Int] = [:]
    for index in 0..<Self.steps {
      let step = model.choose()
      let due = model.works.filter { $0.end == model.now + 1 }
      let flat = await store.state.flat
      model.take(step)
      switch step {
      case .action(let action): store.send(action)
      case .work(let place, let number, let seconds):
        guard let flat, let action = HouseholdModel.action(.work(number, seconds: seconds), at: place, in: flat) else {
          Issue.record("seed \(seed), step \(index): there is no child at \(place)")
          return
        }
        tasks[number] = store.send(.flat(action))
      case .second:
        clock.advance(by: .seconds(1))
        for work in due { await tasks[work.number]?.finish() }
      }
      let (state, effects) = await (store.state, store.effects)
      guard text(state) == text(model.state) else {
        Issue.record("seed \(seed), step \(index), \(step): \(text(state)), and must be \(text(model.state))")
        return
      }
      let running = Set(effects.byID.filter { $0.value.running > 0 }.keys.compactMap { $0.value(as: Int.self) })
      guard running == Set(model.works.map(\.number)), missing.value == model.missing else {
        Issue.record(
          "seed \(seed), step \(index), \(step): \(running) run, and must be \(model.works); \(missing.value) reports")
        return
      }
      for (id, page) in zip(state.flat?.pages.ids ?? [], state.flat?.pages.elements ?? []) {
        #expect(owners.updateValue(page.token, forKey: id.number).map { $0 == page.token } ?? true, "seed \(seed)")
      }
      await clock.sleepers(atLeast: model.works.count)
    }
    await store.shutdown(.cancelling)
  }

  @Test(arguments: 0..<UInt64(TestSize.of(4, short: 1)))
  func `A test store agrees with the model (M2, M3, M8)`(seed: UInt64) async {
    var deviation: String?
    // An answer for a child that does not exist is a failure of a test.
    _ = await reportedFailures {
      let store = TestStore(initialState: Household.State(), reducer: Household())
      store.exhaustivity = .off
      var model = HouseholdModel(seed: seed)
      for index in 0..<200 where deviation == nil {
        let (step, flat) = (model.choose(), store.state.flat)
        model.take(step)
        switch step {
        case .action(let action): store.send(action)
        case .work(let place, let number, let seconds):
          if let flat, let action = HouseholdModel.action(.work(number, seconds: seconds), at: place, in: flat) {
            store.send(.flat(action))
          }
        case .second:
          store.advance(by: .seconds(1))
          // Reduces what has arrived.
          store.advance(by: .zero)
        }
        if text(store.state) != text(model.state) { deviation = "step \(index), \(step): \(text(store.state))" }
      }
      await store.finish()
    }
    #expect(deviation == nil, "seed \(seed)")
  }
}
