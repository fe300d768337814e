// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Work of views` {
  private let log = Recorder<String>()
  private let gallery: GalleryStore

  init() { gallery = GalleryStore(initialState: Gallery.State(), reducer: Gallery(log: log)) }

  @Test func `A view that disappears before its task has begun sends nothing`() async {
    let host = ViewHost(WorkingView(gallery: gallery))
    gallery.send(.hidden)
    host.frame()
    await host.cancelledTasksHaveEnded()
    #expect(log.events == ["hidden"])
  }

  @Test func `An id that changes twice before a task has begun sends once`() async {
    let host = ViewHost(SpellingView(gallery: gallery))
    gallery.send(.word("b"))
    host.frame()
    gallery.send(.word("c"))
    host.frame()
    await host.cancelledTasksHaveEnded()
    await log.wait(for: "check(\"c\")")
    #expect(log.events.filter { $0.hasPrefix("check") } == ["check(\"c\")"])
  }
}
