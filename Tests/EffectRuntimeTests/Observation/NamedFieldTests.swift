// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Observation
import TestSupport
import Testing

private struct Parcel: Reducer {
  struct State: Equatable, Sendable {
    var status = "sent"
    var store = "Rome"
    var scope = 2
    var inner = Inner()
  }
  struct Inner: Equatable, Sendable { var status = "packed" }
  enum Action: Sendable { case status(String), inner(Int) }
  static let inner = CasePath<Action, Int>(embed: Action.inner, extract: { _ in nil })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .status(let status) = action { state.status = status }
    return .none
  }
}

@MainActor @Suite struct `Fields with the names of a store's members` {
  private let parcel = ObservableStore(initialState: Parcel.State(), reducer: Parcel())

  @Test func `Are read with their key path, and tracked (M5)`() {
    let notified = Tally()
    withObservationTracking {
      #expect(parcel[\.status] == "sent")
    } onChange: {
      notified.increment()
    }
    #expect(parcel[\.store] == "Rome")
    #expect(parcel[\.scope] == 2)
    #expect(parcel.scope(\.inner, action: Parcel.inner)[\.status] == "packed")
    #expect(parcel.status("work") == EffectStatus())
    parcel.send(.status("sent"))
    #expect(notified.value == 0)
    parcel.send(.status("arrived"))
    #expect(notified.value == 1)
  }
}

@MainActor @Suite struct `A child store for a preview` {
  @Test func `Shows a state, and what is sent to it does nothing`() async {
    let preview = ObservableStore<Parcel.State, Parcel.Action>.preview(Parcel.State(scope: 5))
    #expect(preview[\.scope] == 5)
    await preview.send(.status("arrived")).finish()
    #expect(preview[\.status] == "sent")
    #expect(!preview.isRunning("work"))
  }
}
