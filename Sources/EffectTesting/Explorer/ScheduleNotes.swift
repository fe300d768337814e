// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

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

  /// The notes of the explored stores of which notes are kept, by the number of the mailbox.
  private static let book = Lock<[UInt64: ScheduleNotes]>([:])
  private static let count = Atomic<Int>(0)

  private let content = Lock(Noted())
  private let clock: TestClock
  /// The initial state, as code.
  let initialState: String?
  let reducer: ReducerCode

  init<R: Reducer>(_ initialState: R.State, _ reducer: R, _ clock: TestClock) {
    self.initialState = SwiftLiteral.of(initialState).code
    self.reducer = ReducerCode(reducer)
    self.clock = clock
    if !(initialState is any Equatable) { stop("its state is not `Equatable`") }
  }

  var noted: Noted { content.withLock { $0 } }

  // MARK: - Taking notes

  func begin(for store: UInt64) {
    Self.book.withLock { $0[store] = self }
    Self.count.add(1, ordering: .relaxed)
  }

  static func end(for store: UInt64) {
    if book.withLock({ $0.removeValue(forKey: store) }) != nil { count.subtract(1, ordering: .relaxed) }
  }

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

  /// A call was answered.
  static func noteAnswer() {
    guard let (notes, run) = current else { return }
    _ = notes.content.withLock { $0.open.remove(run.token) }
  }

  /// The notes of the store whose run the current task belongs to.
  private static var current: (ScheduleNotes, CurrentRun)? {
    // Nearly always no failure is being explained.
    guard count.load(ordering: .relaxed) > 0, let run = CurrentRun.identity,
      let notes = book.withLock({ $0[run.store] })
    else { return nil }
    return (notes, run)
  }

  /// A mock has determined the answer to a call of the current task.
  static func note<Input: Sendable, Output: Sendable>(
    _ mock: any AnsweredMock, _ input: Input, _ result: Result<Output, any Error>
  ) {
    guard let (notes, run) = current else { return }
    let time = notes.clock.offset
    notes.content.withLock { noted in
      guard let number = noted.numbers[run.token] else { return }
      if !noted.open.insert(run.token).inserted { noted.obstacle = "a run makes two calls at once" }
      noted.calls.append(
        Call(
          run: number, sendsBefore: noted.sends[run.token] ?? 0, mock: mock, input: input,
          result: result.map { $0 as any Sendable }, time: time))
    }
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
      guard let label = child.label, SwiftNames.isIdentifier(label), !label.hasPrefix("_") else {
        properties = nil
        break
      }
      properties?.append(
        Property(label: label, code: SwiftLiteral.of(child.value).code, type: Swift.type(of: child.value)))
    }
    self.properties = properties
  }
}
