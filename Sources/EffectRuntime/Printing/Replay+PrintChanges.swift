// This source file is part of swift-effects. License: Apache-2.0.

extension Replay {
  /// Reduces the rest of the recording, and prints each action with its cause, what it changed in the state, and what was
  /// recorded of runs.
  ///
  /// ```swift
  /// var replay = try Replay(recording, reducer: Search(find: noNetwork), codec: codec)
  /// try replay.printChanges()
  /// ```
  /// ```text
  /// 0.000 s  .queryChanged("swift") sent at MyApp/main.swift:12
  ///   query:
  ///     - ""
  ///     + "swift"
  /// 0.000 s  run 1 registered: run("search", input: "swift", overlap: restart) at MyApp/Search.swift:14
  /// ```
  ///
  /// The change is the ``StateDifference`` that the reducer makes now; ``firstDivergence()`` compares it with the recorded
  /// states. For a part of the recording, ``jump(to:)`` the position before it, and ``step()`` yourself.
  ///
  /// - Parameter output: called with one or more lines for each action and each note; by default they go to standard
  ///   output.
  /// - Throws: a ``RecordingDecodingError`` that names the action; what came before has been printed.
  /// - Complexity: O(number of actions), and a comparison of the states before and after each.
  public mutating func printChanges(to output: (String) -> Void = { print($0) }) throws {
    // The changes are those that the reducer makes now.
    var notes = recording.notes.filter { $0.after >= position && !$0.text.hasPrefix("changed: ") }[...]
    while true {
      while let note = notes.first, note.after <= position {
        output("\(TraceText.time(note.time))  \(note.text)")
        notes = notes.dropFirst()
      }
      let (index, before) = (position, state)
      guard let action = try step() else { return }
      let recorded = recording.steps[index]
      let lines = StateDifference(from: before, to: state).lines.map { "\n  \($0)" }.joined()
      output("\(TraceText.time(recorded.time))  \(TraceText.of(action)) \(recorded.cause)\(lines)")
    }
  }
}
