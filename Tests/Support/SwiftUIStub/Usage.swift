// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// Uses the SwiftUI part of EffectRuntime as an app would. Type-checked against the stub beside it, by `.ci/swiftui.py`.
// The code between `listing` and `end` is shown in Docs/Observation.md.

import EffectTesting
import SwiftUI

// listing: field
struct SearchView: View {
  let search: ObservableStore<Search>

  var body: some View {
    TextField("Find", text: search.binding(\.query, send: Search.Action.queryChanged))
    EffectStatusView("search", in: search) { status in
      if status.isRunning { ProgressView() }
    }
    ForEach(search.results, id: \.self) { Text($0) }
  }
}
// end

// listing: sheet
struct LibraryView: View {
  let library: ObservableStore<Library>

  var body: some View {
    List {
      ForEach(library.order, id: \.self) { id in
        if let row = library.scope(\.rows, id: id, action: Library.row) { RowView(row: row) }
      }
    }
    .task(sending: .appeared, to: library)                            // cancelled when the list disappears
    .sheet(\.share, of: library, action: Library.share, dismiss: .shareClosed) { ShareView(share: $0) }
  }
}

struct RowView: View {
  let row: ChildStore<Row.State, Row.Action>

  var body: some View {
    Text(row.title)
    Button("Rate") { row.send(.rateTapped, animation: .default) }
      .disabled(row.isRunning("rate"))                                // this row's "rate", no other's
  }
}

struct ShareView: View {
  let share: ChildStore<Share.State, Share.Action>
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    TextField("Greeting", text: share.binding(\.greeting, send: Share.Action.greetingChanged).animation())
    Button("Cancel") { dismiss() }                                    // sends .shareClosed
    EffectStatusView("publish", in: share) { status in
      Button("Send") { share.send(.sendTapped) }.disabled(status.isRunning)
    }
  }
}
// end

// listing: destination
struct NestedView: View {
  let share: ChildStore<Share.State, Share.Action>

  var body: some View {
    Text(share.greeting)
      .task(id: share.greeting, sending: .checkSpelling, to: share)   // restarted with each greeting
      .sheet(\.help, of: share, action: Share.help, dismiss: .helpClosed) { help in Text(help.text) }
      .navigationDestination(isPresented: share.isPresented(\.help, dismiss: .helpClosed)) {
        if let help = share.scope(\.help, action: Share.help) { Text(help.text) }
      }
  }
}
// end

// listing: preview
struct SearchPreviews: PreviewProvider {
  static var previews: some View {
    SearchView(
      search: ObservableStore(
        initialState: Search.State(query: "swift"), reducer: Search(find: { [$0, $0.uppercased()] }),
        clock: ImmediateClock()))                                     // no pause before the search, in previews
  }
}
// end

// MARK: - The features

struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var results: [String] = []
  }
  enum Action: Equatable, Sendable { case queryChanged(String), found([String]) }

  var find: @Sendable (String) async -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        try await send.sleep(for: .milliseconds(300))
        send(.found(await find(query)))
      }
    case .found(let results): state.results = results
    }
    return .none
  }
}

struct Library: Reducer {
  struct State: Equatable, Sendable {
    var order: [Int] = []
    var rows: [Int: Row.State] = [:]
    var share: Share.State?
  }
  enum Action: Equatable, Sendable { case appeared, row(Int, Row.Action), share(Share.Action), shareClosed }

  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let share = CasePath(
    embed: Action.share, extract: { if case .share(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if action == .shareClosed { state.share = nil }
    return .none
  }
}

enum Row {
  struct State: Equatable, Sendable { var title = "" }
  enum Action: Equatable, Sendable { case rateTapped }
}

enum Share {
  struct State: Equatable, Sendable {
    var greeting = ""
    var help: Help?
  }
  struct Help: Equatable, Sendable { var text = "" }
  enum Action: Equatable, Sendable { case greetingChanged(String), sendTapped, checkSpelling, help(HelpAction), helpClosed }

  enum HelpAction: Equatable, Sendable { case closeTapped }

  static let help = CasePath(
    embed: Action.help, extract: { if case .help(let action) = $0 { action } else { nil } })
}
