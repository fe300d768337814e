// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI

typealias GalleryStore = ObservableStore<Gallery.State, Gallery.Action>
typealias PhotoStore = ObservableStore<Photo.State, Photo.Action>
typealias DetailStore = ObservableStore<Detail.State, Detail.Action>

struct TitleView: View {
  let gallery: GalleryStore
  var body: some View { Text(gallery.title) }
}

struct PhotoView: View {
  let photo: PhotoStore
  var body: some View {
    Text("\(photo.title) \(photo.stars)")
    Button("Star \(photo.title)") { photo.send(.starred) }
  }
}

/// All rows are on the screen.
struct RowsView: View {
  let gallery: GalleryStore
  var body: some View {
    VStack {
      ForEach(gallery.order, id: \.self) { id in
        if let photo = gallery.scope(\.photos, id: id, action: Gallery.photo) { PhotoView(photo: photo) }
      }
    }
  }
}

/// Reads through child stores that it does not keep.
struct UnkeptRowView: View {
  let gallery: GalleryStore
  let id: Int
  var body: some View { Text(gallery.scope(\.photos, id: id, action: Gallery.photo)?.title ?? "none") }
}

struct UnkeptRowsView: View {
  let gallery: GalleryStore
  var body: some View { ForEach(gallery.order, id: \.self) { UnkeptRowView(gallery: gallery, id: $0) } }
}

struct UnkeptHeaderView: View {
  let gallery: GalleryStore
  var body: some View { Text(gallery.scope(\.header, action: Gallery.header).title) }
}

/// Works while it is shown.
struct WorkingView: View {
  let gallery: GalleryStore
  var body: some View { if gallery.isListShown { Text("working").task(sending: .appeared, to: gallery) } }
}

struct SpellingView: View {
  let gallery: GalleryStore
  var body: some View {
    Text(gallery.word).task(id: gallery.word, sending: .check(gallery.word), to: gallery)
  }
}

struct DetailView: View {
  let detail: DetailStore
  @Environment(\.dismiss) private var dismiss
  var body: some View {
    Text("Detail \(detail.number) \(detail.caption)")
    Button("Done") { dismiss() }
      .task(sending: .appeared, to: detail)
  }
}
