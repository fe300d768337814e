// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: taps the buttons, and prints what the user sees.
@main
enum Main {
  static func main() async {
    let store = Store(initialState: Counter.State(), reducer: Counter())

    store.send(.plusTapped)
    print("plus tapped:        the count is \(await store.state.count)")

    let later = store.send(.plusLaterTapped)
    print("plus later tapped:  the count is \(await store.state.count), and an effect waits for a second")

    await later.finish()
    print("a second later:     the count is \(await store.state.count), because the effect has sent plusTapped")
  }
}
