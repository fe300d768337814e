// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

@testable import EffectTesting

/// A small feature that is derived from a seed, with states that many orders lead to: sums, sets, counters and a flag.
struct MeetingFeature: Reducer, Sendable, CustomStringConvertible {
  struct State: Equatable, Sendable {
    var sum = 0
    var seen: Set<Int> = []
    var newest: Int?
    var counts: [String: Int] = [:]
    var errors = 0
    /// How many closures that capture the state have reported it.
    var captured = 0
  }

  enum Action: Equatable, Sendable {
    case go(Int)
    case add(Int)
    case note(Int)
    case set(Int)
    case count(String)
    case failed(Int)
    case saw(Int)
  }

  enum Act: Sendable {
    case send(Int)
    case note(Int)
    case set(Int)
    case count(String)
    case deliver(Int)
    case sleep(Int)
    case call
    case report
    case check
    case children
  }

  struct Run: Sendable {
    var id: String?
    var acts: [Act]
    var fails = false
    var isCatching = false
    var delay: Int?
    var debounce: Int?
    var throttle: Int?
    var timeout: Int?
    var attempts = 1
    var wholeTimeout: Int?
  }

  indirect enum Tree: Sendable {
    case run(Run)
    case send(Int)
    case cancel(String)
    case cancelAll
    case merge([Tree])
    case concatenate([Tree])
    case tree(Tree, id: String)

    var reportsState: Bool {
      switch self {
      case .run(let run): run.acts.contains { if case .report = $0 { true } else { false } }
      case .send, .cancel, .cancelAll: false
      case .merge(let parts), .concatenate(let parts): parts.contains(where: \.reportsState)
      case .tree(let content, _): content.reportsState
      }
    }
  }

  struct Broken: Error {}

  let seed: UInt64
  let overlaps: [String: Overlap]
  private(set) var effects: [Int: Tree] = [:]
  private(set) var script: [Int] = []
  private(set) var advance: Int?
  /// Chooses a number below a bound: whether a closure reports the state that it has captured, also after an error. If this is `nil`,
  /// closures report it each time, and not after an error.
  var choose: (@Sendable (Int) -> Int)?
  private var numbers: SeededNumbers
  private var left = 3

  init(seed: UInt64, size: Int = 3) {
    self.seed = seed
    numbers = SeededNumbers(seed: seed)
    let kinds: [Overlap] = [
      .concurrent, .restart, .drop, .enqueue, .keepLatest, .join, .restart(exclusive: true), .enqueue(limit: 2),
      .restart(limit: 2), .enqueue(capacity: 1, whenFull: .dropOldest), .drop(exclusive: true),
    ]
    overlaps = [
      "a": kinds[numbers.next(below: kinds.count)], "b": kinds[numbers.next(below: kinds.count)],
      "t": kinds[numbers.next(below: 5)],
    ]
    left = size
    let count = 2 + numbers.next(below: 2)
    for number in 0..<count {
      script.append(number)
      effects[number] = tree(of: 1 + numbers.next(below: 2))
    }
    // Equal actions lead to equal runs.
    if chance(3) { script[count - 1] = script[0] }
    if chance(3) { advance = 1 + numbers.next(below: 3) }
    // Actions of runs that start or cancel something.
    if chance(2) { effects[10] = chance(2) ? .cancel(anyID()) : tree(of: 1) }
  }

  private mutating func chance(_ one: Int) -> Bool { numbers.next(below: one) == 0 }
  private mutating func anyID() -> String { ["a", "b"][numbers.next(below: 2)] }

  private mutating func tree(of leaves: Int) -> Tree {
    if leaves > 1 {
      let parts = [tree(of: 1), tree(of: leaves - 1)]
      switch numbers.next(below: 6) {
      case 0, 1: return .concatenate(parts)
      case 2: return .tree(.merge(parts), id: "t")
      default: return .merge(parts)
      }
    }
    switch numbers.next(below: 9) {
    case 0: return .send(1)
    case 1: return .cancel(anyID())
    case 2 where chance(2): return .cancelAll
    default: return .run(run())
    }
  }

  private mutating func run() -> Run {
    var run = Run(id: chance(5) ? nil : anyID(), acts: [])
    for _ in 0..<(1 + numbers.next(below: 2)) where left > 0 {
      left -= 1
      run.acts.append(act())
    }
    run.fails = chance(4)
    run.isCatching = run.fails
    switch numbers.next(below: 7) {
    case 0: run.delay = 1 + numbers.next(below: 2)
    case 1 where run.id != nil: run.debounce = 1 + numbers.next(below: 2)
    case 2 where run.id != nil: run.throttle = 1 + numbers.next(below: 2)
    case 3:
      run.timeout = 1 + numbers.next(below: 2)
      run.isCatching = true
    case 4 where run.fails: run.attempts = 2
    case 5:
      run.attempts = 2
      run.timeout = 2
      run.wholeTimeout = 3
      run.isCatching = true
    default: break
    }
    return run
  }

  private mutating func act() -> Act {
    switch numbers.next(below: 12) {
    case 0: .note(numbers.next(below: 2))
    case 1: .set(numbers.next(below: 2))
    case 2: .count(anyID())
    case 3: .deliver(1)
    case 4, 5: .sleep(1 + numbers.next(below: 2))
    case 6: .call
    case 7: .report
    case 8: .check
    case 9: .children
    case 10: .send(10)
    default: .send(1)
    }
  }

  /// Whether a closure sends what it has captured of the state.
  var reportsState: Bool { effects.values.contains { $0.reportsState } }

  var description: String {
    "MeetingFeature(seed: \(seed)) script \(script) advance \(advance.map(String.init) ?? "-") \(effects) \(overlaps)"
  }

  // MARK: - As a reducer

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let former = state
    switch action {
    case .go(let number):
      state.sum += 100
      return effects[number].map { effect(of: $0, former) } ?? .none
    case .add(let number):
      state.sum += number
      return number == 10 ? effects[10].map { effect(of: $0, former) } ?? .none : .none
    case .note(let number): state.seen.insert(number)
    case .set(let number): state.newest = number
    case .count(let name): state.counts[name, default: 0] += 1
    case .failed: state.errors += 1
    case .saw(let sum): state.captured += sum
    }
    return .none
  }

  private func effect(of tree: Tree, _ state: State) -> Effect<Action> {
    switch tree {
    case .run(let run): effect(of: run, state)
    case .send(let number): .send(.add(number))
    case .cancel(let id): .cancel(id: id)
    case .cancelAll: .cancel(.everything)
    case .merge(let parts): .merge(parts.map { effect(of: $0, state) })
    case .concatenate(let parts): .concatenate(parts.map { effect(of: $0, state) })
    case .tree(let content, let id):
      effect(of: content, state).cancellable(id: id, overlap: overlaps[id] ?? .concurrent)
    }
  }

  private func effect(of run: Run, _ state: State) -> Effect<Action> {
    let overlap = run.id.flatMap { overlaps[$0] } ?? .concurrent
    let input = overlap == .join ? run.acts.count : nil
    let body: @Sendable (Send<Action>) async throws -> Void = { [choose] send in
      for act in run.acts { try await Self.perform(act, send, state, choose) }
      if run.fails { throw Broken() }
    }
    let recover: @Sendable (Send<Action>) -> Void = { [choose] send in
      send(.failed(1))
      if choose?(2) == 1 { send(.saw(state.sum)) }
    }
    var effect: Effect<Action>
    switch (run.isCatching, input) {
    case (true, let input?):
      effect = .run(id: run.id, overlap: overlap, input: input) { _, send in
        try await body(send)
      } catch: { _, send in
        recover(send)
      }
    case (true, nil):
      effect = .run(id: run.id, overlap: overlap) { send in
        try await body(send)
      } catch: { _, send in
        recover(send)
      }
    case (false, let input?):
      effect = .run(id: run.id, overlap: overlap, input: input) { _, send in try await body(send) }
    case (false, nil):
      effect = .run(id: run.id, overlap: overlap) { send in try await body(send) }
    }
    if let delay = run.delay { effect = effect.delay(for: .seconds(delay)) }
    if let debounce = run.debounce { effect = effect.debounce(for: .seconds(debounce)) }
    if let throttle = run.throttle { effect = effect.throttle(for: .seconds(throttle)) }
    if let timeout = run.timeout { effect = effect.timeout(after: .seconds(timeout)) }
    if run.attempts > 1 { effect = effect.retry(attempts: run.attempts, backoff: .constant(.seconds(1))) }
    if let timeout = run.wholeTimeout { effect = effect.timeout(after: .seconds(timeout)) }
    return effect
  }

  private static func perform(
    _ act: Act, _ send: Send<Action>, _ state: State, _ choose: (@Sendable (Int) -> Int)?
  ) async throws {
    switch act {
    case .send(let number): send(.add(number))
    case .note(let number): send(.note(number))
    case .set(let number): send(.set(number))
    case .count(let name): send(.count(name))
    case .deliver(let number):
      let wasReduced = await send.delivered(.add(number))
      send(.note(wasReduced ? 7 : 8))
    case .sleep(let seconds): try await send.sleep(for: .seconds(seconds))
    case .call: send(.add(try await Mock<Int, Int>(answering: { $0 * 2 })(3)))
    case .report where choose?(2) == 0: break
    case .report: send(.saw(state.sum + state.seen.count))
    case .check: send(.note(Task.isCancelled ? 5 : 6))
    case .children:
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...2 {
          group.addTask {
            try await send.sleep(for: .seconds(number))
            send(.set(number))
            return number
          }
        }
        return try await group.reduce(0, +)
      }
      send(.add(sum))
    }
  }
}
