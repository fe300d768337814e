// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// Views that own a store, or run over state of their parent. The code between `listing` and `end` is shown in
// Docs/Views.md, and `ViewsUsageTests` runs it on the host. `.ci/swiftui.py` also compiles it with the main actor as the
// default isolation.

import EffectRuntime
import SwiftUI

// listing: owned
struct SearchScreen: View {
  @Environment(\.find) private var find                                // a dependency

  var body: some View {
    EffectView(initialState: Search.State()) { Search(find: find) } content: { SearchView(search: $0) }
  }
}
// end

// listing: parent
struct ShareScreen: View {
  let library: ObservableStore<Library.State, Library.Action>

  var body: some View {
    Text("Library")
    EffectView(library.scope(\.share, action: Library.share)) { ShareView(share: $0) }    // nothing without a `share`
  }
}
// end

// listing: ids
struct ShelfView: View {
  let library: ObservableStore<Library.State, Library.Action>

  var body: some View {
    ForEach(library.ids(of: \.rows).sorted(), id: \.self) { id in       // evaluated again when a row comes or goes
      HStack {
        if let row = library.scope(\.rows, id: id, action: Library.row) { RowView(row: row) }
      }
    }
  }
}
// end

// listing: previews
struct Previews: PreviewProvider {
  static var previews: some View {
    RowView(row: .preview(Row.State(title: "Swift")))                   // shows a state; its actions do nothing
    SearchView(
      search: ObservableStore(
        initialState: Search.State(query: "swift"), reducer: Search(find: { [$0, $0.uppercased()] }),
        clock: .immediate))                                       // works, without the pause before a search
  }
}
// end

// listing: names
struct ParcelView: View {
  let parcel: ObservableStore<Parcel.State, Parcel.Action>

  var body: some View {
    Text(parcel[\.status])                                              // the field
    if parcel.status("track").isRunning { ProgressView() }              // the status of the work "track"
  }
}
// end

// MARK: - What they use

nonisolated struct FindKey: EnvironmentKey {
  static let defaultValue: @Sendable (String) async -> [String] = { [$0] }
}

extension EnvironmentValues {
  nonisolated var find: @Sendable (String) async -> [String] {
    get { self[FindKey.self] }
    set { self[FindKey.self] = newValue }
  }
}

struct Parcel: Reducer {
  struct State: Equatable, Sendable { var status = "sent" }
  enum Action: Equatable, Sendable { case tracked }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    .run(id: "track", overlap: .drop) { send in try await send.sleep(for: .seconds(1)) }
  }
}
