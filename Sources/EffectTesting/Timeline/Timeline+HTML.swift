// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

extension Timeline {
  /// Draws the events as an HTML page with one lane for each run, zoom, search and the cause of each event.
  ///
  /// ```swift
  /// let log = store.trace.log()
  /// await store.send(.queryChanged("swift")).finish()
  /// try Timeline.html(log.events, title: "Search").write(toFile: "trace.html", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// The page is one file. It loads nothing, and its content security policy forbids loading. So you can mail it, keep it
  /// with a failed test, or serve it. Texts of the program (actions, inputs, errors, the title) are shown unchanged and never
  /// interpreted as markup. Every reader of the page can read all of it, so leave out secrets.
  ///
  /// With changes, the details of an event show what its action changed in the state.
  ///
  /// The page omits what ``/EffectRuntime/TraceEvent/json`` omits: other state, and the end of texts longer than 1,000 characters. It has
  /// a notice if the trace begins in the middle, has gaps, or ends before its runs do.
  ///
  /// A reader can open other traces in the page, from files of ``/EffectRuntime/TraceEvent/json`` lines, and save the trace for Perfetto or
  /// Mermaid.
  ///
  /// To show a running store, make a page without events, put it in a frame and add events: in the window of the frame,
  /// `timeline.append([...])` takes events in the format of ``/EffectRuntime/TraceEvent/json``, in their order. It ignores events that the
  /// page already has.
  ///
  /// - Parameters:
  ///   - events: the events of one store, in their order.
  ///   - changes: what actions changed, by the numbers of their events: ``/EffectRuntime/ChangeLog/differences``.
  ///   - title: the heading and the title of the page.
  /// - Returns: the text of the page.
  /// - Isolation: any; calls the custom descriptions of actions, ids, inputs and errors.
  /// - Complexity: O(size of the text), which is 91 KB and 200 to 400 bytes for each event. A page with 10,000 events of
  ///   1,000 runs stays fluid.
  public static func html<Action>(
    _ events: some Sequence<TraceEvent<Action>>, changes: [UInt64: StateDifference] = [:], title: String = "Timeline"
  ) -> String {
    var array = ""
    var separator = "\n"
    for event in events {
      array += separator
      array += event.json(with: changes[event.number])
      separator = ",\n"
    }
    return TracePage.text(title: escaped(title), events: array)
  }

  /// A text with the escapes that it needs between two tags.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // A page may not contain this character.
      case "\0": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
