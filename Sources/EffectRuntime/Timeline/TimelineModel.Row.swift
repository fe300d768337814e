// This source file is part of swift-effects. License: Apache-2.0.

extension TimelineModel {
  /// What is drawn on one line: what happened, and what followed from it at once.
  struct Row {
    var time: Duration
    /// What is marked in the column of a run, by its index.
    var marks: [Int: Mark] = [:]
    /// The indices of the events that are told in words.
    var told: [Int]
    /// The index of the last event that it draws: runs are as that one leaves them.
    var last: Int
    /// The numbers of the events it begins and ends with: what follows from one of them belongs to the row.
    var numbers: ClosedRange<UInt64>
    /// The number of the event with which its action was accepted.
    var accepted: UInt64?
    /// The runs it is about, marked or not; none if it is about the store.
    var about: [Int] = []
  }

  /// What stands in the column of a run.
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
    // What passes through rows that are about others.
    case running = "│"
    case sleeping = "z"
    case waiting = "·"
    case unreturned = "┊"

    var meaning: String {
      switch self {
      case .start: "starts"
      case .wait: "waits for a place or its time"
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
      case .unreturned: "cancelled, not back yet"
      }
    }
  }
}

extension TimelineModel.Row {
  func follows(_ cause: UInt64) -> Bool { numbers.contains(cause) || accepted == cause }
}

extension TimelineModel.Phase.Kind {
  /// How a run passes through a row of that time.
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
  /// Its phase when the event of that index has happened; `nil` before its beginning and when it is gone.
  ///
  /// - Parameter cursor: the answer to the call before, for an earlier event; begins with 0.
  func phase(at index: Int, _ cursor: inout Int) -> TimelineModel.Phase.Kind? {
    guard !isJoined, index >= first, gone.map({ index < $0 }) ?? true, !phases.isEmpty else { return nil }
    while cursor + 1 < phases.count, phases[cursor + 1].first <= index { cursor += 1 }
    return phases[cursor].first <= index ? phases[cursor].kind : nil
  }
}

// MARK: - Rows

extension TimelineModel {
  /// - Complexity: O(number of events).
  var rows: [Row] {
    var writer = RowWriter(model: self)
    for index in events.indices { writer.write(index) }
    return writer.rows
  }
}

/// Puts events on lines: one for each action that is reduced, with all that follows from it at once.
private struct RowWriter {
  let model: TimelineModel
  private(set) var rows: [TimelineModel.Row] = []
  /// By the index of a run: the event since which it sleeps, as long as no row shows it.
  private var unseenSleeps: [Int: Int] = [:]

  init(model: TimelineModel) { self.model = model }

  mutating func write(_ index: Int) {
    switch model.events[index].kind {
    case .accepted: break
    case .reduced(let message): begin(index, mark: .reduced, of: message.source)
    case .dropped(let message): begin(index, mark: .dropped, of: message.source)
    case .refused, .dispatchCancelled, .note, .lost: begin(index)
    case .run(let run, let happening): write(happening, of: run, index)
    }
  }

  // MARK: Actions

  private mutating func begin(_ index: Int, mark: TimelineModel.Mark, of source: TimelineModel.Source) {
    if case .run(let run?) = source { begin(index, mark: mark, in: run) } else { begin(index) }
  }

  // MARK: Runs

  private mutating func write(_ happening: TimelineModel.Happening, of run: Int, _ index: Int) {
    switch happening {
    case .registered(.starting): join(index, .start, run)
    case .registered: join(index, .wait, run)
    case .joined(let other): join(index, .joined, other, inWords: true)
    case .started(let attempt):
      if begins(run, index) { join(index, .start, run, inWords: attempt > 1) } else { settle(index) }
    case .attemptFailed(_, .recovery): join(index, .failure, run, inWords: true)
    case .attemptFailed(_, .retry): join(index, .retry, run, inWords: true)
    case .sleeping:
      if model.runs[run].settled.map({ index < $0 }) ?? true { unseenSleeps[run] = index }
    case .ended(.finished), .ended(.handled):
      // Nobody needs to be told twice: it sent its action, and its line stops.
      if follows(run, index, [.reduced]) { settle(index) } else { join(index, .end, run) }
    case .ended(.failed): join(index, .failure, run, inWords: true)
    case .ended(.cancelled): join(index, .cancelled, run)
    case .ended(.dropped): join(index, .ignored, run)
    case .returned:
      let isPrompt = follows(run, index, [.dropped, .cancelled, .failure, .retry])
      if isPrompt { settle(index) } else { begin(index, mark: .returned, in: run) }
    }
  }

  /// Whether a closure that starts is news: not if the run was to start at once, or a failure is being caught.
  private func begins(_ run: Int, _ index: Int) -> Bool { model.runs[run].begins(at: index) }

  /// Whether the last row is about this run, and has just been.
  private func follows(_ run: Int, _ index: Int, _ marks: [TimelineModel.Mark]) -> Bool {
    guard let row = rows.last, let mark = row.marks[run], marks.contains(mark) else { return false }
    return model.events[index].time - row.time < TimelineModel.Run.promptness
  }

  /// What a run does is drawn in the row of its cause, if that is the last one and has just been.
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
    // It waits and starts, or waits in vain, in one moment.
    case (.wait, .start), (.wait, .ignored), (.start, .ignored): true
    default: false
    }
  }

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
    // The row before is complete: those that sleep and are not marked in it can be seen to sleep.
    if let row = rows.last {
      for (run, since) in unseenSleeps where since <= row.last && row.marks[run] == nil { unseenSleeps[run] = nil }
    }
    let event = model.events[index]
    let accepted: UInt64? =
      switch event.kind {
      case .reduced, .dropped: event.cause
      case .accepted, .refused, .run, .dispatchCancelled, .note, .lost: nil
      }
    rows.append(
      TimelineModel.Row(
        time: max(event.time, rows.last?.time ?? .zero), told: [index], last: index,
        numbers: event.number...event.number, accepted: accepted))
  }

  /// Before a run is marked again, a row tells that it slept.
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
