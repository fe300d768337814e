// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

struct Counter: Equatable {
  var count = 0
}

enum CounterAction: Equatable, Sendable {
  case increment
  case decrement
  case set(Int)
  case start
  case stop
  case note(String)
}

/// A counter whose `start` returns an effect that the test chooses.
func counter(
  _ start: @autoclosure @escaping () -> Effect<CounterAction> = .none
) -> Reduce<Counter, CounterAction> {
  Reduce { state, action in
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .decrement:
      state.count -= 1
      return .none
    case .set(let count):
      state.count = count
      return .none
    case .start: return start()
    case .stop: return .cancel(id: "work")
    case .note: return .none
    }
  }
}

func counterStore(
  _ start: @autoclosure @escaping () -> Effect<CounterAction> = .none, line: UInt = #line
) -> TestStore<Reduce<Counter, CounterAction>> {
  TestStore(initialState: Counter(), reducer: counter(start()), line: line).patient
}

/// A run with a fixed line, so that failure texts can be pinned.
func work(
  _ body: @escaping @concurrent @Sendable (Send<CounterAction>) async throws -> Void
) -> Effect<CounterAction> {
  .run(id: "work", overlap: .concurrent, fileID: "App/Feature.swift", line: 12, body)
}

/// How long our tests wait for work outside: a limit that prevents hanging, also on a very busy machine.
let plenty = Duration.seconds(3_600)

extension TestStore {
  /// The same, waiting for work outside as long as necessary, and without a note about it.
  var patient: TestStore {
    externalWait = plenty
    noticesWaits = false
    return self
  }
}
