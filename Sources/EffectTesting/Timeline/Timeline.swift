// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

/// Draws traces of stores, as text and as a page for a browser.
///
/// ```swift
/// let log = store.trace.log()
/// // ...
/// print(Timeline.text(log.events))
/// ```
///
/// - Isolation: any; the functions call the custom descriptions of actions, inputs, ids and errors.
/// - Complexity: O(number of events), unless stated otherwise.
public enum Timeline {
  /// Draws the events as text: one column for each run, time downwards.
  ///
  /// ```text
  /// seconds  1   2
  ///          s   sw
  ///   0.000  ●       .typed("s")  View.swift:12
  ///   0.100  x   ●   .typed("sw")  View.swift:12
  ///   0.200  ◇   │   dropped: .found("s")  from 1
  ///   0.300      ◆   .found("sw")  from 2
  /// ```
  ///
  /// A row is an action with all its immediate effects, or an event of a run without an action. The right side names the
  /// action and its sender: a source line, or a run. The runs with their source lines, and the meanings of the marks, are
  /// below the rows.
  ///
  /// The width limits the number of runs, to 13 in 80 columns. Runs that fail, send actions that are dropped, or return late
  /// are drawn first, then active runs, then the newest. If there are too many rows, those in the middle are omitted. The
  /// drawing mentions omitted runs and rows, and missing events. It omits changes of status, `accepted` events, and the end
  /// of a run directly after its last action.
  ///
  /// With changes, the lines below an action show what it changed in the state.
  ///
  /// - Parameters:
  ///   - events: the events of one store, in their order.
  ///   - changes: what actions changed, by the numbers of their events: ``/EffectRuntime/ChangeLog/differences``.
  ///   - width: the maximum number of columns, at least 30. East Asian characters and emoji count as two.
  ///   - rows: the maximum number of rows, at least 4.
  /// - Returns: lines, without a line break at the end.
  public static func text(
    _ events: some Sequence<TraceEvent<some Sendable>>, changes: [UInt64: StateDifference] = [:], width: Int = 80,
    rows: Int = 300
  ) -> String {
    Drawing(TimelineModel(events), changes: changes, width: width, rows: rows).text
  }
}
