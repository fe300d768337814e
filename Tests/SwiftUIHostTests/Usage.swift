// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// Uses the SwiftUI part of EffectRuntime as an app would. The code between `listing` and `end` is shown in
// Docs/Views.md, and `UsageTests` runs it on the host. `.ci/swiftui.py` also compiles it with the main actor as
// the default isolation.

import EffectRuntime
import SwiftUI

// listing: field
struct SearchView: View {
  let search: ObservableStore<Search.State, Search.Action>

  var body: some View {
    TextField("Find", text: search.binding(\.query, send: Search.Action.queryChanged))
    EffectStatusView("search", in: search) { status in
      if status.isRunning { ProgressView() }
    }
    ForEach(search.results, id: \.self) { Text($0) }
  }
}
// end

// listing: form
struct ProfileView: View {
  @Bindable var profile: ObservableStore<Profile.State, Profile.Action>

  var body: some View {
    Form {
      TextField("Name", text: $profile.name)                          // sends .field(\.name, "A")
      Toggle("Public", isOn: $profile.isPublic)
      Button("Save") { profile.send(.saveTapped) }
    }
  }
}

struct Profile: Reducer {
  struct State: Equatable, Sendable {
    var name = ""
    var isPublic = false
    var saved: String?
  }
  enum Action: FieldAction, Equatable { case field(FieldChange<State>), saveTapped }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .field(let change):
      if let name = change.value(of: \.name), name.count > 5 { return .none }    // refused: the field shows the former name
      change.apply(to: &state)
    case .saveTapped: state.saved = state.name
    }
    return .none
  }
}
// end

// listing: sheet
struct LibraryView: View {
  let library: ObservableStore<Library.State, Library.Action>

  var body: some View {
    List {
      ForEach(library.order, id: \.self) { id in
        HStack {                                                      // one view for each id, see below
          if let row = library.scope(\.rows, id: id, action: Library.row) { RowView(row: row) }
        }
      }
    }
    .task(sending: .appeared, to: library)                            // cancelled when the list disappears
    .sheet(library.presentation(\.share, action: Library.share, dismiss: .shareClosed)) { ShareView(share: $0) }
  }
}

struct RowView: View {
  let row: ObservableStore<Row.State, Row.Action>

  var body: some View {
    Text(row.title)
    Button("Rate") { row.send(.rateTapped, animation: .default) }
      .disabled(row.isRunning("rate"))                                // this row's "rate", no other's
  }
}

struct ShareView: View {
  let share: ObservableStore<Share.State, Share.Action>
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
  let share: ObservableStore<Share.State, Share.Action>

  var body: some View {
    Text(share.greeting)
      .task(id: share.greeting, sending: .checkSpelling, to: share)   // restarted with each greeting
      .navigationDestination(share.presentation(\.help, action: Share.help, dismiss: .helpClosed)) { Text($0.text) }
      .alert("Publish?", share.presentation(\.question, action: Share.question, dismiss: .questionClosed)) { question in
        Button("Publish") { question.send(.confirmed) }
      } message: {
        Text($0.text)
      }
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
  enum Action: Equatable, Sendable { case appeared, row(Int, Row.Action), share(Share.Action), shareClosed, rowRemoved(Int) }

  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let share = CasePath(
    embed: Action.share, extract: { if case .share(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .appeared: state.share = Share.State(greeting: "Hello")
      case .shareClosed: state.share = nil
      case .rowRemoved(let id): state.rows[id] = nil
      case .row, .share: break
      }
      return .none
    }
    .forEach(\.rows, action: Self.row) { Row() }
    .ifLet(\.share, action: Self.share) { Share() }
    .reduce(into: &state, action: action)
  }
}

struct Row: Reducer {
  struct State: Equatable, Sendable { var title = "" }
  enum Action: Equatable, Sendable { case rateTapped }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.title += "*"
    return .none
  }
}

struct Share: Reducer {
  struct State: Equatable, Sendable {
    var greeting = ""
    var help: Help?
    var question: Question?
    var isPublished = false
  }
  struct Help: Equatable, Sendable { var text = "" }
  struct Question: Equatable, Sendable { var text = "" }
  enum Action: Equatable, Sendable {
    case greetingChanged(String), sendTapped, checkSpelling
    case helpTapped, help(HelpAction), helpClosed
    case question(QuestionAction), questionClosed
  }
  enum HelpAction: Equatable, Sendable { case closeTapped }
  enum QuestionAction: Equatable, Sendable { case confirmed }

  static let help = CasePath(
    embed: Action.help, extract: { if case .help(let action) = $0 { action } else { nil } })
  static let question = CasePath(
    embed: Action.question, extract: { if case .question(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .greetingChanged(let greeting): state.greeting = greeting
    case .sendTapped: state.question = Question(text: "Everybody can read it.")
    case .helpTapped: state.help = Help(text: "Write a greeting.")
    case .help(.closeTapped), .helpClosed: state.help = nil
    case .question(.confirmed): (state.question, state.isPublished) = (nil, true)
    case .questionClosed: state.question = nil
    case .checkSpelling: break
    }
    return .none
  }
}
