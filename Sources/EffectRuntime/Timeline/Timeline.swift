// This source file is part of swift-effects. License: Apache-2.0.

/// Draws traces: what a store did, for people and for other programs.
///
/// ```swift
/// let log = store.trace.log()
/// // ...
/// print(Timeline.text(log.events))
/// ```
///
/// - Isolation: functions of values; any thread. Actions, inputs, ids and errors that describe themselves are asked to.
/// - Complexity: O(number of events), if nothing else is said.
public enum Timeline {
  /// The drawing people make of races by hand: one column a run, time downwards.
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
  /// A row is an action with all that follows from it at once, or what happened to a run by itself. On the right stands
  /// the action and who sent it: a line of source, or a run. Below are the runs with their lines of source, and what the
  /// marks mean.
  ///
  /// As many runs are drawn as there is room for, 13 in 80 columns: those that fail, send in vain or return late, then
  /// those that live, then the newest. Of too many rows those in the middle are left out. Both are said in the drawing,
  /// and so are missing events. Not drawn are changes of status, `accepted` of actions that are reduced in the end, and the
  /// end of a run whose action was the last thing to happen.
  ///
  /// - Parameters:
  ///   - events: the events of one store, in their order.
  ///   - width: how many columns the text may take, at least 30. East Asian characters and emoji count as two.
  ///   - rows: how many rows may be drawn, at least 4.
  /// - Returns: lines, without a line break at the end.
  public static func text(_ events: some Sequence<TraceEvent<some Sendable>>, width: Int = 80, rows: Int = 300)
    -> String
  {
    Drawing(TimelineModel(events), width: width, rows: rows).text
  }

  /// A sequence diagram for [Mermaid](https://mermaid.js.org), which GitHub and many editors show in Markdown.
  ///
  /// Participants are what is outside, the store, and up to 12 runs, chosen as in `text(_:width:)`; of more than 200 rows
  /// those in the middle are left out. Both are said in notes, and so are missing events. Whatever stands in an action, id or
  /// error, the diagram remains one.
  ///
  /// - Parameter events: the events of one store, in their order.
  /// - Returns: lines, without a line break at the end; put them into a block of code of the language `mermaid`.
  public static func mermaid(_ events: some Sequence<TraceEvent<some Sendable>>) -> String {
    Mermaid.text(TimelineModel(events))
  }

  /// JSON in the Trace Event Format, which [Perfetto](https://ui.perfetto.dev) and `chrome://tracing` open.
  ///
  /// Runs are slices, with slices in them for what they do (run, sleep, wait, not return); runs that do not overlap share a
  /// row. Actions are slices in a row of their own, as long as what they bring about in the same moment, and instants where
  /// they were sent; arrows lead from causes to what follows. A run that is still there at the end of the trace ends with
  /// it, and says so in its arguments. Nothing is left out but changes of status.
  ///
  /// - Parameter events: the events of one store, in their order.
  /// - Returns: one object; times are microseconds with three digits behind the point. Events of one moment stand a
  ///   nanosecond apart, in their order.
  /// - Complexity: O(*n* log *n*) in the number of events, for the format wants them sorted by time.
  public static func chromeTrace(_ events: some Sequence<TraceEvent<some Sendable>>) -> String {
    ChromeTrace.text(TimelineModel(events))
  }
}
