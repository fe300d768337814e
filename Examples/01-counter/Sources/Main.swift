// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: taps the buttons, and prints what the user sees.
@main
enum Main {
  static func main() async {
    let store = Store(initialState: Counter.State(), reducer: Counter())

    store.send(.plusTapped)
    print("plus tapped:       ", await store.state.count)

    let later = store.send(.plusLaterTapped)
    print("plus later tapped: ", await store.state.count)

    await later.finish()
    print("a second later:    ", await store.state.count)
  }
}
