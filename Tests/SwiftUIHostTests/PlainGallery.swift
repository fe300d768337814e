// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Observation
import SwiftUI

/// The same screen twice: over a store, and over plain `@Observable` objects. The views have the same names, so that their
/// evaluations can be compared.
enum Stored {
  struct Screen: View {
    let gallery: GalleryStore
    var body: some View {
      TitleView(gallery: gallery)
      HeaderView(header: gallery.scope(\.header, action: Gallery.header))
      if gallery.isListShown { RowsView(gallery: gallery) }
      SheetView(gallery: gallery)
    }
  }
  struct TitleView: View {
    let gallery: GalleryStore
    var body: some View { Text(gallery.title) }
  }
  struct HeaderView: View {
    let header: PhotoStore
    var body: some View { Text("\(header.title) \(header.stars)") }
  }
  struct RowsView: View {
    let gallery: GalleryStore
    var body: some View {
      ForEach(gallery.order, id: \.self) { id in
        if let photo = gallery.scope(\.photos, id: id, action: Gallery.photo) { PhotoView(photo: photo) }
      }
    }
  }
  struct PhotoView: View {
    let photo: PhotoStore
    var body: some View { Text("\(photo.title) \(photo.stars)") }
  }
  struct SheetView: View {
    let gallery: GalleryStore
    var body: some View {
      Text(gallery.word)
        .sheet(gallery.presentation(\.detail, action: Gallery.detail, dismiss: .closed)) { DetailView(detail: $0) }
    }
  }
  struct DetailView: View {
    let detail: DetailStore
    var body: some View {
      Text("\(detail.number) \(detail.caption)")
      NoteView(detail: detail)
    }
  }
  struct NoteView: View {
    let detail: DetailStore
    var body: some View { Text(detail.note ?? "no note") }
  }
}

enum Plain {
  @MainActor @Observable final class Photo {
    var title: String
    var stars = 0
    init(title: String) { self.title = title }
  }
  @MainActor @Observable final class Detail: Identifiable {
    let number: Int
    var caption = ""
    var note: String?
    init(number: Int) { self.number = number }
  }
  @MainActor @Observable final class Gallery {
    var title = "Gallery"
    var word = "a"
    var isListShown = true
    var header = Photo(title: "Header")
    var order: [Int]
    @ObservationIgnored var photos: [Int: Photo] = [:]
    var detail: Detail?
    var isDetailShown: Bool {
      get { detail != nil }
      set { if !newValue { detail = nil } }
    }

    init(photos count: Int) {
      order = Array(0..<count)
      for id in order { photos[id] = Photo(title: "Photo \(id)") }
    }
  }

  struct Screen: View {
    let gallery: Gallery
    var body: some View {
      TitleView(gallery: gallery)
      HeaderView(header: gallery.header)
      if gallery.isListShown { RowsView(gallery: gallery) }
      SheetView(gallery: gallery)
    }
  }
  struct TitleView: View {
    let gallery: Gallery
    var body: some View { Text(gallery.title) }
  }
  struct HeaderView: View {
    let header: Photo
    var body: some View { Text("\(header.title) \(header.stars)") }
  }
  struct RowsView: View {
    let gallery: Gallery
    var body: some View {
      ForEach(gallery.order, id: \.self) { id in
        if let photo = gallery.photos[id] { PhotoView(photo: photo) }
      }
    }
  }
  struct PhotoView: View {
    let photo: Photo
    var body: some View { Text("\(photo.title) \(photo.stars)") }
  }
  struct SheetView: View {
    @Bindable var gallery: Gallery
    var body: some View {
      Text(gallery.word)
        .sheet(isPresented: $gallery.isDetailShown) {
          if let detail = gallery.detail { DetailView(detail: detail).id(ObjectIdentifier(detail)) }
        }
    }
  }
  struct DetailView: View {
    let detail: Detail
    var body: some View {
      Text("\(detail.number) \(detail.caption)")
      NoteView(detail: detail)
    }
  }
  struct NoteView: View {
    let detail: Detail
    var body: some View { Text(detail.note ?? "no note") }
  }
}
