// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Writes a model in the Trace Event Format.
///
/// Times are whole nanoseconds. Events with the same time are drawn one nanosecond apart, in their order, so that no event
/// hides another and each arrow has a slice to point at.
struct ChromeTrace {
  private static let process = 1
  /// The row of actions. The rows of runs follow it.
  static let actions = 1

  let model: TimelineModel
  /// The time of each event.
  let stamps: [Int]
  /// The time at which the trace ends.
  let end: Int
  /// The indices of the events, by their numbers.
  let indices: [UInt64: Int]
  /// The row of each run; 0 for a run that shares the work of another run, and has no row.
  let lanes: [Int]
  private var entries: [Entry] = []

  private struct Entry {
    let time: Int
    /// Sorts entries with the same time: an enclosing slice comes before the slices in it.
    let rank: Int
    let json: String
  }

  static func text(_ model: TimelineModel) -> String {
    var writer = ChromeTrace(model)
    writer.write()
    let sorted = writer.entries.enumerated().sorted { left, right in
      (left.element.time, left.element.rank, left.offset) < (right.element.time, right.element.rank, right.offset)
    }
    let lines = writer.names + sorted.map(\.element.json)
    let others = JSONText.object { json in
      json.member("firstEvent", model.firstNumber)
      json.member(
        "lostEvents", model.events.reduce(0) { if case .lost(let count) = $1.kind { $0 + count } else { $0 } })
    }
    return
      "{\"displayTimeUnit\":\"ms\",\"otherData\":\(others),\"traceEvents\":[\n\(lines.joined(separator: ",\n"))\n]}"
  }

  private init(_ model: TimelineModel) {
    self.model = model
    var stamps: [Int] = []
    var indices: [UInt64: Int] = [:]
    var last = -1
    for (index, event) in model.events.enumerated() {
      indices[event.number] = index
      let time = max(0, Int(clamping: event.time.nanoseconds))
      if case .accepted = event.kind {
        stamps.append(time)
      } else {
        last = max(time, last + 1)
        stamps.append(last)
      }
    }
    self.stamps = stamps
    self.indices = indices
    end = max(last + 1, Int(clamping: model.end.nanoseconds))
    lanes = Self.lanes(of: model)
  }

  /// Assigns a row to each run. Two runs may share a row if one is over before the other begins.
  ///
  /// - Complexity: O(number of events).
  private static func lanes(of model: TimelineModel) -> [Int] {
    var beginning: [Int: [Int]] = [:]
    for index in model.runs.indices where !model.runs[index].isJoined {
      beginning[model.runs[index].first, default: []].append(index)
    }
    var leaving: [Int: [Int]] = [:]
    var lanes = Array(repeating: 0, count: model.runs.count)
    var free: [Int] = []
    var count = 0
    for index in model.events.indices {
      for run in beginning[index] ?? [] {
        if free.isEmpty {
          count += 1
          free.append(actions + count)
        }
        lanes[run] = free.removeLast()
        if let gone = model.runs[run].gone { leaving[gone, default: []].append(lanes[run]) }
      }
      free += leaving.removeValue(forKey: index) ?? []
    }
    return lanes
  }

  // MARK: - Rows

  private var names: [String] {
    let rows = Set(lanes).subtracting([0]).sorted()
    let process = metadata("process_name", Self.actions) { $0.member("name", "store") }
    return [process]
      + ([Self.actions] + rows).flatMap { row in
        [
          metadata("thread_name", row) { $0.member("name", row == Self.actions ? "actions" : "runs \(row - 1)") },
          metadata("thread_sort_index", row) { $0.member("sort_index", row) },
        ]
      }
  }

  private func metadata(_ name: String, _ row: Int, _ arguments: (inout JSONText) -> Void) -> String {
    JSONText.object { json in
      json.member("ph", "M")
      json.member("name", name)
      json.member("pid", Self.process)
      json.member("tid", row)
      json.object("args", arguments)
    }
  }

  // MARK: - Entries

  private mutating func write() {
    for index in model.runs.indices where !model.runs[index].isJoined { writeRun(index) }
    for row in model.rows {
      guard let head = row.told.first else { continue }
      switch model.events[head].kind {
      case .reduced(let message): writeAction(message, "reduced", head, through: row.last)
      case .dropped(let message): writeAction(message, "dropped", head, through: row.last)
      case .refused, .dispatchCancelled, .note, .lost: instant(model.words(of: head), Self.actions, stamps[head])
      case .accepted, .run: break
      }
    }
    for index in model.events.indices { writeRunEvent(index) }
  }

  /// Adds a bar in a row.
  mutating func slice(
    _ name: String, _ category: String, _ row: Int, _ times: Range<Int>, rank: Int,
    _ arguments: (inout JSONText) -> Void = { _ in }
  ) {
    let json = JSONText.object { json in
      json.member("ph", "X")
      json.member("name", name)
      json.member("cat", category)
      json.place(Self.process, row, times.lowerBound)
      json.member("dur", number: Self.microseconds(times.count))
      json.object("args", arguments)
    }
    entries.append(Entry(time: times.lowerBound, rank: rank, json: json))
  }

  /// Adds a mark at one time in a row.
  mutating func instant(_ name: String, _ row: Int, _ time: Int) {
    let json = JSONText.object { json in
      json.member("ph", "i")
      json.member("name", name)
      json.member("cat", "event")
      json.place(Self.process, row, time)
      json.member("s", "t")
    }
    entries.append(Entry(time: time, rank: 4, json: json))
  }

  /// An arrow between two slices. Each time must lie within its slice.
  mutating func arrow(_ id: UInt64, _ from: (row: Int, time: Int), _ to: (row: Int, time: Int)) {
    guard from.time <= to.time, from.row != to.row else { return }
    for (phase, rank, place) in [("s", 2, from), ("f", 3, to)] {
      let json = JSONText.object { json in
        json.member("ph", phase)
        json.member("name", "cause")
        json.member("cat", "cause")
        json.member("id", id)
        json.place(Self.process, place.row, place.time)
        if phase == "f" { json.member("bp", "e") }
      }
      entries.append(Entry(time: place.time, rank: rank, json: json))
    }
  }

  /// Nanoseconds as a number of microseconds with three decimals.
  static func microseconds(_ nanoseconds: Int) -> String {
    let fraction = "\(nanoseconds % 1_000)"
    return "\(nanoseconds / 1_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}

extension JSONText {
  fileprivate mutating func place(_ process: Int, _ row: Int, _ time: Int) {
    member("pid", process)
    member("tid", row)
    member("ts", number: ChromeTrace.microseconds(time))
  }
}
