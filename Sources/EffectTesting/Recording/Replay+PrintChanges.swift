// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension Replay {
  /// Reduces the rest of the recording, and prints each action with its cause and its change of the state, and what was
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
  /// The change is the ``/EffectRuntime/StateDifference`` that the reducer makes now; ``firstDivergence()`` compares its states
  /// with the recorded ones. Printing begins at ``position`` and ends at the end of the recording. To stop before that, call
  /// ``step()`` and print yourself.
  ///
  /// - Parameter output: called with one or more lines for each action and each note; by default they go to standard
  ///   output.
  /// - Throws: a ``/EffectRuntime/RecordingDecodingError`` that names the action; what came before has been printed, and
  ///   ``position`` is before that action.
  /// - Complexity: O(number of actions), and a comparison of the states before and after each action.
  public mutating func printChanges(to output: (String) -> Void = { print($0) }) throws {
    // Recorded changes are left out, because the changes that the reducer makes now are printed.
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
