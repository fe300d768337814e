// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Views of child stores` {
  private let log = Recorder<String>()

  private func makeGallery(photos count: Int) -> GalleryStore {
    GalleryStore(initialState: Gallery.State(photos: count), reducer: Gallery(log: log))
  }

  @Test func `A row that is added to a hundred evaluates one row, and one that changes evaluates one (M5)`() {
    let gallery = makeGallery(photos: 100)
    let host = ViewHost(RowsView(gallery: gallery))
    #expect(host.takeEvaluations() == ["RowsView": 1, "PhotoView": 100])
    gallery.send(.added(100))
    host.frame()
    #expect(host.takeEvaluations() == ["RowsView": 1, "PhotoView": 1])
    gallery.send(.photo(7, .starred))
    host.frame()
    #expect(host.takeEvaluations() == ["PhotoView": 1])
    gallery.send(.titled("b"))
    gallery.send(.removed(50))
    host.frame()
    #expect(host.takeEvaluations() == ["RowsView": 1])
    #expect(host.warnings == [])
  }

  @Test func `A child store is the same object as long as it is used, and is released after that`() {
    let gallery = makeGallery(photos: 2)
    var first = gallery.scope(\.photos, id: 0, action: Gallery.photo)
    #expect(first === gallery.scope(\.photos, id: 0, action: Gallery.photo))
    #expect(first !== gallery.scope(\.photos, id: 1, action: Gallery.photo))
    weak let released = first
    first = nil
    #expect(released == nil)
  }

  @Test func `Two case paths to the same child are two child stores`() {
    let gallery = makeGallery(photos: 0)
    let other = CasePath<Gallery.Action, Photo.Action>(
      embed: { _ in .titled("other") }, extract: { _ in nil })
    let (one, two) = (gallery.scope(\.header, action: Gallery.header), gallery.scope(\.header, action: other))
    one.send(.starred)
    two.send(.starred)
    #expect(gallery.header.stars == 1)
    #expect(gallery.title == "other")
    #expect(one === gallery.scope(\.header, action: Gallery.header))
  }

  @Test func `A view that does not keep the child store it reads is evaluated when that changes, and only then (M5)`() {
    let gallery = makeGallery(photos: 1)
    let host = ViewHost(
      VStack {
        UnkeptHeaderView(gallery: gallery)
        UnkeptRowView(gallery: gallery, id: 0)
      })
    _ = host.takeEvaluations()
    gallery.send(.titled("b"))
    gallery.send(.added(1))
    host.frame()
    #expect(host.takeEvaluations() == [:])
    gallery.send(.removed(0))
    host.frame()
    #expect(host.takeEvaluations() == ["UnkeptRowView": 1])
    #expect(host.screen == "Header\nnone")
  }

  @Test func `Rows that appear change nothing while they are evaluated (M5)`() {
    let gallery = makeGallery(photos: 40)
    let host = ViewHost(UnkeptRowsView(gallery: gallery))
    for id in 40..<80 {
      gallery.send(.added(id))
      host.frame()
    }
    #expect(host.warnings == [])
    #expect(host.takeEvaluations() == ["UnkeptRowsView": 41, "UnkeptRowView": 80])
  }
}
