// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Search {
  /// The reducer for replaying a recording: the recording holds what was found, and nothing is searched.
  static var replaying: Search { Search { _ in AsyncThrowingStream { $0.finish() } } }
}

/// Records from now on, if there is a file for it.
func record(_ store: Store<Search>, to file: String?, checkpoints: Int = 1) async throws -> StoreRecorder? {
  guard let file else { return nil }
  return try await store.record(with: Search.codec, checkpoints: checkpoints, to: file)
}

/// A test that replays the recording, as Swift source.
func testSource(of recording: Recording) -> String {
  recording.testSource(
    name: "A recorded session leads to the same states", importing: ["live_search"], reducer: "Search.replaying",
    codec: "Search.codec")
}

/// A report of a recorded session: each action, the state after it, and whether a replay still gives that state.
struct SessionReport {
  private(set) var text = ""
  /// Why the replay differs from the recording, or why the recording is incomplete.
  private(set) var problems: [String] = []

  init(on recording: Recording) throws {
    try self.init(on: recording, reducer: Search.replaying)
  }

  init<R>(on recording: Recording, reducer: R) throws where R: Reducer<Search.State, Search.Action> {
    var replay = try Replay(recording, reducer: reducer, codec: Search.codec)
    var rows: [[String]] = []
    for step in recording.steps {
      guard let action = try replay.step() else { break }
      rows.append([seconds(step.time), "\(step.cause)", words(for: action), words(for: replay.state)])
    }
    text = table(rows)

    let compared = recording.steps.count { $0.state != nil }
    if compared > 0, let divergence = try replay.firstDivergence() {
      problems.append("\(divergence)")
    } else {
      text += "\(count(rows.count, "action")); \(count(compared, "state")) compared, all as recorded\n"
    }
    if let damage = recording.damage { problems.append("the recording is damaged: \(damage)") }
  }
}

// MARK: - Words

private func words(for action: Search.Action) -> String {
  switch action {
  case .typed(let character): "typed \(String(reflecting: String(character)))"
  case .queryChanged(let query): "query changed to \(String(reflecting: query))"
  case .erased, .cleared, .started, .finished, .failed: "\(action)"
  case .found(let findings) where findings.skipped.isEmpty: "found \(count(findings.matches.count, "line"))"
  case .found(let findings): "found \(count(findings.matches.count, "line")), skipped \(findings.skipped.count)"
  }
}

private func words(for state: Search.State) -> String {
  "\(state.phase), \(String(reflecting: state.query)), \(count(state.results.count, "line"))"
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

private func seconds(_ time: Duration) -> String {
  let milliseconds = Int(time / .milliseconds(1))
  let fraction = "\(milliseconds % 1000)"
  return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
}

/// Columns as wide as their content; the first one flush right.
private func table(_ rows: [[String]]) -> String {
  guard let columns = rows.first?.indices else { return "" }
  let widths = columns.map { column in rows.map(\.[column].count).max() ?? 0 }
  return rows.map { row in
    let cells = zip(row, widths).enumerated().map { index, cell in
      let space = String(repeating: " ", count: cell.1 - cell.0.count)
      return index == 0 ? space + cell.0 : index == widths.count - 1 ? cell.0 : cell.0 + space
    }
    return cells.joined(separator: "  ") + "\n"
  }.joined()
}
