// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What the screen shows: text from the store and its children. Nothing here is stored, and no child store is kept.
@MainActor
func screen(_ app: ObservableStore<App.State, App.Action>) -> String {
  var lines: [String]
  switch app.tab {
  case .library: lines = screen(app.scope(\.library, action: App.library))
  case .settings: lines = screen(app.scope(\.settings, action: App.settings))
  }
  lines.insert(app.tab == .library ? "[Recipes]  Settings" : "Recipes  [Settings]", at: 0)
  return lines.map { "  | \($0)\n" }.joined()
}

@MainActor
private func screen(_ library: ObservableStore<Library.State, Library.Action>) -> [String] {
  if let detail = library.scope(\.detail, action: Library.detail) { return screen(detail) }
  if library.isRunning("recipes") { return ["loading ..."] }
  if let problem = library.problem { return [problem] }
  return library.order.compactMap { id in
    guard let row = library.scope(\.rows, id: id, action: Library.row) else { return nil }
    let stars = row.rating.map { String(repeating: "*", count: $0) } ?? ""
    return "\(id)  \(row.title)  \(row.isRunning("rating") ? "..." : stars)"
  }
}

@MainActor
private func screen(_ detail: ObservableStore<Detail.State, Detail.Action>) -> [String] {
  var lines = [detail.title]
  lines += detail.isRunning("steps") ? ["loading ..."] : detail.steps.map { "- \($0)" }
  if let problem = detail.problem { lines.append(problem) }
  if let link = detail.link { lines.append("shared: \(link)") }
  if let share = detail.scope(\.share, action: Detail.share) {
    lines.append("+- Share -----")
    lines.append("| greeting: \(share.greeting)")
    if share.isRunning("publish") { lines.append("| sending ...") }
    if let problem = share.problem { lines.append("| \(problem)") }
  }
  return lines
}

@MainActor
private func screen(_ settings: ObservableStore<Settings.State, Settings.Action>) -> [String] {
  ["units: \(settings.isMetric ? "metric" : "imperial")\(settings.isRunning("save") ? ", saving ..." : "")"]
}
