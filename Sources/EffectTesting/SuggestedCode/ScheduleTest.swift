// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// A schedule as a test of a `TestStore`: the same actions, answers and deadlines in the same order.
///
/// Mocks that answer by themselves become mocks that the test answers. Such a mock starts a call as soon as its run starts, and
/// each answer is written before the first step that needs it. So the test has the order of the reductions, and not the order of
/// the jobs.
@usableFromInline
struct ScheduleTest {
  typealias Event = TraceEvent<any Sendable>

  /// The statements of the test.
  private(set) var lines: [String] = []
  /// Why the schedule cannot be written as a test; `nil` if it can.
  private(set) var obstacle: String?
  /// Whether a mock was called. Without one, the test store chooses the order of the runs.
  let hasCalls: Bool

  /// The property of the exploration that the test calls, if it calls one.
  private(set) var property: String?

  private let names: MockNames
  /// The calls that were not begun yet, by the run.
  private var calls: [UInt64: [ScheduleNotes.Call]]
  /// The runs that call a mock.
  private let callers: Set<UInt64>
  /// When the other runs started.
  private var starts: [UInt64: Duration] = [:]
  /// The calls that wait in the test, in their order.
  private var waiting: [ScheduleNotes.Call] = []
  /// The runs that have started and whose calls, if any, are not known: the schedule ended before they were made.
  private var unknown: Set<UInt64> = []
  /// How many actions of each run were reduced.
  private var sends: [UInt64: Int] = [:]
  private var time = Duration.zero

  init(of events: [Event], _ notes: ScheduleNotes, _ violation: Violation, obstacle: String?) {
    let all = notes.calls
    self.obstacle = obstacle
    hasCalls = !all.isEmpty
    calls = Dictionary(grouping: all, by: \.run)
    callers = Set(calls.keys)
    names = MockNames(of: all, in: notes.reducer)
    for mock in names.mocks { lines.append("let \(mock.name) = \(mock.type)()") }
    if let code = notes.initialState {
      if names.reducer == nil { lines.append("// `reducer`: that of the exploration, with the mocks above") }
      lines.append("let store = TestStore(initialState: \(code), reducer: \(names.reducer ?? "reducer"))")
    } else {
      stop("the initial state cannot be written as code")
    }
    play(events, notes.changes)
    close(violation)
  }

  private mutating func stop(_ reason: String) { obstacle = obstacle ?? reason }

  // MARK: - Steps

  /// Writes the step of each event, until one cannot be written.
  private mutating func play(_ events: [Event], _ changes: [ChangeCode]) {
    var changes = changes.makeIterator()
    for event in events {
      if obstacle != nil { return }
      switch event.kind {
      case .reduced(let action, let source):
        guard let change = changes.next() else { return stop("it is too long") }
        letTimePass(to: event.time)
        add(action, source, change)
      case .run(let run, .started(let attempt)):
        if attempt > 1 { sends[run.number] = 0 }
        begin(run, at: event.time)
      case .run(let run, .ended(let outcome)):
        end(run, outcome, at: event.time)
      case .lost:
        stop("it is too long")
      default:
        break
      }
    }
  }

  private mutating func letTimePass(to instant: Duration) {
    guard instant > time else { return }
    lines.append("store.advance(by: \(FailureText.literal(instant.subtracting(time))))")
    time = instant
  }

  private mutating func add(_ action: any Sendable, _ source: TraceSource, _ change: ChangeCode) {
    if case .run(let run?) = source {
      if !callers.contains(run.number), starts[run.number] == time {
        return stop(
          "\(run.description) at \(run.description.site) calls no mock, so a test cannot choose when it sends")
      }
      let count = sends[run.number] ?? 0
      answer(run) { $0.sendsBefore <= count }
      sends[run.number] = count + 1
    }
    guard change.isUnchanged || !change.isEmpty && change.unwritten.isEmpty else {
      return stop("a change of the state cannot be written as code")
    }
    var step: String?
    if case .user = source {
      step = SwiftLiteral.of(action).code.map { "store.send(\($0))\(change.isUnchanged ? "" : " \(change.closure)")" }
    } else {
      step = FailureText.receive(action, change)
    }
    guard let step else { return stop("\(FailureText.brief(action)) cannot be written as code") }
    lines += step.split(separator: "\n").map(String.init)
  }

  /// A run has started, and makes its first call.
  private mutating func begin(_ run: TraceRun, at instant: Duration) {
    if next(of: run) { return }
    unknown.insert(run.number)
    starts[run.number] = instant
  }

  /// A run makes its next call. Returns whether it has one.
  private mutating func next(of run: TraceRun) -> Bool {
    guard let call = calls[run.number]?.first else { return false }
    calls[run.number]?.removeFirst()
    waiting.append(call)
    return true
  }

  private mutating func end(_ run: TraceRun, _ outcome: EffectOutcome, at instant: Duration) {
    unknown.remove(run.number)
    switch outcome {
    case .finished, .handled, .failed:
      letTimePass(to: instant)
      answer(run) { _ in true }
    case .cancelled, .dropped:
      waiting.removeAll { $0.run == run.number }
      calls[run.number] = nil
    }
  }

  /// Answers the calls of a run, one after another, as long as `isDue`.
  private mutating func answer(_ run: TraceRun, while isDue: (ScheduleNotes.Call) -> Bool) {
    var hasAnswered = false
    while obstacle == nil, let index = waiting.firstIndex(where: { $0.run == run.number }), isDue(waiting[index]) {
      // The run goes on to its next call only in a step that waits for it.
      if hasAnswered { lines.append("await store.settle()") }
      hasAnswered = true
      answer(at: index)
      _ = next(of: run)
    }
  }

  private mutating func answer(at index: Int) {
    let call = waiting.remove(at: index)
    var arguments: [String] = []
    switch call.result {
    case .success(let output):
      if !(output is Void) {
        guard let code = SwiftLiteral.of(output).code else { return stop("an answer cannot be written as code") }
        arguments.append(code)
      }
    case .failure(let error):
      guard let code = Self.code(error) else { return stop("an error of a mock cannot be written as code") }
      arguments.append("throwing: \(code)")
    }
    let others = waiting.filter { $0.mock === call.mock }
    if !others.isEmpty || !unknown.isEmpty {
      let position = waiting[..<index].count { $0.mock === call.mock }
      if call.input is any Equatable, let input = SwiftLiteral.of(call.input).code {
        let isFirst = !others.prefix(position).contains { SwiftLiteral.of($0.input).code == input }
        arguments.append(isFirst ? "where: { $0 == \(input) }" : "at: \(position)")
      } else if position > 0 {
        arguments.append("at: \(position)")
      }
    }
    lines.append("\(names[call.mock]).answer(\(arguments.joined(separator: ", ")))")
  }

  /// An error with its type: the parameter is `any Error`.
  private static func code(_ error: any Error) -> String? {
    guard let code = SwiftLiteral.of(error).code else { return nil }
    if code.hasPrefix(".init(") { return "\(SwiftNames.ofType(type(of: error)))\(code.dropFirst(5))" }
    return code.hasPrefix(".") ? "\(SwiftNames.ofType(type(of: error)))\(code)" : nil
  }

  /// The step at which the test fails.
  private mutating func close(_ violation: Violation) {
    var isInFlight = false
    switch violation.label {
    case "always":
      property = "always"
      isInFlight = !waiting.isEmpty || !unknown.isEmpty
    case "finally", "eventually":
      property = violation.label
      lines.append("await store.finish()")
    case "nothingRunsAtTheEnd", "noDeadlock": lines.append("await store.finish()")
    default: break
    }
    if let property { lines.append("#expect(\(property)(store.state))") }
    if isInFlight { lines.append("store.cancelInFlight()") }
  }
}

/// The mocks of a schedule, as constants of a test, and the reducer that has them.
private struct MockNames {
  private(set) var mocks: [(mock: any AnsweredMock, name: String, type: String)] = []
  /// The call that makes the reducer; `nil` if it cannot be written.
  private(set) var reducer: String?

  init(of calls: [ScheduleNotes.Call], in reducer: ReducerCode) {
    let properties = reducer.properties ?? []
    for call in calls where !mocks.contains(where: { $0.mock === call.mock }) {
      let words = call.mock.words
      let fitting = properties.filter { $0.type == words.call }
      let property = fitting.first { $0.label == words.name } ?? (fitting.count == 1 ? fitting[0] : nil)
      let name = property?.label ?? words.name ?? "mock"
      let count = mocks.count { $0.name.hasPrefix(name) }
      mocks.append((call.mock, count == 0 ? name : "\(name)\(count + 1)", words.type))
    }
    var arguments: [String] = []
    for property in properties {
      if let mock = mocks.first(where: { $0.name == property.label && $0.mock.words.call == property.type }) {
        arguments.append("\(property.label): \(mock.name).callAsFunction")
      } else if let code = property.code {
        arguments.append("\(property.label): \(code)")
      } else {
        return
      }
    }
    if reducer.properties != nil { self.reducer = "\(reducer.type)(\(arguments.joined(separator: ", ")))" }
  }

  subscript(mock: any AnsweredMock) -> String { mocks.first { $0.mock === mock }?.name ?? "mock" }
}
