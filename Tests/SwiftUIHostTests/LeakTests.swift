// This source file is part of swift-effects. License: Apache-2.0.

import SwiftUI
import TestSupport
import Testing

@testable import EffectRuntime

@MainActor @Suite struct `Views that come and go` {
  private let log = Recorder<String>()

  /// Objects that may still exist.
  @MainActor private final class Census {
    private struct Entry { weak var object: AnyObject? }
    private var entries: [Entry] = []
    var noted: Int { entries.count }
    var existing: Int { entries.count { $0.object != nil } }
    func note(_ object: AnyObject?) { entries.append(Entry(object: object)) }
  }

  @Test func `A thousand sheets and ten thousand rows leave nothing (M5)`() async {
    weak var released: GalleryStore?
    let census = Census()
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
        // The same objects as those of the views.
        census.note(gallery.scope(\.detail, action: Gallery.detail))
        for id in 100..<110 { census.note(gallery.scope(\.photos, id: id, action: Gallery.photo)) }
        host.dismissTop()
        for id in 100..<110 { gallery.send(.removed(id)) }
        host.frame()
      }
      host.frame()
      #expect(census.noted == 11_000)
      // The sheet's view keeps the last one for its next presentation.
      #expect(census.existing <= 1)
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
    #expect(census.existing == 0)
  }
}
