// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct `A view that owns its store` {
  private let log = Recorder<String>()

  @Observable final class Place {
    var isShown = true
    var title = "a"
    @ObservationIgnored weak var store: GalleryStore?
    @ObservationIgnored var made = 0
  }

  struct Screen: View {
    let place: Place
    let log: Recorder<String>
    var body: some View {
      if place.isShown {
        let title = place.title
        EffectView(initialState: state(title)) {
          Gallery(log: log)
        } content: { gallery in
          Owned(gallery: gallery, place: place)
        }
      }
    }

    private func state(_ title: String) -> Gallery.State {
      place.made += 1
      var state = Gallery.State()
      (state.title, state.detail) = (title, Detail.State(id: 1))
      return state
    }
  }

  struct Owned: View {
    let gallery: GalleryStore
    let place: Place
    var body: some View {
      let _ = place.store = gallery
      Text(gallery.title)
      if let detail = gallery.scope(\.detail, action: Gallery.detail) { DetailView(detail: detail) }
    }
  }

  @Test func `The store is made once, stays when the view around it is evaluated, and ends with the view (E7)`() async {
    let place = Place()
    let host = ViewHost(Screen(place: place, log: log))
    await log.wait(for: "watches 1")
    place.store?.send(.titled("b"))
    place.title = "c"
    host.frame()
    #expect(host.screen.hasPrefix("b"))
    #expect(place.made == 1)
    place.isShown = false
    host.frame()
    await host.cancelledTasksHaveEnded()
    await log.wait(for: "has watched 1")
    #expect(place.store == nil)
    place.isShown = true
    host.frame()
    #expect(host.screen.hasPrefix("c"))
    #expect(place.made == 2)
    #expect(host.warnings == [])
  }
}
