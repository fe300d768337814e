// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

struct SheetView: View {
  let gallery: GalleryStore
  var body: some View {
    TitleView(gallery: gallery)
      .sheet(gallery.presentation(\.detail, action: Gallery.detail, dismiss: .closed)) { DetailView(detail: $0) }
  }
}

struct PageView: View {
  let gallery: GalleryStore
  var body: some View {
    TitleView(gallery: gallery)
      .navigationDestination(gallery.presentation(\.detail, action: Gallery.detail, dismiss: .closed)) {
        Text("Detail \($0.number)")
      }
  }
}

/// Looks the child up again while the page is popped.
struct BlankPageView: View {
  let gallery: GalleryStore
  var body: some View {
    TitleView(gallery: gallery)
      .navigationDestination(isPresented: gallery.isPresented(\.detail, dismiss: .closed)) {
        if let detail = gallery.scope(\.detail, action: Gallery.detail) { Text("Detail \(detail.number)") }
      }
  }
}

/// A child with an id.
struct Deck: Reducer {
  struct Card: Equatable, Sendable, Identifiable { var id: Int }
  struct State: Equatable, Sendable { var card: Card? }
  enum Action: Equatable, Sendable { case show(Int?), card(Int) }
  static let card = CasePath(embed: Action.card, extract: { if case .card(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .show(let id) = action { state.card = id.map(Card.init) }
    return .none
  }
}

struct DeckView: View {
  let deck: ObservableStore<Deck.State, Deck.Action>
  let log: Recorder<String>
  var body: some View {
    Text("deck").sheet(deck.presentation(\.card, action: Deck.card, dismiss: .show(nil))) { card in
      Text("card \(card.id)").onAppear { log.record("appears \(card.id)") }
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Presented children` {
  private let log = Recorder<String>()
  private let gallery: GalleryStore

  init() { gallery = GalleryStore(initialState: Gallery.State(), reducer: Gallery(log: log)) }

  @Test func `A sheet whose child is replaced before the next frame shows the new one, and begins its work (M2)`()
    async
  {
    let host = ViewHost(SheetView(gallery: gallery))
    gallery.send(.opened(1))
    host.frame()
    await log.wait(for: "watches 1")
    gallery.send(.closed)
    gallery.send(.opened(2))
    host.frame()
    #expect(host.screen.contains("Detail 2"))
    await log.wait(for: "has watched 1")
    await log.wait(for: "watches 2")
    #expect(host.warnings == [])
  }

  @Test func `A child with another id is another child, also if one action replaces it (M2)`() {
    let deck = ObservableStore(initialState: Deck.State(), reducer: Deck())
    let host = ViewHost(DeckView(deck: deck, log: log))
    for id in [1, 2, 2, 1] {
      deck.send(.show(id))
      host.frame()
    }
    #expect(log.events == ["appears 1", "appears 2", "appears 1"])
    #expect(host.screen == "deck\n--- sheet\ncard 1")
  }

  @Test func `A page shows its child while it is popped, and is blank if it looks the child up again`() {
    let hosts = [ViewHost(PageView(gallery: gallery)), ViewHost(BlankPageView(gallery: gallery))]
    gallery.send(.opened(1))
    for host in hosts { host.frame() }
    #expect(hosts.map { $0.screen } == Array(repeating: "Gallery\n--- page\nDetail 1", count: 2))
    gallery.send(.closed)
    for host in hosts { host.frame() }
    #expect(hosts.map { $0.screen } == ["Gallery\n--- page, leaving\nDetail 1", "Gallery\n--- page, leaving"])
    for host in hosts { host.frame() }
    #expect(hosts.map { $0.screen } == ["Gallery", "Gallery"])
  }

  @Test func `A dismissal that is reported twice in a notification is sent once`() {
    gallery.send(.opened(1))
    // SAFETY: used on the main actor, where the store notifies.
    nonisolated(unsafe) let isPresented = gallery.isPresented(\.detail, dismiss: .closed)
    withObservationTracking {
      _ = gallery.title
    } onChange: {
      MainActor.assumeIsolated {
        unsafe isPresented.wrappedValue = false
        unsafe isPresented.wrappedValue = false
      }
    }
    gallery.send(.titled("b"))
    gallery.send(.titled("c"))
    #expect(log.events.filter { $0 == "closed" } == ["closed"])
    #expect(unsafe !isPresented.wrappedValue)
  }

  @Test func `A view that is given another store shows what that store presents (M2)`() {
    let active = ActiveWork()
    let desks = ["A", "B"].map { name in
      let desk = DeskStore(initialState: Desk.State(), reducer: Desk(worker: Worker(active: active)))
      desk.send(.ask("thing \(name)"))
      desk.send(.pages(.push(Worker.State(name: "page \(name)"))))
      return desk
    }
    let office = Office(desks, active: active)
    let host = ViewHost(OfficeView(office: office))
    #expect(host.screen.contains("page A: 0") && host.screen.contains("Delete thing A?"))
    office.selected = 1
    for _ in 1...3 { host.frame() }
    #expect(host.screen.contains("page B: 0") && host.screen.contains("Delete thing B?"))
    #expect(!host.screen.contains("A"))
    host.tap("Minute of page B")
    host.tap("Yes")
    #expect(desks[1].pages.elements == [Worker.State(name: "page B", minutes: 1)])
    #expect(desks[1].deleted == ["thing B"] && desks[0].deleted == [])
    host.close()
  }
}
