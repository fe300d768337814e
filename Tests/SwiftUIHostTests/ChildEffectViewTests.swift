// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct `A view over state that its parent owns` {
  private let log = Recorder<String>()

  /// Its child is found in the view inside.
  struct Parent: View {
    let gallery: GalleryStore
    var body: some View {
      Text("Parent")
      EffectView(gallery.scope(\.detail, action: Gallery.detail)) { DetailView(detail: $0) }
      EffectView(gallery.scope(\.header, action: Gallery.header)) { PhotoView(photo: $0) }
    }
  }

  private func makeGallery() -> GalleryStore {
    GalleryStore(initialState: Gallery.State(), reducer: Gallery(log: log))
  }

  @Test func `Shows nothing without a child, and only it is evaluated when the child is added or removed (M5)`() async {
    let gallery = makeGallery()
    let host = ViewHost(Parent(gallery: gallery))
    #expect(host.screen == "Parent\nHeader 0\n[Star Header]")
    #expect(host.takeEvaluations() == ["Parent": 1, "EffectView": 2, "PhotoView": 1])
    gallery.send(.opened(1))
    host.frame()
    #expect(host.screen.hasPrefix("Parent\nDetail 1 \n[Done]\nHeader"))
    #expect(host.takeEvaluations() == ["EffectView": 1, "DetailView": 1])
    gallery.send(.detail(.captioned("x")))
    host.frame()
    #expect(host.takeEvaluations() == ["DetailView": 1])
    gallery.send(.closed)
    host.frame()
    #expect(host.screen == "Parent\nHeader 0\n[Star Header]")
    #expect(host.takeEvaluations() == ["EffectView": 1])
    await host.cancelledTasksHaveEnded()
    #expect(host.warnings == [])
  }

  @Test func `A child that is removed and set again before the next frame is another one, and works again (M2)`() async
  {
    let gallery = makeGallery()
    gallery.send(.opened(1))
    let host = ViewHost(Parent(gallery: gallery))
    await log.wait(for: "watches 1")
    gallery.send(.closed)
    gallery.send(.opened(2))
    host.frame()
    await log.wait(for: "watches 2")
    #expect(host.screen.contains("Detail 2"))
    #expect(log.events.contains("has watched 1"))
    #expect(host.warnings == [])
  }

  @Test func `The child stays when the view is removed, with what it has become (M2)`() async {
    let gallery = makeGallery()
    gallery.send(.opened(1))
    let host = ViewHost(Parent(gallery: gallery))
    await log.wait(for: "watches 1")
    gallery.send(.detail(.captioned("x")))
    host.close()
    await host.cancelledTasksHaveEnded()
    #expect(gallery.detail?.caption == "x")
  }
}

/// Reads the ids of the rows alone.
private struct IDsView: View {
  let gallery: GalleryStore
  var body: some View {
    ForEach(gallery.ids(of: \.photos).sorted(), id: \.self) { id in
      if let photo = gallery.scope(\.photos, id: id, action: Gallery.photo) { PhotoView(photo: photo) }
    }
  }
}

@MainActor @Suite struct `A view that reads the ids of rows` {
  @Test func `Is evaluated when a row is added or removed, and not when one changes (M5)`() {
    let gallery = GalleryStore(initialState: Gallery.State(photos: 100), reducer: Gallery(log: Recorder()))
    let host = ViewHost(IDsView(gallery: gallery))
    #expect(host.takeEvaluations() == ["IDsView": 1, "PhotoView": 100])
    gallery.send(.photo(7, .starred))
    host.frame()
    #expect(host.takeEvaluations() == ["PhotoView": 1])
    gallery.send(.added(100))
    host.frame()
    #expect(host.takeEvaluations() == ["IDsView": 1, "PhotoView": 1])
    gallery.send(.removed(50))
    host.frame()
    #expect(host.takeEvaluations() == ["IDsView": 1])
    #expect(host.warnings == [])
  }
}
