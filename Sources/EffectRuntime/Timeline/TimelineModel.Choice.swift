// This source file is part of swift-effects. License: Apache-2.0.

extension TimelineModel {
  /// What of a long model fits into a drawing.
  struct Choice {
    /// The indices of the runs that are drawn, by their numbers.
    var runs: [Int]
    /// How many runs are not drawn; those that share another's work have no place of their own and do not count.
    var runsLeftOut: Int
    /// How many rows are only about those.
    var rowsAboutThem: Int
    /// The rows, of which some may be missing in the middle.
    var rows: [Row]
    /// How many are missing in the middle, and between which times.
    var gap: Gap?

    struct Gap {
      /// Before which of the rows.
      let place: Int
      let count: Int
      let from: Duration
      let to: Duration
    }
  }

  /// - Complexity: O(number of events).
  func choice(runs limit: Int, rows rowLimit: Int) -> Choice {
    let chosen = chosen(limit)
    let isChosen = Set(chosen)
    let all = rows
    let candidates = all.filter { $0.about.isEmpty || $0.about.contains(where: isChosen.contains) }
    var choice = Choice(
      runs: chosen, runsLeftOut: runs.count { !$0.isJoined } - chosen.count,
      rowsAboutThem: all.count - candidates.count, rows: candidates)
    // One more is not worth a line that says so.
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

  /// Those in which a mistake is likely to show, then those that live, then others; of each the newest.
  private func chosen(_ limit: Int) -> [Int] {
    var groups: [[Int]] = [[], [], []]
    for index in runs.indices.reversed() where !runs[index].isJoined {
      groups[runs[index].isSuspicious ? 0 : runs[index].gone == nil ? 1 : 2].append(index)
    }
    return groups.joined().prefix(limit).sorted { runs[$0].number < runs[$1].number }
  }

  /// What the reader must know before the drawing.
  func remarks(on choice: Choice) -> [String] {
    var remarks: [String] = []
    // A log from which the oldest had to go begins by telling how many.
    let isToldOf = if case .lost? = events.first?.kind { true } else { false }
    if firstNumber > 1, !isToldOf {
      remarks.append("The trace begins with event \(firstNumber), what came before is not known.")
    }
    if choice.runsLeftOut > 0 {
      let rows = choice.rowsAboutThem > 0 ? " and \(choice.rowsAboutThem) rows about them" : ""
      remarks.append(
        "\(choice.runs.count) of \(choice.runs.count + choice.runsLeftOut) runs are drawn: first those that fail, "
          + "send in vain or return late, then those that live, then the newest. "
          + "\(choice.runsLeftOut) runs\(rows) are left out.")
    }
    return remarks
  }

  /// What is there when the trace ends.
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
