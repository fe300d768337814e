// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension TimelineModel {
  /// The part of a long model that fits into a drawing.
  struct Choice {
    /// The indices of the runs that are drawn, sorted by run number.
    var runs: [Int]
    /// The number of runs that are not drawn. Runs that share the work of another run have no column and do not count.
    var runsLeftOut: Int
    /// The number of rows that are only about these runs.
    var rowsAboutThem: Int
    /// The rows; some in the middle may be omitted.
    var rows: [Row]
    /// The number of omitted rows, and their first and last time.
    var gap: Gap?

    struct Gap {
      /// The index of the row after the gap.
      let place: Int
      let count: Int
      let from: Duration
      let to: Duration
    }
  }

  /// Chooses the runs and rows to draw, if there are too many.
  ///
  /// - Complexity: O(number of events).
  func choice(runs limit: Int, rows rowLimit: Int) -> Choice {
    let chosen = chosen(limit)
    let isChosen = Set(chosen)
    let all = rows
    let candidates = all.filter { $0.about.isEmpty || $0.about.contains(where: isChosen.contains) }
    var choice = Choice(
      runs: chosen, runsLeftOut: runs.count { !$0.isJoined } - chosen.count,
      rowsAboutThem: all.count - candidates.count, rows: candidates)
    // A gap of one row would not save a line, because the gap itself is drawn as a line.
    if candidates.count > rowLimit + 1 {
      let beginning = rowLimit / 4
      let missing = candidates[beginning..<(candidates.count - (rowLimit - beginning))]
      choice.gap = Choice.Gap(
        place: beginning, count: missing.count, from: candidates[missing.startIndex].time,
        to: candidates[missing.endIndex - 1].time)
      choice.rows.removeSubrange(missing.indices)
    }
    return choice
  }

  /// Runs that probably show a mistake, then runs that are not over, then the others; the newest of each group first.
  private func chosen(_ limit: Int) -> [Int] {
    var groups: [[Int]] = [[], [], []]
    for index in runs.indices.reversed() where !runs[index].isJoined {
      groups[runs[index].isSuspicious ? 0 : runs[index].gone == nil ? 1 : 2].append(index)
    }
    return groups.joined().prefix(limit).sorted { runs[$0].number < runs[$1].number }
  }

  /// Remarks about what the drawing omits, to be written above it.
  func remarks(on choice: Choice) -> [String] {
    var remarks: [String] = []
    // A log that had to remove its oldest events begins with a `lost` event that counts them.
    let isToldOf = if case .lost? = events.first?.kind { true } else { false }
    if firstNumber > 1, !isToldOf {
      remarks.append("The trace begins with event \(firstNumber), what came before is not known.")
    }
    if choice.runsLeftOut > 0 {
      let rows = choice.rowsAboutThem > 0 ? " and \(choice.rowsAboutThem) rows about them" : ""
      remarks.append(
        "\(choice.runs.count) of \(choice.runs.count + choice.runsLeftOut) runs are drawn: first those that fail, "
          + "lose actions or return late, then the active ones, then the newest. "
          + "\(choice.runsLeftOut) runs\(rows) are left out.")
    }
    return remarks
  }

  /// The runs that are not over when the trace ends; `nil` if there are none.
  var remains: String? {
    var groups: [(one: String, more: String, numbers: [UInt64])] = [
      ("is running", "are running", []), ("is asleep", "are asleep", []), ("is waiting", "are waiting", []),
      ("has not returned", "have not returned", []),
    ]
    for run in runs where run.gone == nil {
      switch run.phase {
      case .running, .recovering: groups[0].numbers.append(run.number)
      case .sleeping(let until): groups[end < until ? 1 : 0].numbers.append(run.number)
      case .waiting, .retrying: groups[2].numbers.append(run.number)
      case .unreturned: groups[3].numbers.append(run.number)
      case nil: break
      }
    }
    let texts = groups.filter { !$0.numbers.isEmpty }.map { one, more, numbers in
      if numbers.count == 1 { return "run \(numbers[0]) \(one)" }
      let others = numbers.count > 6 ? " and \(numbers.count - 6) more" : ""
      return "runs \(numbers.prefix(6).map { "\($0)" }.joined(separator: ", "))\(others) \(more)"
    }
    return texts.isEmpty ? nil : "At the end of the trace \(texts.joined(separator: ", "))."
  }
}
