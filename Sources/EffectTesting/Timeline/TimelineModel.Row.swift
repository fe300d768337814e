// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension TimelineModel {
  /// One row of a drawing: an event and its immediate effects.
  struct Row {
    var time: Duration
    /// The marks in the columns of runs, by the index of the run.
    var marks: [Int: Mark] = [:]
    /// The indices of the events that are described in words.
    var told: [Int]
    /// The index of the last event in the row. The row shows the phases of runs after this event.
    var last: Int
    /// The numbers of its first and last event. An event caused by one of them belongs to the row.
    var numbers: ClosedRange<UInt64>
    /// The number of the event with which its action was accepted.
    var accepted: UInt64?
    /// The runs that the row is about, marked or not; empty if it is about the store.
    var about: [Int] = []
  }

  /// A mark in the column of a run.
  enum Mark: Character, CaseIterable {
    case start = "●"
    case wait = "○"
    case reduced = "◆"
    case dropped = "◇"
    case joined = "+"
    case retry = "↻"
    case failure = "!"
    case cancelled = "x"
    case ignored = "-"
    case end = "■"
    case returned = "┴"
    // The phase of a run, in rows about other runs.
    case running = "│"
    case sleeping = "z"
    case waiting = "·"
    case unreturned = "┊"

    /// A mark of one byte in its place.
    var oneByte: Character {
      switch self {
      case .start: "*"
      case .wait: "o"
      case .reduced: "#"
      case .dropped: "~"
      case .retry: "%"
      case .end: "="
      case .returned: "^"
      case .running: "|"
      case .waiting: "."
      case .unreturned: ":"
      case .joined, .failure, .cancelled, .ignored, .sleeping: rawValue
      }
    }

    /// The text of the mark in a legend.
    var meaning: String {
      switch self {
      case .start: "starts"
      case .wait: "waits for a slot or its time"
      case .reduced: "its action is reduced"
      case .dropped: "its action is dropped"
      case .joined: "another run joins"
      case .retry: "fails, tries again later"
      case .failure: "fails"
      case .cancelled: "cancelled"
      case .ignored: "dropped, never runs"
      case .end: "ends"
      case .returned: "its closure returns"
      case .running: "runs"
      case .sleeping: "sleeps"
      case .waiting: "waits"
      case .unreturned: "cancelled, not returned"
      }
    }
  }
}

extension TimelineModel.Row {
  /// Whether an event with this cause belongs to the row.
  func follows(_ cause: UInt64) -> Bool { numbers.contains(cause) || accepted == cause }
}

extension TimelineModel.Phase.Kind {
  /// The mark of a run in this phase, in a row about other runs.
  func mark(at time: Duration) -> TimelineModel.Mark {
    switch self {
    case .waiting, .retrying: .waiting
    case .running, .recovering: .running
    case .sleeping(let until): time < until ? .sleeping : .running
    case .unreturned: .unreturned
    }
  }
}

extension TimelineModel.Run {
  /// The phase after an event; `nil` before the run begins and after it is over.
  ///
  /// - Parameters:
  ///   - index: the index of the event; must not be less than that of the previous call.
  ///   - cursor: 0 for the first call; later calls take the value that the previous call left.
  func phase(at index: Int, _ cursor: inout Int) -> TimelineModel.Phase.Kind? {
    guard !isJoined, index >= first, gone.map({ index < $0 }) ?? true, !phases.isEmpty else { return nil }
    while cursor + 1 < phases.count, phases[cursor + 1].first <= index { cursor += 1 }
    return phases[cursor].first <= index ? phases[cursor].kind : nil
  }
}

// MARK: - Rows

extension TimelineModel {
  /// All rows of a drawing, in order of time.
  ///
  /// - Complexity: O(number of events).
  var rows: [Row] {
    var writer = RowWriter(model: self)
    for index in events.indices { writer.write(index) }
    return writer.rows
  }
}

/// Distributes events to rows: one for each reduced action with all its immediate effects.
private struct RowWriter {
  let model: TimelineModel
  private(set) var rows: [TimelineModel.Row] = []
  /// For each run that sleeps: the event with which the sleep began, as long as no row shows the sleep.
  private var unseenSleeps: [Int: Int] = [:]

  init(model: TimelineModel) { self.model = model }

  mutating func write(_ index: Int) {
    let event = model.events[index]
    switch event.kind {
    case .accepted, .status: break
    case .reduced: begin(index, mark: .reduced, by: event.run)
    case .dropped: begin(index, mark: .dropped, by: event.run)
    case .refused, .unmatched, .dispatchCancelled, .turnSuspended, .budgetExceeded, .shutdown, .lost: begin(index)
    case .run(_, let happening): if let run = event.run { write(happening, of: run, index) }
    }
  }

  // MARK: Actions

  private mutating func begin(_ index: Int, mark: TimelineModel.Mark, by sender: Int?) {
    if let sender { begin(index, mark: mark, in: sender) } else { begin(index) }
  }

  // MARK: Runs

  private mutating func write(_ happening: TraceRun.Event, of run: Int, _ index: Int) {
    switch happening {
    case .registered(.starting): join(index, .start, run)
    case .registered: join(index, .wait, run)
    case .joined: if let other = model.events[index].joined { join(index, .joined, other, inWords: true) }
    case .started(let attempt):
      if begins(run, index) { join(index, .start, run, inWords: attempt > 1) } else { settle(index) }
    case .attemptFailed(_, .recovery): join(index, .failure, run, inWords: true)
    case .attemptFailed(_, .retry): join(index, .retry, run, inWords: true)
    case .sleeping:
      if model.runs[run].settled.map({ index < $0 }) ?? true { unseenSleeps[run] = index }
    case .ended(.finished), .ended(.handled):
      // The end needs no mark if the run has just sent an action: its column stops after that row.
      if follows(run, index, [.reduced]) { settle(index) } else { join(index, .end, run) }
    case .ended(.failed): join(index, .failure, run, inWords: true)
    case .ended(.cancelled): join(index, .cancelled, run)
    case .ended(.dropped): join(index, .ignored, run)
    case .returned:
      let isPrompt = follows(run, index, [.dropped, .cancelled, .failure, .retry])
      if isPrompt { settle(index) } else { begin(index, mark: .returned, in: run) }
    }
  }

  /// Whether a new phase begins with the start of a closure. It does not if the run started when it was registered, or if a
  /// `catch` closure starts.
  private func begins(_ run: Int, _ index: Int) -> Bool { model.runs[run].begins(at: index) }

  /// Whether the last row has one of these marks for the run, and is recent.
  private func follows(_ run: Int, _ index: Int, _ marks: [TimelineModel.Mark]) -> Bool {
    guard let row = rows.last, let mark = row.marks[run], marks.contains(mark) else { return false }
    return model.events[index].time - row.time < TimelineModel.Run.promptness
  }

  /// Adds an event to the row of its cause, if that is the last row and is recent. Otherwise begins a new row.
  private mutating func join(_ index: Int, _ mark: TimelineModel.Mark, _ run: Int, inWords: Bool = false) {
    let event = model.events[index]
    guard let row = rows.last, let cause = event.cause, row.follows(cause), canMark(run, mark, row),
      event.time - row.time < TimelineModel.Run.promptness
    else { return begin(index, mark: mark, in: run) }
    showSleep(of: run)
    let last = rows.count - 1
    rows[last].marks[run] = mark
    rows[last].about.append(run)
    if inWords { rows[last].told.append(index) }
    settle(index)
  }

  private func canMark(_ run: Int, _ mark: TimelineModel.Mark, _ row: TimelineModel.Row) -> Bool {
    switch (row.marks[run], mark) {
    case (nil, _): true
    // A run that waits and starts, or is dropped, in the same moment needs only the later mark.
    case (.wait, .start), (.wait, .ignored), (.start, .ignored): true
    default: false
    }
  }

  /// Adds an event to the last row without a mark or words.
  private mutating func settle(_ index: Int) {
    guard let row = rows.last else { return }
    rows[rows.count - 1].last = index
    rows[rows.count - 1].numbers = row.numbers.lowerBound...max(row.numbers.upperBound, model.events[index].number)
  }

  // MARK: Beginning

  private mutating func begin(_ index: Int, mark: TimelineModel.Mark, in run: Int) {
    begin(index)
    showSleep(of: run)
    rows[rows.count - 1].marks[run] = mark
    rows[rows.count - 1].about.append(run)
  }

  private mutating func begin(_ index: Int) {
    // The previous row is complete. It shows the sleep of each sleeping run that has no mark in it.
    if let row = rows.last {
      for (run, since) in unseenSleeps where since <= row.last && row.marks[run] == nil { unseenSleeps[run] = nil }
    }
    let event = model.events[index]
    let accepted: UInt64? =
      switch event.kind {
      case .reduced, .dropped: event.cause
      case .accepted, .refused, .run, .unmatched, .status, .dispatchCancelled, .turnSuspended, .budgetExceeded,
        .shutdown, .lost:
        nil
      }
    rows.append(
      TimelineModel.Row(
        time: max(event.time, rows.last?.time ?? .zero), told: [index], last: index,
        numbers: event.number...event.number, accepted: accepted))
  }

  /// Inserts a row about the sleep of a run before the run is marked again, if no row has shown the sleep.
  private mutating func showSleep(of run: Int) {
    guard let since = unseenSleeps.removeValue(forKey: run) else { return }
    let event = model.events[since]
    let before = rows.dropLast().last
    let row = TimelineModel.Row(
      time: max(event.time, before?.time ?? .zero), told: [since], last: max(since, before?.last ?? 0),
      numbers: event.number...event.number, about: [run])
    rows.insert(row, at: rows.count - 1)
  }
}
