// This source file is part of swift-effects. License: Apache-2.0.

/// The page that shows a trace: the files of `Page`, which the build embeds in the code, because the library reads no files
/// at run time.
enum TracePage {
  private static let files: [Substring: [UInt8]] = [
    "timeline.css": PackageResources.timeline_css, "trace.js": PackageResources.trace_js,
    "words.js": PackageResources.words_js, "phases.js": PackageResources.phases_js,
    "layout.js": PackageResources.layout_js, "shapes.js": PackageResources.shapes_js,
    "drawing.js": PackageResources.drawing_js, "marks.js": PackageResources.marks_js,
    "input.js": PackageResources.input_js, "details.js": PackageResources.details_js,
    "list.js": PackageResources.list_js, "idle.js": PackageResources.idle_js, "open.js": PackageResources.open_js,
    "export.js": PackageResources.export_js, "start.js": PackageResources.start_js,
  ]

  /// The complete text. In `timeline.html`, a name in double braces stands for a file or for one of these texts, which are
  /// not searched for names.
  ///
  /// - Parameters:
  ///   - connections: the end of the content security policy.
  ///   - title: the title, with the escapes that it needs between two tags.
  ///   - events: the events as JSON, with commas between them.
  static func text(connections: String = "", title: String, events: String) -> String {
    let texts: [Substring: String] = ["connections": connections, "title": title, "events": events]
    var page = ""
    for part in String(decoding: PackageResources.timeline_html, as: UTF8.self).split(separator: "{{") {
      guard let end = part.firstRange(of: "}}") else {
        page += part
        continue
      }
      let name = part[..<end.lowerBound]
      // The line that contains the name of a file ends with a line end of its own.
      page += texts[name] ?? String(decoding: (files[name] ?? []).dropLast(), as: UTF8.self)
      page += part[end.upperBound...]
    }
    return page
  }
}
