// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

/// Draws traces of stores, as text for readers and as input for other programs.
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

  /// Draws the events as a diagram for [Mermaid](https://mermaid.js.org), which GitHub and many editors show in Markdown.
  ///
  /// The participants are the callers outside, the store, and up to 12 runs, chosen as in
  /// ``Timeline/text(_:changes:width:rows:)``.
  /// If there are more than 200 rows, those in the middle are omitted. Notes mention omitted runs and rows, and missing
  /// events. The diagram stays valid for all texts of actions, ids and errors.
  ///
  /// - Parameter events: the events of one store, in their order.
  /// - Returns: lines, without a line break at the end; put them into a code block with the language `mermaid`.
  public static func mermaid(_ events: some Sequence<TraceEvent<some Sendable>>) -> String {
    Mermaid.text(TimelineModel(events))
  }

  /// Writes the events in the Trace Event Format (JSON), for [Perfetto](https://ui.perfetto.dev) and `chrome://tracing`.
  ///
  /// Runs are slices, with inner slices for their phases (running, sleeping, waiting, not returned). Runs that do not overlap
  /// may share a row. Actions are slices in a row of their own; each lasts until its last immediate effect. An action is
  /// also an instant: in the row of the run that sent it, at the time of sending, or else at the beginning of its slice.
  /// Arrows lead from causes to effects. A run that is not over when the trace ends has a slice until that time, and its
  /// arguments mention it. Changes of status are omitted. `accepted` events have no entry of their own: the arguments of an
  /// action have the time that it waited.
  ///
  /// - Parameter events: the events of one store, in their order.
  /// - Returns: one object; times are microseconds with three decimals. Events with the same time are written one
  ///   nanosecond apart, in their order.
  /// - Complexity: O(*n* log *n*) in the number of events, because the format requires events sorted by time.
  public static func chromeTrace(_ events: some Sequence<TraceEvent<some Sendable>>) -> String {
    ChromeTrace.text(TimelineModel(events))
  }
}
