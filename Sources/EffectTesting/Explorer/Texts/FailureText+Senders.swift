// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension FailureText {
  static func senderTwice(_ name: String, at site: CallSite) -> String {
    """
    A script has two senders with the name "\(name)", the second at \(site). Failures distinguish senders by their names, and \
    `script` is the script itself: give each another name.
    """
  }

  static func otherSchedule(_ step: String, at site: CallSite) -> String {
    """
    `\(step)` at \(site) is given an action of another schedule. The script is executed again for each schedule: keep what \
    `send` returns in a constant of the script.
    """
  }

  static func otherConditionState(_ state: Any.Type, _ expected: Any.Type, at site: CallSite) -> String {
    """
    The condition of `send(anyOf:upTo:where:)` at \(site) takes a state of the type `\(expected)`, and the state of the explored \
    store is of the type `\(state)`. Name this type in its closure: `(state: \(SwiftNames.ofType(state)), action) in`.
    """
  }

  static func otherState(_ state: Any.Type, _ expected: Any.Type, at site: CallSite) -> Violation {
    Violation(
      label: "state of a request",
      text: """
        The request at \(site) takes a state of the type `\(expected)`, and the state of the explored store is of the type \
        `\(state)`. Name this type in its closure: \
        `(state: \(SwiftNames.ofType(state))) in`. Or make its specification for this type.
        """)
  }

  static func wrongAnswer(_ action: any Sendable, at site: CallSite) -> Violation {
    Violation(
      label: "request at \(site)",
      text: """
        The closure of `request(\(brief(action)))` at \(site) returned `false`. It was given the state of the moment at which \
        everything that the action caused had settled.
        """)
  }

  /// The answers of requests do not agree with their specification in any order.
  static func notLinearizable<Operation: Sendable, Answer>(
    _ calls: [HistoryCall<Operation, Answer>], _ order: [Int],
    _ misses: [LinearizabilityVerdict<Answer>.Miss]
  ) -> String {
    func text(_ value: Answer) -> String { ValueText.of(value, limit: 60) }
    let done = order.map { index in
      let answer = calls[index].answer.map { " answers \(text($0.value))" } ?? " is not answered"
      return "`\(brief(calls[index].operation))`\(answer)"
    }
    let next = misses.map { miss in
      let call = calls[miss.call]
      let own = call.answer.map { text($0.value) } ?? "nothing"
      return "`\(brief(call.operation))` of \(call.sender) has answered \(own), and must answer \(text(miss.allowed))."
    }
    return """
      The answers are not linearizable: no order of the requests gives these answers, if a request that was answered before \
      another one was made comes before it.

      \(drawing(of: calls))

      \(calls.count == 1 ? "\(oneSpecification)\n\n" : "")\
      \(done.isEmpty ? "No request can be the first:" : "The order that goes furthest: \(done.joined(separator: ", then ")). Next:")
        \(next.joined(separator: "\n  "))
      """
  }

  private static let oneSpecification = """
    If there are other requests, use the same specification for all of them: make it once, in a constant.
    """

  /// A history of requests as a drawing, with its legend.
  static func drawing<Operation: Sendable, Answer>(of calls: [HistoryCall<Operation, Answer>]) -> String {
    func text(begin: Character, end: Character, waits: Character) -> String {
      history(calls, begin: begin, end: end, waits: waits).joined(separator: "\n")
        + "\n\n\(begin) makes a request   \(end) has its answer"
    }
    let drawing = text(begin: "┬", end: "┴", waits: "│")
    return isLong(drawing) ? text(begin: "v", end: "^", waits: "|") : drawing
  }

  /// A column for each sender, a row for each event.
  private static func history<Operation: Sendable, Answer>(
    _ calls: [HistoryCall<Operation, Answer>], begin: Character, end: Character, waits: Character
  ) -> [String] {
    var events: [(moment: Int, sender: String, text: String, isBegin: Bool)] = []
    for call in calls {
      events.append((call.begin, call.sender, "\(begin) \(brief(call.operation))", true))
      if let answer = call.answer {
        events.append((answer.moment, call.sender, "\(end) \(ValueText.of(answer.value, limit: 60))", false))
      }
    }
    events.sort { $0.moment < $1.moment }
    var senders: [String] = []
    for event in events where !senders.contains(event.sender) { senders.append(event.sender) }
    let widths = senders.map { sender in
      events.filter { $0.sender == sender }.reduce(sender.count) { max($0, $1.text.count) } + 3
    }
    func row(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined()
      return String(padded.reversed().drop { $0 == " " }.reversed())
    }
    var open: Set<String> = []
    var rows = [row(senders)]
    for event in events {
      rows.append(row(senders.map { $0 == event.sender ? event.text : open.contains($0) ? "\(waits)" : "" }))
      if event.isBegin { open.insert(event.sender) } else { open.remove(event.sender) }
    }
    return rows
  }
}
