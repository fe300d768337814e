// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// A schedule as a test of a `TestStore`: the same actions, answers and deadlines in the same order.
///
/// Mocks that answer by themselves become mocks that the test answers. Such a mock starts a call as soon as its run starts, and
/// each answer is written before the first step that needs it. So the test has the order of the reductions, and not the order of
/// the jobs.
///
/// In a test store a run goes on until it waits. Where the schedule depends on a run that has stopped elsewhere, there is no such
/// test, and ``obstacle`` is the reason.
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

  /// A run that has started and not ended.
  private struct Run {
    let description: EffectRun
    /// The calls that it has not begun.
    var calls: [ScheduleNotes.Call] = []
    /// How many of its actions were reduced since it started, or since it was started again.
    var sends = 0
    /// How many lines there were when it last went on: when it started, was answered, or when its last action was received.
    var goesOn = 0
    /// When that was.
    var moment: Duration
    /// When it wakes.
    var wakes: Duration?
    /// Whether it has failed, so that its `catch` goes on at once.
    var isFailing = false
    let isCaller: Bool
    var name: String { "\(description) at \(description.site)" }
  }

  private let names: MockNames
  private let calls: [UInt64: [ScheduleNotes.Call]]
  private var active: [UInt64: Run] = [:]
  /// The calls that wait in the test, in their order.
  private var waiting: [ScheduleNotes.Call] = []
  private var time = Duration.zero
  /// Whether a mock was answered since the last step: the run has not gone on yet.
  private var needsStep = false

  init(of events: [Event], _ notes: ScheduleNotes, _ violation: Violation, obstacle: String?) {
    let noted = notes.noted
    self.obstacle = obstacle ?? noted.obstacle
    hasCalls = !noted.calls.isEmpty
    calls = Dictionary(grouping: noted.calls, by: \.run)
    names = MockNames(of: noted.calls, in: notes.reducer)
    for mock in names.mocks {
      // The name of the property says where it belongs; without one, the run that has called it does.
      let caller = mock.isNamed ? nil : noted.calls.first { $0.mock === mock.mock }.flatMap { Self.caller($0, events) }
      lines.append("let \(mock.name) = \(mock.type)()\(caller.map { "  // called by \($0)" } ?? "")")
    }
    switch notes.initialState {
    case .code(let code):
      if names.reducer == nil { lines.append("// `reducer`: that of the exploration, with the mocks above") }
      lines.append("let store = TestStore(initialState: \(code), reducer: \(names.reducer ?? "reducer"))")
    case .tooLong: stop("the initial state has more than 2,000 characters as code")
    case .none: stop("the initial state cannot be written as code")
    }
    // Later actions of the same turn may lead to a state that violates nothing.
    play(events, violation.label == "always" ? Array(noted.changes.prefix(noted.violation ?? .max)) : noted.changes)
    close(violation)
  }

  private mutating func stop(_ reason: String) { obstacle = obstacle ?? reason }

  // MARK: - Events

  /// Writes the steps of each event, until one cannot be written, or until all changes are written.
  private mutating func play(_ events: [Event], _ changes: [ChangeCode]) {
    var changes = changes[...]
    for event in events {
      if obstacle != nil { return }
      switch event.kind {
      case .reduced(let action, let source):
        guard let change = changes.popFirst() else { return }
        letTimePass(to: event.time)
        add(action, source, change)
      case .run(let run, let what):
        note(what, of: run, at: event.time)
      case .lost:
        return stop("it is too long")
      default:
        break
      }
    }
    if !changes.isEmpty { stop("it is too long") }
  }

  private mutating func note(_ event: TraceRun.Event, of run: TraceRun, at instant: Duration) {
    switch event {
    case .registered, .joined: checkEnds(before: run)
    case .started:
      letTimePass(to: instant)
      let former = active[run.number]
      active[run.number] = Run(
        description: run.description, calls: former?.calls ?? calls[run.number] ?? [], goesOn: lines.count,
        moment: time, isFailing: former?.isFailing ?? false, isCaller: calls[run.number] != nil)
      next(of: run.number)
    case .sleeping(let until):
      if let own = active[run.number], instant != own.moment, instant != own.wakes {
        stop("\(own.name) goes on later than in a `TestStore`")
      }
      active[run.number]?.wakes = until
      if calls[run.number]?.contains(where: { $0.time <= instant }) == true {
        stop("a run sleeps after, or beside, a call of a mock")
      }
    case .attemptFailed(let error, let next):
      if case .retry = next, calls[run.number] != nil { return stop("a run that calls a mock is tried again") }
      endAttempt(run.number, isAnswered: !(error is EffectTimeout), at: instant)
      active[run.number]?.isFailing = true
    case .ended(let outcome):
      if case .dropped = outcome { checkEnds(before: run) }
      end(run, outcome, at: instant)
    case .returned:
      break
    }
  }

  private mutating func end(_ run: TraceRun, _ outcome: EffectOutcome, at instant: Duration) {
    switch outcome {
    case .finished: endAttempt(run.number, isAnswered: true, at: instant)
    case .handled(let error), .failed(let error):
      endAttempt(run.number, isAnswered: !(error is EffectTimeout), at: instant)
    case .cancelled, .dropped:
      if let own = active[run.number] { checkBeginning(of: own) }
      endAttempt(run.number, isAnswered: false)
    }
    active[run.number] = nil
  }

  /// Nothing more is called in this attempt of a run. What has been called was answered, or was cancelled.
  private mutating func endAttempt(_ run: UInt64, isAnswered: Bool, at instant: Duration? = nil) {
    if isAnswered {
      if let instant { letTimePass(to: instant) }
      answer(run) { _ in true }
    } else {
      waiting.removeAll { $0.run == run }
    }
  }

  // MARK: - What a test store does not do

  /// In a test store a run has ended as soon as it has nothing to do any more. Another one of its id starts then.
  private mutating func checkEnds(before run: TraceRun) {
    guard let id = run.description.id, ![.concurrent, .restart].contains(run.description.overlap.name) else { return }
    for (number, other) in active where number != run.number && other.description.id == id && other.isCaller {
      if other.calls.isEmpty, !waiting.contains(where: { $0.run == number }) {
        stop("another run of its id starts, or is dropped, before the end of \(other.name) is taken")
      }
    }
  }

  /// In a test store a run begins at once. What it does then is not known if the schedule has not come to that.
  private mutating func checkBeginning(of run: Run) {
    let hasBegun = run.isCaller || run.sends > 0 || run.wakes != nil || run.goesOn == lines.count
    if !hasBegun { stop("other steps come before \(run.name) begins") }
  }

  /// In a test store a run that wakes, or whose `catch` follows, goes on at once, and its action is received first.
  private mutating func checkOthers(before sender: UInt64?) {
    for (number, run) in active where number != sender {
      let isAwake = run.wakes.map { $0 <= time } ?? false
      let isWaiting = waiting.contains { $0.run == number && $0.sendsBefore <= run.sends }
      if run.isFailing || isAwake && !isWaiting { stop("other steps come before \(run.name) goes on") }
    }
  }

  // MARK: - Steps

  private mutating func write(_ step: String) {
    lines += step.split(separator: "\n").map(String.init)
    needsStep = false
  }

  private mutating func letTimePass(to instant: Duration) {
    guard instant > time else { return }
    write("store.advance(by: \(SwiftLiteral.duration(instant.subtracting(time))))")
    time = instant
  }

  private mutating func add(_ action: any Sendable, _ source: TraceSource, _ change: ChangeCode) {
    let isWhole = change.unwritten.isEmpty && !change.statements.contains { $0.hasPrefix("//") }
    guard isWhole else { return stop("a change of the state cannot be written as code") }
    switch source {
    case .user:
      checkOthers(before: nil)
      guard let code = SwiftLiteral.of(action).code else { return stop(Self.unwritten(action)) }
      write("store.send(\(code))\(change.isUnchanged ? "" : " \(change.closure)")")
    case .run(let run?):
      checkOthers(before: run.number)
      active[run.number]?.isFailing = false
      let sends = active[run.number]?.sends ?? 0
      let isAnswered = answer(run.number) { $0.sendsBefore <= sends }
      if !isAnswered, let own = active[run.number], !goesOn(own) {
        return stop("\(own.name) sends without an answer of a mock, so a test cannot choose when")
      }
      receive(action, change)
      active[run.number]?.sends += 1
      active[run.number]?.goesOn = lines.count
      active[run.number]?.moment = time
      active[run.number]?.wakes = nil
    case .run, .followUp:
      receive(action, change)
    }
  }

  private mutating func receive(_ action: any Sendable, _ change: ChangeCode) {
    guard let step = FailureText.receive(action, change) else { return stop(Self.unwritten(action)) }
    write(step.text)
  }

  private static func unwritten(_ action: any Sendable) -> String {
    "\(FailureText.brief(action)) cannot be written as code"
  }

  /// Whether a run goes on at this line by itself: nothing was written since it could, or it wakes now, as the first one.
  private func goesOn(_ run: Run) -> Bool {
    run.goesOn == lines.count || run.wakes == time && lines.last?.hasPrefix("store.advance(") == true
  }

  // MARK: - Answers

  /// A run makes its next call, if it has one.
  private mutating func next(of run: UInt64) {
    guard let call = active[run]?.calls.first else { return }
    active[run]?.calls.removeFirst()
    waiting.append(call)
  }

  /// Answers the calls of a run, one after another, as long as `isDue`. Returns whether there was one.
  @discardableResult
  private mutating func answer(_ run: UInt64, while isDue: (ScheduleNotes.Call) -> Bool) -> Bool {
    var hasAnswered = false
    while obstacle == nil, let index = waiting.firstIndex(where: { $0.run == run }), isDue(waiting[index]) {
      // A run that was answered goes on, and may make the next call, only in a step that waits for it.
      if needsStep { write("await store.settle()") }
      hasAnswered = true
      answer(at: index)
      next(of: run)
    }
    return hasAnswered
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
    // Not those of runs that sleep first.
    let others = waiting.filter { $0.mock === call.mock && $0.run != call.run && !isAsleep($0.run) }
    if !others.isEmpty {
      let input = call.input is any Equatable ? SwiftLiteral.of(call.input).code : nil
      let isOne = input != nil && !others.contains { SwiftLiteral.of($0.input).code == input }
      guard isOne, let input else {
        return stop("several calls of `\(names[call.mock])` wait that cannot be distinguished")
      }
      arguments.append("where: { $0 == \(input) }")
    }
    lines.append("\(names[call.mock]).answer(\(arguments.joined(separator: ", ")))")
    needsStep = true
  }

  private static func caller(_ call: ScheduleNotes.Call, _ events: [Event]) -> String? {
    for event in events {
      if case .run(let run, _) = event.kind, run.number == call.run { return "the run at \(run.description.site)" }
    }
    return nil
  }

  private func isAsleep(_ run: UInt64) -> Bool { active[run]?.wakes.map { $0 > time } ?? false }

  /// An error with its type: the parameter is `any Error`.
  private static func code(_ error: any Error) -> String? {
    guard let code = SwiftLiteral.of(error).code else { return nil }
    if code.hasPrefix(".init(") { return "\(SwiftNames.ofType(type(of: error)))\(code.dropFirst(5))" }
    return code.hasPrefix(".") ? "\(SwiftNames.ofType(type(of: error)))\(code)" : nil
  }

  // MARK: - The end

  /// The step at which the test fails.
  private mutating func close(_ violation: Violation) {
    for run in active.values { checkBeginning(of: run) }
    switch violation.label {
    case "always": property = "always"
    case "finally", "eventually":
      property = violation.label
      write(active.isEmpty ? "await store.finish()" : "await store.settle()")
    case "nothingRunsAtTheEnd", "noDeadlock", "uncaught error": write("await store.finish()")
    default: stop("a test has no step for this kind of violation")
    }
    guard let property else { return }
    lines.append("#expect(\(property)(store.state))")
    if !active.isEmpty {
      lines.append("store.exhaustivity = .off  // the rest is not checked")
    }
  }
}

/// The mocks of a schedule, as constants of a test, and the reducer that has them.
private struct MockNames {
  private(set) var mocks: [(mock: any AnsweredMock, name: String, type: String, isNamed: Bool)] = []
  /// The call that makes the reducer; `nil` if it cannot be written.
  private(set) var reducer: String?

  init(of calls: [ScheduleNotes.Call], in reducer: ReducerCode) {
    let properties = reducer.properties ?? []
    for call in calls where !mocks.contains(where: { $0.mock === call.mock }) {
      let words = call.mock.words
      let fitting = properties.filter { words.isCalled(by: $0.type) }
      let property = fitting.first { $0.label == words.name } ?? (fitting.count == 1 ? fitting[0] : nil)
      let known = property?.label ?? words.name
      let name = known ?? "mock"
      let count = mocks.count { $0.name.hasPrefix(name) } + (name == "store" ? 1 : 0)
      mocks.append((call.mock, count == 0 ? name : "\(name)\(count + 1)", words.type, known != nil))
    }
    var arguments: [String] = []
    var count = 0
    for property in properties {
      if let mock = mocks.first(where: { $0.name == property.label && $0.mock.words.isCalled(by: property.type) }) {
        count += 1
        arguments.append("\(property.label): \(mock.name).callAsFunction")
      } else if let code = property.code {
        arguments.append("\(property.label): \(code)")
      } else {
        return
      }
    }
    // A mock that the reducer does not have as a property is somewhere else.
    if reducer.properties != nil, count == mocks.count {
      self.reducer = "\(reducer.type)(\(arguments.joined(separator: ", ")))"
    }
  }

  subscript(mock: any AnsweredMock) -> String { mocks.first { $0.mock === mock }?.name ?? "mock" }
}
