// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectTesting

/// A small concurrent program, derived from a seed, and its schedules: an oracle for the reduction that knows neither
/// effects nor footprints. Threads execute acts; each act uses some of three variables.
struct StepModel: CustomStringConvertible {
  enum Act: Equatable {
    case use(Set<Int>)
    /// Puts a message behind those that wait; uses variable 1.
    case post
    /// Takes the oldest message, and is possible only if there is one; uses variable 0.
    case take
    /// Chooses one of two numbers, each with the variables that are used then.
    case choose(Set<Int>, Set<Int>)
    /// Makes another thread ready; uses variable 2.
    case start(Int)
  }

  private(set) var threads: [[Act]] = []
  /// The threads that are ready from the beginning.
  private(set) var first = 0

  init(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    first = 2 + numbers.next(below: 2)
    let waiting = numbers.next(below: 2)
    var left = 5 + numbers.next(below: 3)
    for thread in 0..<first + waiting {
      let count = thread == first + waiting - 1 ? min(left, 2) : min(left, 1 + numbers.next(below: 3))
      left -= count
      threads.append((0..<count).map { _ in Self.act(&numbers) })
    }
    if waiting > 0 { threads[numbers.next(below: first)].append(.start(first)) }
  }

  private static func act(_ numbers: inout SeededNumbers) -> Act {
    func variables() -> Set<Int> { Set([numbers.next(below: 3)]).union(numbers.next(below: 3) == 0 ? [0] : []) }
    switch numbers.next(below: 8) {
    case 0, 1: return .post
    case 2: return .take
    case 3: return .choose(variables(), variables())
    default: return .use(variables())
    }
  }

  var description: String { "\(threads)" }

  /// An act that was executed.
  struct Event: Hashable, CustomStringConvertible {
    var thread: Int
    var place: Int
    var number: Int?

    var description: String { "\(thread).\(place)\(number.map { "(\($0))" } ?? "")" }
  }

  private func variables(of event: Event) -> Set<Int> {
    switch threads[event.thread][event.place] {
    case .use(let variables): variables
    case .post: [1]
    case .take: [0]
    case .start: [2]
    case .choose(let zero, let one): event.number == 0 ? zero : one
    }
  }

  /// What all schedules of a class have in common: the events, and the order of those that use a variable in common, or
  /// belong to one thread.
  func order(of events: [Event]) -> Set<String> {
    var pairs = Set(events.map { "\($0)" })
    for (index, event) in events.enumerated() {
      for later in events[(index + 1)...]
      where event.thread == later.thread || !variables(of: event).isDisjoint(with: variables(of: later)) {
        pairs.insert("\(event)<\(later)")
      }
    }
    return pairs
  }

  /// All schedules of a strategy that were played to their end. With `forgotten`, this variable is missing in what the
  /// strategy gets.
  func schedules(_ strategy: some Strategy, forgotten: Int? = nil) -> (complete: [[Event]], redundant: Int) {
    var strategy = strategy
    var complete: [[Event]] = []
    var redundant = 0
    while strategy.begin() {
      if let events = play(&strategy, forgotten) { complete.append(events) } else { redundant += 1 }
    }
    return (complete, redundant)
  }

  private func play(_ strategy: inout some Strategy, _ forgotten: Int?) -> [Event]? {
    var places = threads.map { _ in 0 }
    var isReady = threads.indices.map { $0 < first }
    var messages = 0
    var events: [Event] = []
    while true {
      let ready = threads.indices.filter { thread in
        guard isReady[thread], places[thread] < threads[thread].count else { return false }
        return threads[thread][places[thread]] != .take || messages > 0
      }
      if ready.isEmpty { return events }
      let options = ready.enumerated().map { index, thread in
        ScheduleOption(
          step: ScheduleStep(kind: .job, index: Int32(index)), agent: Int32(thread),
          job: Int32(100 * thread + places[thread]))
      }
      if strategy.recordsSteps, strategy.isRedundant(options) { return nil }
      let thread = ready[strategy.choose(among: options, last: ScheduleAgent.none) ?? 0]
      var event = Event(thread: thread, place: places[thread])
      let isRecorded = strategy.recordsSteps && strategy.recordsChoice
      switch threads[thread][places[thread]] {
      case .use: break
      case .post: messages += 1
      case .take: messages -= 1
      case .start(let other): isReady[other] = true
      case .choose:
        let numbers = (0..<2).map { number in
          ScheduleOption(step: ScheduleStep(kind: .choice, index: Int32(number)), agent: ScheduleAgent.none)
        }
        event.number = strategy.choose(among: numbers, last: ScheduleAgent.none)
      }
      places[thread] += 1
      events.append(event)
      if isRecorded {
        let footprint = variables(of: event).filter { $0 != forgotten }.map { Footprint(rawValue: 1 << UInt8($0)) }
        strategy.note(StepRecord(footprint: Footprint(footprint)))
      }
    }
  }
}
