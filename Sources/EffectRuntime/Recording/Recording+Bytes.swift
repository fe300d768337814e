// This source file is part of swift-effects. License: Apache-2.0.

extension Recording {
  /// The recording as it is written to a file: lines of ASCII.
  ///
  /// - Complexity: O(size).
  public var bytes: [UInt8] {
    var bytes = Self.bytes(initialState: initialState, codecVersion: codecVersion)
    var next = notes.startIndex
    for (index, step) in steps.enumerated() {
      while next < notes.endIndex, notes[next].after <= index {
        bytes += RecordingFormat.line(notes[next])
        next += 1
      }
      bytes += RecordingFormat.line(step, index: index)
      if let state = step.state { bytes += RecordingFormat.line(after: state) }
      if isTurnEnd(index) { bytes += RecordingFormat.line(turnEndAfter: index + 1) }
    }
    for note in notes[next...] { bytes += RecordingFormat.line(note) }
    return bytes
  }

  /// The bytes of a recording that has only a state.
  static func bytes(initialState: [UInt8], codecVersion: Int) -> [UInt8] {
    Array("\(RecordingFormat.header)\n".utf8) + RecordingFormat.line(codecVersion: codecVersion)
      + RecordingFormat.line(state: initialState)
  }

  /// Whether a turn ends with this step: another one follows, or this is the last step of a whole turn.
  private func isTurnEnd(_ index: Int) -> Bool {
    let next = index + 1
    return next == steps.count - unfinishedCount || next < steps.count && steps[next].cause != .followUp
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
    guard case .codec(let version) = try lines.firstEntry() else { throw .noInitialState("line 2 is not a version") }
    guard case .state(let initial) = try lines.firstEntry() else { throw .noInitialState("line 3 is not a state") }
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

  /// Reads a recording from a file, also from one that is still being written; see ``init(parsing:)``.
  ///
  /// - Parameter path: where the file is.
  /// - Isolation: blocks its thread while it reads.
  /// - Throws: ``RecordingError/unreadable(path:reason:)``, and what ``init(parsing:)`` throws.
  /// - Complexity: O(size).
  public init(contentsOfFile path: String) throws(RecordingError) {
    try self.init(parsing: FileBytes.read(path))
  }

  /// Adds the content of a line. Returns the reason if that is not possible, otherwise `nil`.
  private mutating func add(_ entry: RecordingEntry) -> String? {
    switch entry {
    case .header, .state:
      return "is a second beginning"
    case .action(let index, let step):
      guard index == steps.count else { return "is action \(index), and action \(steps.count) is missing" }
      if step.cause != .followUp, unfinishedCount > 0 {
        return "begins a turn, and the end of the turn before is missing"
      }
      steps.append(step)
      unfinishedCount += 1
    case .after(let state):
      guard !steps.isEmpty, steps[steps.count - 1].state == nil else { return "is a state that follows no action" }
      steps[steps.count - 1].state = state
    case .note(let time, let text):
      notes.append(Note(after: steps.count, time: time, text: text))
    case .codec:
      return "is a version that does not come first"
    case .turnEnd(let count):
      guard count == steps.count, unfinishedCount > 0 else { return "ends a turn that has no action" }
      unfinishedCount = 0
    }
    return nil
  }

  /// Removes the steps of a turn whose end was not read.
  mutating func removeUnfinished() {
    steps.removeLast(unfinishedCount)
    unfinishedCount = 0
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
      // A power failure may leave zeros in place of what was not synced. A writer never writes them.
      if line.content.contains(0) { return damage("contains zeros, as a power failure can leave them") }
      return damage(line.isWhole ? "was changed" : Recording.Damage.cutOff)
    }
    return entry(body).map(Next.entry) ?? damage("is of an unknown kind")
  }

  /// The next line of the beginning, without which nothing can be replayed.
  mutating func firstEntry() throws(RecordingError) -> RecordingEntry {
    switch nextEntry() {
    case .entry(let entry): return entry
    case .damage(let damage): throw .noInitialState("line \(damage.line) \(damage.reason)")
    case .end: throw .noInitialState("line \(number + 1) is missing")
    }
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
