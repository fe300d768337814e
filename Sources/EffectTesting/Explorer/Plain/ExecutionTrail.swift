// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Which code a schedule has executed, in its order, for a failure of code without a store.
struct ExecutionTrail {
  /// A job, and what it is.
  struct Entry: Equatable {
    var name: String
    var text: String
  }

  private(set) var entries: [Entry] = []
  /// The names of runs, also after they have ended.
  private var names: [Int: String] = [:]
  private var begun: Set<Int> = []

  /// A job is executed.
  ///
  /// - Parameters:
  ///   - member: the run and which of its tasks.
  ///   - name: the name of the run; `nil` if it has returned.
  mutating func add(_ member: RunHistories.Member, _ name: String?) {
    if let name { names[member.run] = name }
    let isFirst = begun.insert(member.run << 32 | Int(member.place)).inserted
    let text =
      switch member.place {
      case ..<0: "calls an actor, or yields"
      case 0: isFirst ? "begins" : "goes on"
      default: isFirst ? "its task \(member.place) begins" : "its task \(member.place) goes on"
      }
    add(names[member.run] ?? "body", text)
  }

  /// Something else happens.
  mutating func add(_ name: String, _ text: String) { entries.append(Entry(name: name, text: text)) }
}

extension ScheduleRunner {
  /// Notes whose job is executed.
  func noteExecution(of job: UnownedJob, _ feature: ExploredFeature) {
    guard let member = histories.member(of: job) else { return schedule.trail.add("a task", "goes on") }
    let token = histories.token(of: member.run)
    schedule.trail.add(member, feature.live.first { $0.token == token }?.title)
  }
}
