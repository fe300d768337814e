// This source file is part of swift-effects. License: Apache-2.0.

extension Recording {
  /// The recording as it is written to a file: lines of ASCII.
  ///
  /// - Complexity: O(size).
  public var bytes: [UInt8] {
    var bytes = Array("\(RecordingFormat.header)\n".utf8)
    if let codecVersion { bytes += RecordingFormat.line(codecVersion: codecVersion) }
    bytes += RecordingFormat.line(state: initialState)
    var next = notes.startIndex
    var ends = turnEnds[...]
    for (index, step) in steps.enumerated() {
      while next < notes.endIndex, notes[next].after <= index {
        bytes += RecordingFormat.line(notes[next])
        next += 1
      }
      bytes += RecordingFormat.line(step, index: index)
      if let state = step.state { bytes += RecordingFormat.line(after: state) }
      if ends.first == index + 1 {
        ends.removeFirst()
        bytes += RecordingFormat.line(turnEndAfter: index + 1)
      }
    }
    for note in notes[next...] { bytes += RecordingFormat.line(note) }
    return bytes
  }

  /// Reads a recording.
  ///
  /// Reading ends at a line that is cut off or was changed: everything before it is kept, and ``damage`` says where and
  /// why.
  ///
  /// - Parameter bytes: the content of a recording, also of one that is still being written.
  /// - Throws: ``RecordingError/notARecording``, ``RecordingError/unsupportedVersion(_:)`` or
  ///   ``RecordingError/noInitialState(_:)`` if there is nothing that could be replayed.
  /// - Complexity: O(size).
  public init(parsing bytes: some Sequence<UInt8>) throws(RecordingError) {
    var lines = RecordingLines(Array(bytes))
    guard case .entry(.header(let format)) = lines.nextEntry() else { throw .notARecording }
    guard format == RecordingFormat.version else { throw .unsupportedVersion(format) }
    var state = lines.nextEntry()
    var version: Int?
    if case .entry(.codec(let number)) = state {
      version = number
      state = lines.nextEntry()
    }
    guard case .entry(.state(let initial)) = state else {
      if case .damage(let damage) = state { throw .noInitialState("line \(damage.line) \(damage.reason)") }
      let reason = if case .end = state { "is missing" } else { "is not a state" }
      throw .noInitialState("line \(version == nil ? 2 : 3) \(reason)")
    }
    self.init(initialState: initial)
    codecVersion = version
    while true {
      switch lines.nextEntry() {
      case .end: return
      case .damage(let found):
        damage = found
        return
      case .entry(let entry):
        if let reason = add(entry) {
          damage = Damage(line: lines.number, reason: reason)
          return
        }
      }
    }
  }

  /// Adds the content of a line. Returns the reason if that is not possible, otherwise `nil`.
  private mutating func add(_ entry: RecordingEntry) -> String? {
    switch entry {
    case .header, .state:
      return "is a second beginning"
    case .action(let index, let step):
      guard index == steps.count else { return "is action \(index), and action \(steps.count) is missing" }
      if codecVersion != nil, step.cause != .followUp, steps.count > turnEnds.last ?? 0 {
        return "begins a turn, and the end of the turn before is missing"
      }
      steps.append(step)
    case .after(let state):
      guard !steps.isEmpty, steps[steps.count - 1].state == nil else { return "is a state that follows no action" }
      steps[steps.count - 1].state = state
    case .note(let time, let text):
      notes.append(Note(after: steps.count, time: time, text: text))
    case .codec:
      return "is a version that does not come first"
    case .turnEnd(let count):
      guard count == steps.count, count > turnEnds.last ?? 0 else { return "ends a turn that has no action" }
      turnEnds.append(count)
    }
    return nil
  }
}

/// The content of a line.
enum RecordingEntry {
  case header(version: String)
  case state([UInt8])
  case action(index: Int, Recording.Step)
  case after([UInt8])
  case note(Duration, String)
  case codec(Int)
  case turnEnd(Int)
}

/// Goes through the lines of a recording.
struct RecordingLines {
  private let bytes: [UInt8]
  private var position = 0
  /// The line that was read last, counted from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// What comes next.
  enum Next {
    case entry(RecordingEntry)
    case damage(Recording.Damage)
    case end
  }

  /// The next line without its end, and whether it had one.
  private mutating func next() -> (content: ArraySlice<UInt8>, isWhole: Bool)? {
    guard position < bytes.count else { return nil }
    number += 1
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
    var content = bytes[position..<(end ?? bytes.count)]
    // Some editors and version control systems end a line with both characters.
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    position = end.map { $0 + 1 } ?? bytes.count
    return (content, end != nil)
  }

  mutating func nextEntry() -> Next {
    guard let line = next() else { return .end }
    // A line that was cut off may look complete, for example if a number has lost digits. So the check decides.
    let head = line.content.prefix(17)
    let body = line.content.dropFirst(17)
    guard head.count == 17, head.last == UInt8(ascii: " "),
      head.dropLast().elementsEqual(RecordingFormat.hex(RecordingFormat.check(body)))
    else {
      return damage(line.isWhole ? "was changed" : "is cut off")
    }
    return entry(body).map(Next.entry) ?? damage("is of an unknown kind")
  }

  private func damage(_ reason: String) -> Next { .damage(Recording.Damage(line: number, reason: reason)) }

  private func entry(_ body: ArraySlice<UInt8>) -> RecordingEntry? {
    let words = body.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: false)
    guard let last = words.last.flatMap(RecordingFormat.unescaped) else { return nil }
    switch (String(decoding: words[0], as: UTF8.self), words.count) {
    case (RecordingFormat.name, 2): return .header(version: String(decoding: last, as: UTF8.self))
    case ("state", 2): return .state(last)
    case ("after", 2): return .after(last)
    case ("codec", 2): return number(last[...]).map(RecordingEntry.codec)
    case ("end", 2): return number(last[...]).map(RecordingEntry.turnEnd)
    case ("run", 3):
      guard let time = time(words[1]) else { return nil }
      return .note(time, String(decoding: last, as: UTF8.self))
    case ("action", 5):
      guard let index = number(words[1]), let time = time(words[2]), let cause = cause(words[3]) else { return nil }
      return .action(index: index, Recording.Step(time: time, cause: cause, action: last))
    default: return nil
    }
  }

  private func number(_ word: ArraySlice<UInt8>) -> Int? { Int(String(decoding: word, as: UTF8.self)) }

  private func time(_ word: ArraySlice<UInt8>) -> Duration? {
    Int64(String(decoding: word, as: UTF8.self)).map(Duration.nanoseconds)
  }

  private func cause(_ word: ArraySlice<UInt8>) -> Recording.Cause? {
    let text = String(decoding: word, as: UTF8.self)
    if text == "turn" { return .followUp }
    if text.hasPrefix("run:") { return UInt64(text.dropFirst(4)).map(Recording.Cause.run) }
    guard text.hasPrefix("user:"), let line = RecordingFormat.unescaped(word.dropFirst(5)) else { return nil }
    return .user(String(decoding: line, as: UTF8.self))
  }
}
