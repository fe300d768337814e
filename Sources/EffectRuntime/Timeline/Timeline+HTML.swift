// This source file is part of swift-effects. License: Apache-2.0.

extension Timeline {
  /// The events as a page for a browser: one lane a run, to zoom, search and read, with the cause of everything.
  ///
  /// ```swift
  /// let log = store.trace.log()
  /// await store.send(.queryChanged("swift")).finish()
  /// try Timeline.html(log.events, title: "Search").write(toFile: "trace.html", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// The page is one file that asks for nothing else, and its policy forbids it to: it may be mailed, kept with a failed
  /// test, or served. What the program wrote (actions, inputs, errors, the title) is shown as it is, and cannot become a
  /// part of the page, whatever stands in it. Whoever gets the page can read all of it: leave out what is secret.
  ///
  /// Left out is what ``TraceEvent/json`` leaves out: state, and the end of texts longer than 1,000 characters. A trace that
  /// begins in the middle, has gaps, or ends before its runs do is drawn as such.
  ///
  /// A page that shows a store while it runs makes one of no events, puts it in a frame and feeds it: in the frame's window
  /// `timeline.append([...])` takes events as ``TraceEvent/json`` writes them, in their order; those it has are passed over.
  ///
  /// - Isolation: any; calls the descriptions of actions, ids, inputs and errors, if they have their own.
  /// - Complexity: O(size of the text), which is 60 KB and 200 to 400 bytes an event. 10,000 events of 1,000 runs stay
  ///   fluid.
  public static func html<Action>(
    _ events: some Sequence<TraceEvent<Action>>, title: String = "Timeline"
  ) -> String {
    var array = ""
    var separator = "\n"
    for event in events {
      array += separator
      array += event.json
      separator = ",\n"
    }
    return EmbeddedPages.timeline(title: escaped(title), events: array)
  }

  /// A text as it must be written between two tags.
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
