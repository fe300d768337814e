// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

/// An action that was reduced: what its event says, side by side.
// Not the event itself: that is an object. With 100,000 of them, the release of an old one costs more than all the rest.
@usableFromInline
struct Entry<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let source: TraceSource
  @usableFromInline let number: UInt64
  @usableFromInline let cause: UInt64?
  @usableFromInline let time: Duration

  @inlinable
  init(_ action: Action, _ source: TraceSource, of event: TraceEvent<Action>) {
    self.action = action
    self.source = source
    number = event.number
    cause = event.cause
    time = event.time
  }
}

extension Entry {
  /// The event in the format of `TraceEvent.json`.
  var json: String {
    let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
    let members = [
      "\"number\":\(number)", "\"time\":\(nanoseconds)", "\"cause\":\(cause.map { "\($0)" } ?? "null")",
      "\"kind\":\"reduced\"", "\"action\":\(JSONString.of(".\(action)".shortened))", "\"source\":\(sourceJSON)",
    ]
    return "{\(members.joined(separator: ","))}"
  }

  private var sourceJSON: String {
    switch source {
    case .user(let dispatch, let site):
      "{\"kind\":\"user\",\"dispatch\":\(dispatch),\"site\":\(JSONString.of(source.isByHand ? "by hand" : site.map { "\($0)" }))}"
    case .run(let run): "{\"kind\":\"run\",\"run\":\(run.map { Self.json($0) } ?? "null")}"
    case .followUp: "{\"kind\":\"followUp\"}"
    }
  }

  private static func json(_ run: TraceRun) -> String {
    let description = run.description
    let members = [
      "\"number\":\(run.number)", "\"id\":\(JSONString.of(description.id.map { "\($0)" }))",
      "\"input\":\(JSONString.of(description.input.map { String(reflecting: $0).shortened }))",
      "\"name\":\(JSONString.of(description.name))", "\"overlap\":\(JSONString.of("\(description.overlap)"))",
      "\"site\":\(JSONString.of("\(description.site)"))", "\"tree\":\(run.isTree)",
    ]
    return "{\(members.joined(separator: ","))}"
  }
}

extension String {
  /// At most 1,000 Unicode scalars, and so at most 4,000 bytes: a character may consist of any number of scalars.
  var shortened: String { utf8.count <= 1_000 ? self : "\(String(unicodeScalars.prefix(1_000)))…" }
}

/// A text in JSON.
enum JSONString {
  static func of(_ text: String?) -> String {
    guard let text else { return "null" }
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": json += "\\\(scalar)"
      case "\n": json += "\\n"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        json += "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)"
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}
