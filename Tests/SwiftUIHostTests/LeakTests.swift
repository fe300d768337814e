// This source file is part of swift-effects. License: Apache-2.0.

import SwiftUI
import TestSupport
import Testing

@testable import EffectRuntime

@MainActor @Suite struct `Views that come and go` {
  private let log = Recorder<String>()

  @Test func `A thousand sheets and ten thousand rows leave nothing (M5)`() async {
    weak var released: GalleryStore?
    do {
      let gallery = GalleryStore(initialState: Gallery.State(photos: 10), reducer: Gallery(log: log))
      released = gallery
      let host = ViewHost(Stored.Screen(gallery: gallery))
      let before = (gallery.node.fields.count, gallery.node.fields.storeCount, gallery.node.fields.seenCount)
      for number in 0..<1_000 {
        gallery.send(.opened(number))
        host.frame()
        for id in 100..<110 { gallery.send(.added(id)) }
        host.frame()
        host.dismissTop()
        for id in 100..<110 { gallery.send(.removed(id)) }
        host.frame()
      }
      host.frame()
      #expect(host.warnings == [])
      #expect(host.takeEvaluations()["PhotoView"] == 10_010)
      gallery.send(.titled("end"))
      let after = (gallery.node.fields.count, gallery.node.fields.storeCount, gallery.node.fields.seenCount)
      // The last sheet was read once more while it disappeared: one child with three fields.
      #expect(after.0 <= before.0 + 4)
      // Entries of removed children are removed when there are twice as many.
      #expect(after.1 <= 3 * before.1 + 64 && after.2 <= 3 * before.2 + 64)
      host.close()
    }
    #expect(released == nil)
  }
}
