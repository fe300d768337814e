// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectTesting

/// A small feature that is derived from a seed: the effects of its actions, and the acts of its runs.
///
/// A run with the number *n* sends `10n + 1`, `10n + 2` and so on; `.send` with the number *n* is `10n`. The script
/// sends 1,000 and maybe 1,001. Each run is started at most once.
struct RandomFeature: Sendable, CustomStringConvertible {
  indirect enum Tree: Sendable {
    case run(Run)
    case send(Int)
    case cancel(String)
    case merge([Tree])
    case concatenate([Tree])
    case cancellable(Tree, id: String)
  }

  struct Run: Sendable {
    var number: Int
    var id: String?
    var acts: [Act]
    /// The acts that follow the one before without a suspension.
    var joined: Set<Int> = []
    /// Whether it throws after the last act, and what its `catch` does then.
    var recovery: [Act]?
  }

  /// What a run does, with one effect that others can observe.
  enum Act: Sendable, Equatable {
    case send(Int)
    /// Waits until the action is reduced, and notes the result.
    case deliver(Int)
    /// Calls the actor that all runs share.
    case ask
    /// Notes whether its task has been cancelled.
    case check
    /// Waits for a stream that another run feeds.
    case wait(Int)
    case feed(Int)
  }

  let seed: UInt64
  private(set) var script: [Int] = []
  private(set) var effects: [Int: Tree] = [:]
  /// One for each id: different kinds under one id are reported.
  let overlaps: [String: Overlap]
  private var numbers: SeededNumbers
  private var count = 0
  /// The number of acts that are still allowed. Each act multiplies the number of schedules.
  private var left: Int

  init(seed: UInt64) {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    let kinds: [Overlap] = [
      .concurrent, .restart, .drop, .enqueue, .keepLatest, .join, .restart(exclusive: true), .enqueue(limit: 2),
    ]
    overlaps = [
      "a": kinds[numbers.next(below: 8)], "b": kinds[numbers.next(below: 8)], "t": kinds[numbers.next(below: 5)],
    ]
    let isShort = numbers.next(below: 3) == 0
    let hasMany = numbers.next(below: 4) == 0
    left = isShort || hasMany ? 3 : 2
    script = isShort ? [1_000] : [1_000, 1_001]
    for action in script {
      let leaves = script.count == 1 ? 2 + numbers.next(below: 2) : 1 + numbers.next(below: 2)
      effects[action] = tree(of: leaves)
    }
    // An action of a run that causes something by itself.
    if let action = sent.first(where: { $0 % 10 > 0 }), numbers.next(below: 2) == 0 {
      effects[action] = numbers.next(below: 3) == 0 ? tree(of: 1) : .cancel(anyID())
    }
    separateActs()
  }

  /// Separates the acts of runs that others can cancel: behind an action, only this action is explored as a cause of a cancel. See
  /// "How a schedule differs from reality" in Docs/ExplorerReference.md.
  private mutating func separateActs() {
    let others = script.dropFirst().compactMap { effects[$0] }
    // The later action of the script can cancel the only run, too.
    guard effects.values.flatMap(\.runs).count > 1 || others.contains(where: \.cancels) else { return }
    for action in effects.keys { effects[action] = effects[action]?.separated }
  }

  /// All actions that the runs send.
  private var sent: [Int] {
    effects.keys.sorted().flatMap { effects[$0]?.runs ?? [] }.flatMap { run in
      run.acts.compactMap { act in
        switch act {
        case .send(let action), .deliver(let action): action
        case .ask, .check, .wait, .feed: nil
        }
      }
    }
  }

  private mutating func anyID() -> String { ["a", "b"][numbers.next(below: 2)] }

  private mutating func tree(of leaves: Int) -> Tree {
    if leaves > 1 {
      if leaves == 2, left >= 2, numbers.next(below: script.count == 1 ? 3 : 8) == 0 { return meeting() }
      let first = 1 + numbers.next(below: leaves - 1)
      let parts = [tree(of: first), tree(of: leaves - first)]
      return numbers.next(below: 5) < 2 ? .merge(parts) : .concatenate(parts)
    }
    switch numbers.next(below: 12) {
    case 0: return .send(nextNumber() * 10)
    case 1, 2, 3: return .cancel(anyID())
    case 4: return .cancellable(.run(run()), id: "t")
    default: return .run(run())
    }
  }

  private mutating func nextNumber() -> Int {
    count += 1
    return count
  }

  private mutating func run() -> Run {
    let number = nextNumber()
    var acts: [Act] = []
    var joined: Set<Int> = []
    let most = min(left, 1 + numbers.next(below: 2))
    for index in 0..<most {
      left -= 1
      // What others can observe between two acts is chosen only behind an action, or before one: see "How a schedule differs
      // from reality" in Docs/ExplorerReference.md.
      let canJoin = if case .send? = acts.last { true } else { false }
      if canJoin, numbers.next(below: 2) == 0 { joined.insert(index) }
      switch numbers.next(below: 8) {
      case 0: acts.append(.ask)
      case 1, 2: acts.append(.check)
      case 3: acts.append(.deliver(10 * number + index + 1))
      default: acts.append(.send(10 * number + index + 1))
      }
    }
    var recovery: [Act]?
    if numbers.next(below: 8) == 0 { recovery = [numbers.next(below: 2) == 0 ? .check : .send(10 * number + 9)] }
    return Run(
      number: number, id: numbers.next(below: 6) == 0 ? nil : anyID(), acts: acts, joined: joined, recovery: recovery)
  }

  /// A run that waits for another run, which has no id and so cannot be cancelled. So no run waits for ever.
  private mutating func meeting() -> Tree {
    left -= 2
    let (waiting, feeding) = (nextNumber(), nextNumber())
    let id = anyID()
    let sends = numbers.next(below: 3) == 0
    let feeder = Tree.run(
      Run(
        number: feeding, id: nil, acts: [.feed(waiting)] + (sends ? [.send(10 * feeding + 1)] : []),
        joined: sends ? [1] : []))
    let next: Tree = numbers.next(below: 2) == 0 ? .cancel(id) : .send(10 * nextNumber())
    return .merge([
      .run(Run(number: waiting, id: id, acts: [.wait(waiting), .check])), .concatenate([feeder, next]),
    ])
  }

  var description: String {
    let lines = effects.keys.sorted().map { action in effects[action].map { "\(action): \($0)" } ?? "" }
    let ids = overlaps.keys.sorted().map { id in "\(id): \(overlaps[id].map { "\($0)" } ?? "")" }
    return "feature of seed \(seed), \(ids.joined(separator: ", "))\n\(lines.joined(separator: "\n"))"
  }
}

extension RandomFeature.Tree: CustomStringConvertible {
  var runs: [RandomFeature.Run] {
    switch self {
    case .run(let run): [run]
    case .send, .cancel: []
    case .merge(let parts), .concatenate(let parts): parts.flatMap(\.runs)
    case .cancellable(let content, _): content.runs
    }
  }

  /// Whether a part of it is a cancel.
  var cancels: Bool {
    switch self {
    case .cancel: true
    case .run, .send: false
    case .merge(let parts), .concatenate(let parts): parts.contains { $0.cancels }
    case .cancellable(let content, _): content.cancels
    }
  }

  /// With a suspension before each act of a run that can be cancelled.
  var separated: Self { separated(inTree: false) }

  private func separated(inTree isInTree: Bool) -> Self {
    switch self {
    case .run(var run):
      if run.id != nil || isInTree { run.joined = [] }
      return .run(run)
    case .send, .cancel: return self
    case .merge(let parts): return .merge(parts.map { $0.separated(inTree: isInTree) })
    case .concatenate(let parts): return .concatenate(parts.map { $0.separated(inTree: isInTree) })
    case .cancellable(let content, let id): return .cancellable(content.separated(inTree: true), id: id)
    }
  }

  var description: String {
    switch self {
    case .run(let run):
      "run(\(run.number)\(run.id.map { ", id: \($0)" } ?? "")) \(run.acts)\(run.joined.isEmpty ? "" : " without suspension before \(run.joined)")\(run.recovery.map { " throws, catch \($0)" } ?? "")"
    case .send(let action): "send(\(action))"
    case .cancel(let id): "cancel(\(id))"
    case .merge(let parts): "merge(\(parts.map(\.description).joined(separator: ", ")))"
    case .concatenate(let parts): "concatenate(\(parts.map(\.description).joined(separator: ", ")))"
    case .cancellable(let content, let id): "cancellable(\(content), id: \(id))"
    }
  }
}
