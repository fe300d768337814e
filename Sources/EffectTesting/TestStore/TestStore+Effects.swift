// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

// MARK: - Effects as state

extension TestStore {
  /// The active work, by id, as a store would show it at this point.
  ///
  /// - Ordering: no step of its own. A held action holds everything behind it. So the run that sent it counts as
  ///   running until the test has received that action and all later actions of the run.
  /// - Complexity: O(active work).
  public var effects: LiveEffects {
    requireOutside("effects")
    return scheduler.effects(.everything)
  }

  /// What the work of an id is doing, as a store's ``/EffectRuntime/Store/status(_:)`` would show it at this
  /// point.
  ///
  /// ```swift
  /// store.send(.saveTapped)
  /// #expect(store.status("save").isRunning)
  /// ```
  ///
  /// - Parameter id: the id of the work: of your own type, or an ``/EffectCore/EffectID`` with the scopes around it. An
  ///   optional id means the id in it; `nil` means no work.
  /// - Returns: the status; idle for an id that was never used.
  /// - Ordering: no step of its own; see ``effects``.
  /// - Complexity: O(1).
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    requireOutside("status")
    return EffectID.unwrapping(id).map { scheduler.status(of: $0) } ?? EffectStatus()
  }

  /// Compares the active work with the work that the closure states.
  ///
  /// ```swift
  /// store.send(.queryChanged("swift")) { $0.query = "swift" }
  /// store.assertEffects { $0["search"] = EffectStatus(running: 1, input: "swift") }
  /// ```
  ///
  /// With ``exhaustivity`` on, the closure starts with nothing and states all active work. This is each id with work, and
  /// how many runs without an id run (`unnamed`) and wait (`unnamedQueued`). With it off, the closure is
  /// given the active work and must change nothing.
  ///
  /// - Parameters:
  ///   - expect: changes its argument to the expected work. Called once. An error that it throws is a failure.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: no step of its own: nothing is reduced, and an action may be held. See ``effects``.
  public func assertEffects(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ expect: (inout LiveEffects) throws -> Void
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    hasSteps = true
    let actual = effects
    var expected = exhaustivity.isOn ? LiveEffects() : actual
    do {
      try expect(&expected)
    } catch {
      report(FailureText.effectAssertionThrew(error), at: location)
      return
    }
    if expected != actual { report(FailureText.effectsDiffer(expected: expected, actual: actual), at: location) }
  }
}

extension FailureText {
  static func effectAssertionThrew(_ error: any Error) -> String {
    """
    The closure of `assertEffects` threw an error, so the effects were not compared:

      \(ValueText.of(error))
    """
  }

  static func effectsDiffer(expected: LiveEffects, actual: LiveEffects) -> String {
    """
    The active effects are not what the test asserts (- asserted, + actual):

    \(difference(expected, actual).joined(separator: "\n"))

    A run counts from the action that starts it until its end has been taken, behind the actions it sent: receive those \
    first. With `exhaustivity` on every id with work is written down, and in `unnamed` and `unnamedQueued` the number of \
    runs without an id.
    """
  }

  private static func difference(_ expected: LiveEffects, _ actual: LiveEffects) -> [String] {
    let ids = Set(expected.entries.keys).union(actual.entries.keys)
    var lines: [String] = []
    for (text, id) in ids.map({ ("\($0)", $0) }).sorted(by: { $0.0 < $1.0 }) where expected[id] != actual[id] {
      if expected.entries[id] != nil { lines.append("- \(text): \(expected[id])") }
      if let entry = actual.entries[id] { lines.append("+ \(text): \(entry.status) (\(entry.site))") }
    }
    if expected.unnamed != actual.unnamed {
      lines.append("- without an id: \(expected.unnamed) running")
      lines.append("+ without an id: \(actual.unnamed) running")
    }
    if expected.unnamedQueued != actual.unnamedQueued {
      lines.append("- without an id: \(expected.unnamedQueued) queued")
      lines.append("+ without an id: \(actual.unnamedQueued) queued")
    }
    return lines.map { "  " + $0 }
  }
}
