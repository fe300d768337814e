// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import app

@Suite struct `The whole app` {
  @Test func `When new units are saved, the open recipe is loaded again, whichever tab is shown`() async {
    let store = TestStore(
      initialState: App.State(library: .init(rows: Library.State.two, order: [1, 2])), reducer: App(kitchen: .open))
    store.send(.library(.openTapped(1))) { $0.library.detail = .init(id: 1, title: "Borscht") }
    await store.receive(.library(.detail(.appeared)))
    await store.receive(.library(.detail(.stepsLoaded(["Cook 1."])))) { $0.library.detail?.steps = ["Cook 1."] }
    store.send(.tabTapped(.settings)) { $0.tab = .settings }
    store.send(.settings(.unitsTapped)) { $0.settings.isMetric = false }
    store.advance(by: .milliseconds(300))
    await store.receive(.settings(.saved(isMetric: false))) { $0.settings.savedIsMetric = false }
    await store.receive(.library(.detail(.appeared)))
    await store.receive(.library(.detail(.stepsLoaded(["Cook 1."]))))
    // With no open recipe there is nothing to load.
    store.send(.library(.closeTapped)) { $0.library.detail = nil }
    store.send(.settings(.unitsTapped)) { $0.settings.isMetric = true }
    store.advance(by: .milliseconds(300))
    await store.receive(.settings(.saved(isMetric: true))) { $0.settings.savedIsMetric = true }
    await store.finish()
  }

  @Test func `Work four features deep has an id with the whole path to it (M1)`() async {
    var detail = Detail.State(id: 2, title: "Carrot cake")
    detail.share = Share.State(recipe: 2)
    let store = TestStore(
      initialState: App.State(library: .init(rows: Library.State.two, order: [1, 2], detail: detail)),
      reducer: App(kitchen: .open))
    store.reducer = App(kitchen: .slow(store.clock))
    store.send(.library(.detail(.share(.sendTapped))))
    store.assertEffects {
      let detail = EffectID(\Library.State.detail).scoped(by: EffectID(\App.State.library))
      $0[EffectID("publish").scoped(by: EffectID(\Detail.State.share).scoped(by: detail))] = EffectStatus(running: 1)
    }
    store.send(.library(.closeTapped)) { $0.library.detail = nil }
    await store.finish()
  }

  @MainActor @Test func `The screen shows children, and what they are doing (M5)`() async {
    let shown = Mutex("")
    let player = Player(.onMain) { text in shown.withLock { $0 += text } }
    for line in ["load", "wait", "open 2", "wait", "share", "greet hi", "send", "send", "wait", "close", "send"] {
      await player.play(line)
    }
    #expect(
      shown.withLock(\.self) == """
        > load
          | [Recipes]  Settings
          | loading ...
        > wait
          | [Recipes]  Settings
          | 1  Borscht  ***
          | 2  Carrot cake  ****
        > open 2
          | [Recipes]  Settings
          | Carrot cake
          | loading ...
        > wait
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
        > share
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
          | +- Share -----
          | | greeting: 
        > greet hi
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
          | +- Share -----
          | | greeting: hi
        > send
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
          | +- Share -----
          | | greeting: hi
          | | sending ...
        > send
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
          | +- Share -----
          | | greeting: hi
          | | sending ...
        > wait
          | [Recipes]  Settings
          | Carrot cake
          | - Cook 2.
          | shared: 2/hi
        > close
          | [Recipes]  Settings
          | 1  Borscht  ***
          | 2  Carrot cake  ****
        > send
          ! share(app.Share.Action.sendTapped) came for the child \\State.library/\\State.detail, which does not exist \
        now, so no child reduced it. Create the child's state before you send the action, and do not send it after the child was \
        removed. Start work for the child as an effect of the child. Code that removes the child outside of its `ifLet`, `ifCase`, \
        `forEach` or `stack` returns `.cancel(scope:)`, too. Then the work ends with the child.
          | [Recipes]  Settings
          | 1  Borscht  ***
          | 2  Carrot cake  ****

        """)
  }

  @Test(arguments: ["", "open", "delete x", "tab"]) func `A line that is not a command gives none`(line: String) {
    #expect(Command(line) == nil)
  }
}
