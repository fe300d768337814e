// This source file is part of swift-effects. License: Apache-2.0.

/// The parts of the page that shows a trace; ``Timeline`` puts them together.
enum Viewer {
  /// What the page may load: nothing but its own style and script. Scripts and styles that found their way into it by any
  /// other way do not carry the word and are not run.
  static let policy =
    "default-src 'none'; script-src 'nonce-viewer'; style-src 'nonce-viewer'; img-src data:; "
    + "base-uri 'none'; form-action 'none'"

  /// The parts of the body that are there whatever the trace.
  static let body = #"""
    <header>
    <h1 id="title"></h1>
    <div id="summary"></div>
    <div class="group" role="group" aria-label="Show as">
    <button id="as-timeline" aria-pressed="true">Timeline</button>
    <button id="as-list" aria-pressed="false">List</button>
    </div>
    <div class="group">
    <button id="theme" aria-label="Dark colours" aria-pressed="false">◐</button>
    <button id="help" aria-label="Keys and gestures" title="Keys and gestures (?)">?</button>
    </div>
    </header>
    <div id="tools" role="search">
    <input id="search" type="search" placeholder="Search  ( / )" aria-label="Search events" autocomplete="off">
    <input id="id" type="search" list="ids" placeholder="Id" aria-label="Only events of this id" autocomplete="off">
    <datalist id="ids"></datalist>
    <div class="group chart-only" role="group" aria-label="Zoom">
    <button id="out" aria-label="Zoom out" title="Zoom out (-)">−</button>
    <button id="in" aria-label="Zoom in" title="Zoom in (+)">+</button>
    <button id="fit" title="Show all of it (0)">Fit</button>
    </div>
    <div class="group chart-only" role="group" aria-label="Axis">
    <button id="by-time" title="Lengths are times (o)">Time</button>
    <button id="by-order" title="One step an event (o)">Order</button>
    </div>
    <button id="only-seen" class="chart-only" aria-label="Only runs in view" title="Only runs that live in the part shown (v)">In view</button>
    <span id="count" role="status"></span>
    </div>
    <p id="notice" role="note"></p>
    <main>
    <div id="stage">
    <canvas id="chart" tabindex="0" role="application" aria-roledescription="timeline" aria-describedby="hint"></canvas>
    <div id="empty" hidden>This trace is empty: nothing has happened yet.</div>
    <div id="tip" hidden></div>
    <p id="hint" class="unseen">N and P go from event to event, C to its cause, plus and minus zoom, arrow keys move. The list
    has the same events as a table.</p>
    </div>
    <div id="list" hidden tabindex="0" role="region" aria-label="List of events">
    <table><caption id="caption"></caption>
    <thead><tr><th scope="col">Event</th><th scope="col">Time</th><th scope="col">What</th><th scope="col">Run</th>
    <th scope="col">Cause</th></tr></thead>
    <tbody id="rows"></tbody></table>
    <button id="more">Show more</button>
    </div>
    <aside id="details" aria-label="Details" tabindex="-1" hidden></aside>
    </main>
    <div id="legend" class="chart-only" role="group" aria-label="Legend, and marks to show"></div>
    <div id="said" class="unseen" aria-live="polite"></div>
    <dialog id="keys" aria-label="Keys and gestures"></dialog>
    """#

  /// The page up to the first event.
  static func head(title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>\(escaped(title))</title>
    <style nonce="viewer">
    \(style)
    </style>
    </head>
    <body>
    \(body)
    <script type="application/json" id="events">[
    """
  }

  /// The page after the last event.
  static let end = """
    ]</script>
    <script nonce="viewer">
    \(script)
    </script>
    </body>
    </html>

    """

  /// A text as it has to be written between tags.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // Which no page may contain.
      case "\0": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
