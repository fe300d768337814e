// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// A view that keeps its store. Type-checked against the host, by `.ci/swiftui.py`.
// The code between `listing` and `end` is shown in Docs/ComingFrom.md.

import EffectRuntime
import SwiftUI

// listing: state
struct FinderView: View {
  @State private var finder: ObservableStore<Search>                  // one store for as long as this view is shown

  init(find: @escaping @Sendable (String) async -> [String]) {
    _finder = State(initialValue: ObservableStore(initialState: Search.State(), reducer: Search(find: find)))
  }

  var body: some View {
    TextField("Find", text: finder.binding(\.query, send: Search.Action.queryChanged))
    if finder.isRunning("search") { ProgressView() }
    ForEach(finder.results, id: \.self) { Text($0) }
  }
}
// end
