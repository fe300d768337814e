// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Writes a model as a sequence diagram for Mermaid.
struct Mermaid {
  private static let mostRuns = 12
  private static let mostRows = 200

  private let model: TimelineModel
  private let choice: TimelineModel.Choice
  /// The indices of the runs that are drawn.
  private let isDrawn: Set<Int>
  private var lines: [String] = []
  private var active: Set<Int> = []
  private var shown: Duration?

  static func text(_ model: TimelineModel) -> String {
    var writer = Mermaid(model)
    writer.write()
    return writer.lines.joined(separator: "\n")
  }

  private init(_ model: TimelineModel) {
    self.model = model
    choice = model.choice(runs: Self.mostRuns, rows: Self.mostRows)
    isDrawn = Set(choice.runs)
  }

  private mutating func write() {
    lines = ["sequenceDiagram", "  participant U as outside", "  participant S as store"]
    for run in choice.runs {
      lines.append("  participant \(name(run)) as \("\(model.runs[run].number) \(model.runs[run].label)".mermaid(60))")
    }
    for remark in model.remarks(on: choice) { lines.append("  Note over U,S: \(remark.mermaid(400))") }
    for run in choice.runs where model.runs[run].isFromBefore {
      if case .running? = model.runs[run].phases.first?.kind { activate(run) }
    }
    let heads = Set(choice.rows.flatMap(\.told))
    let missing = missing
    for index in model.events.indices {
      if index == missing.lowerBound, let gap = choice.gap { note("\(gap.count) rows are left out here", over: "S") }
      if !missing.contains(index) { write(index, heads) }
    }
    if let remains = model.remains { note(remains, over: "U,S") }
  }

  /// The events of the rows that are left out in the middle.
  private var missing: Range<Int> {
    guard let gap = choice.gap else { return model.events.count..<model.events.count }
    return
      (choice.rows[gap.place - 1].last + 1)..<max(choice.rows[gap.place - 1].last + 1, choice.rows[gap.place].told[0])
  }

  // MARK: - Events

  private mutating func write(_ index: Int, _ heads: Set<Int>) {
    switch model.events[index].kind {
    case .accepted: break
    case .reduced(let message):
      if heads.contains(index) { write(message, index, "->>") }
    case .dropped(let message):
      if heads.contains(index) { write(message, index, "--x") }
    case .refused(let message):
      if heads.contains(index) { write(message, index, "--x") }
    case .run(let run, .joined(let other)):
      if isDrawn.contains(other) { note(model.words(of: index), over: "S,\(name(other))", index) }
      if isDrawn.contains(run) { activate(run) }
    case .run(let run, let happening):
      if isDrawn.contains(run) { write(happening, of: run, index) }
    case .dispatchCancelled, .note, .lost:
      note(model.words(of: index), over: "S", index)
    }
  }

  private mutating func write(_ message: TimelineModel.Message, _ index: Int, _ arrow: String) {
    let text = model.words(of: index)
    switch message.source {
    case .user: self.message("U", arrow, "S", text, index)
    case .run(let run?) where isDrawn.contains(run): self.message(name(run), arrow, "S", text, index)
    case .run: note(text, over: "S", index)
    case .followUp: self.message("S", arrow, "S", text, index)
    }
  }

  private mutating func write(_ happening: TimelineModel.Happening, of run: Int, _ index: Int) {
    let text = model.happening(at: index)
    let isGone = model.runs[run].gone == index
    switch happening {
    case .registered(.starting):
      message("S", "->>", name(run), text, index)
      activate(run)
    case .registered, .joined:
      message("S", "-->>", name(run), text, index)
    case .started:
      guard model.runs[run].begins(at: index) else { return }
      message("S", "->>", name(run), text, index)
      activate(run)
    case .attemptFailed, .sleeping:
      note(text, over: name(run), index)
    case .ended(.finished), .ended(.handled):
      message(name(run), "-->>", "S", text, index)
    case .ended(.failed):
      message(name(run), "--x", "S", text, index)
    case .ended(.cancelled), .ended(.dropped):
      message("S", "-x", name(run), text, index)
    case .returned:
      let isOfAttempt = model.runs[run].settled.map { index < $0 } ?? true
      if isOfAttempt || model.runs[run].returnsLate { note(text, over: name(run), index) }
    }
    if isGone, active.remove(run) != nil { lines.append("  deactivate \(name(run))") }
  }

  // MARK: - Lines

  private mutating func message(_ from: String, _ arrow: String, _ to: String, _ text: String, _ index: Int) {
    lines.append("  \(from)\(arrow)\(to): \(time(index))\(text.mermaid(100))")
  }

  private mutating func note(_ text: String, over participants: String, _ index: Int? = nil) {
    let time = index.map { self.time($0) } ?? ""
    lines.append("  Note over \(participants): \(time)\(text.mermaid(200))")
  }

  private mutating func activate(_ run: Int) {
    if active.insert(run).inserted { lines.append("  activate \(name(run))") }
  }

  /// The time of an event; empty if it is the same as the last time written.
  private mutating func time(_ index: Int) -> String {
    let time = model.events[index].time
    defer { shown = time }
    return time == shown ? "" : "[\(TraceText.time(time))] "
  }

  private func name(_ run: Int) -> String { "R\(model.runs[run].number)" }
}

extension String {
  /// The text without characters and words that have a meaning in Mermaid, cut to a number of characters.
  ///
  /// Mermaid reads `;` as the end of a line, `#` as the beginning of an entity or comment, `<` and `&` as markup, `%%{` as a
  /// directive, `$$` as a formula, `\n` as a new line, and the words `end`, `wrap` and `nowrap` as keywords.
  fileprivate func mermaid(_ limit: Int) -> String {
    var text = ""
    var word = ""
    for character in printable.cut(to: limit) {
      if character.isLetter {
        word.append(character)
      } else {
        text += Self.escaped(word: word)
        word = ""
        for scalar in character.unicodeScalars { text += Self.escaped(scalar) }
      }
    }
    return text + Self.escaped(word: word)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "#quot;"
    case "<": "#lt;"
    case ">": "#gt;"
    case "&": "#amp;"
    case ";", "#", "%", "$", "\\", "`": "#\(scalar.value);"
    default: String(scalar)
    }
  }

  /// Replaces the second letter by its number if the word is a keyword of Mermaid.
  private static func escaped(word: String) -> String {
    guard ["end", "wrap", "nowrap"].contains(word.lowercased()), let second = word.unicodeScalars.dropFirst().first
    else {
      return word
    }
    return "\(word.prefix(1))#\(second.value);\(word.dropFirst(2))"
  }
}
