// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// What a ``ScheduleTest`` needs of a schedule in addition to its events: how each action changed the state, and which calls
/// of mocks were answered. Kept only while a failure is explained.
@usableFromInline
final class ScheduleNotes: Sendable {
  /// A call of a mock that answers by itself.
  struct Call: Sendable {
    /// The number of the run that made the call.
    let run: UInt64
    /// How many actions the run had sent before the call.
    let sendsBefore: Int
    let mock: any AnsweredMock
    let input: any Sendable
    let result: Result<any Sendable, any Error>
    /// When it was made.
    let time: Duration
  }

  struct Noted: Sendable {
    /// The calls, in their order.
    var calls: [Call] = []
    /// The changes of the state, one for each reduced action, in their order.
    var changes: [ChangeCode] = []
    /// How many actions were reduced when `always` was violated.
    var violation: Int?
    /// Why the schedule cannot be written as a test.
    var obstacle: String?
    fileprivate var numbers: [Token: UInt64] = [:]
    fileprivate var sends: [Token: Int] = [:]
    /// The runs whose last call was not answered yet.
    fileprivate var open: Set<Token> = []
  }

  private let content = Lock(Noted())
  private let clock: TestClock
  /// The initial state, as code.
  let initialState: SwiftLiteral.Result
  let reducer: ReducerCode

  init<R: Reducer>(_ initialState: R.State, _ reducer: R, _ clock: TestClock) {
    // It is a line of a test that is pasted, and the only place for it. A proposed step has to be shorter.
    self.initialState = SwiftLiteral.of(initialState, limit: 2_000)
    self.reducer = ReducerCode(reducer)
    self.clock = clock
    if !(initialState is any Equatable) { stop("its state is not `Equatable`") }
  }

  var noted: Noted { content.withLock { $0 } }

  // MARK: - Taking notes

  func noteStart(of token: Token, number: UInt64) {
    content.withLock { $0.numbers[token] = number }
  }

  @usableFromInline
  func noteSend(by token: Token) {
    content.withLock { $0.sends[token, default: 0] += 1 }
  }

  func noteChange(from old: Any, to new: Any) {
    let change = ChangeCode(from: old, to: new)
    content.withLock { $0.changes.append(change) }
  }

  func noteViolation() {
    content.withLock { $0.violation = $0.violation ?? $0.changes.count }
  }

  /// Something happens that a test store does not do in the same way.
  func stop(_ reason: String) {
    content.withLock { $0.obstacle = $0.obstacle ?? reason }
  }
}

extension ScheduleNotes: AnsweredCallsListener {
  func callBegins(
    of mock: any AnsweredMock, _ input: any Sendable, _ result: Result<any Sendable, any Error>, in run: Token
  ) {
    let time = clock.offset
    content.withLock { noted in
      guard let number = noted.numbers[run] else { return }
      if !noted.open.insert(run).inserted { noted.obstacle = "a run makes two calls at once" }
      noted.calls.append(
        Call(
          run: number, sendsBefore: noted.sends[run] ?? 0, mock: mock, input: input, result: result, time: time))
    }
  }

  func callEnds(in run: Token) {
    _ = content.withLock { $0.open.remove(run) }
  }
}

/// The call that makes a reducer, as far as reflection shows it.
struct ReducerCode: Sendable {
  struct Property: Sendable {
    let label: String
    /// Its value as code; `nil` if it cannot be written.
    let code: String?
    let type: Any.Type
  }

  let type: String
  /// The stored properties of a struct; `nil` for any other type.
  let properties: [Property]?

  init(_ reducer: Any) {
    type = SwiftNames.ofType(Swift.type(of: reducer))
    let mirror = Mirror(reflecting: reducer)
    guard mirror.displayStyle == .struct, !(reducer is any CustomReflectable) else {
      properties = nil
      return
    }
    var properties: [Property]? = []
    for child in mirror.children {
      guard let label = child.label, SwiftNames.isWritable(label) else {
        properties = nil
        break
      }
      properties?.append(
        Property(label: label, code: SwiftLiteral.of(child.value).code, type: Swift.type(of: child.value)))
    }
    self.properties = properties
  }
}
