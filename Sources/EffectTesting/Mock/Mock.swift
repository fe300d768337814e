// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A dependency whose calls wait until the test answers them, in the order that the test chooses.
///
/// ```swift
/// @Test func theSecondTapIsIgnored() async {
///   let save = Mock<String, Void>()
///   let store = TestStore(initialState: .init(), reducer: Bookmarks(save: save.callAsFunction))
///   store.send(.saveTapped("swift"))
///   store.send(.saveTapped("swift"))
///   #expect(save.pending == ["swift"])
///   save.answer()
///   await store.receive(.saved("swift")) { $0.saved = ["swift"] }
///   await store.finish()
/// }
/// ```
///
/// It takes one argument (`Mock<String, [Item]>`), none (`Mock<Void, Int>`) or several as a tuple
/// (`Mock<(String, Int), [Item]>`, called as `mock((text, page))`). Give a feature the closure `mock.callAsFunction`.
///
/// In a ``TestStore``, a run that waits for a mock is treated like a run that sleeps on the test's clock: no step waits for it
/// in real time, and failures name the call. It is the same if only a child task of the run has made the call. In `explore`
/// no test code is executed between two steps, so use a mock that answers by itself there; see
/// ``init(answering:fileID:filePath:line:column:)``.
///
/// - Ordering: a call is pending as soon as its run has made it, which is before the step of the test returns. An answer
///   resumes the run; the run goes on at the next step of its test store. Under a real store it goes on at once, on its
///   own thread.
/// - Cancellation: a call whose task is cancelled throws `CancellationError` at once and is no longer pending.
/// - Isolation: usable from any thread, and from within its own calls. A call ends once: by an answer or by a cancel,
///   whichever comes first.
/// - Errors: an answer without a call that waits for it is a failure of the test, at its line.
public final class Mock<Input: Sendable, Output: Sendable>: Sendable {
  private typealias Reply = MockReply<Output>

  private let calls = Lock(CallBook<Input, Reply>())
  /// Answers that no call waited for, which is a failure each. A call that the test does not answer gets one of them, so
  /// that the failure has no consequences.
  private let early = Lock<[Result<Output, any Error>]>([])
  private let answering: (@Sendable (Input) throws -> Output)?
  private let location: TestLocation

  /// Makes a mock whose calls wait for ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// Make one for each test. Calls of all stores that share it are listed together.
  ///
  /// - Parameters:
  ///   - fileID: the place that failures name.
  ///   - filePath: likewise.
  ///   - line: likewise.
  ///   - column: likewise.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    answering = nil
    location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a mock that answers by itself. For `explore`, which tries all orders of the answers:
  ///
  /// ```swift
  /// await explore(initialState: .init(), reducer: Search(find: Mock(answering: { [$0] }).callAsFunction)) { script in
  ///   script.send(.queryChanged("s"))
  ///   script.send(.queryChanged("swift"))
  /// } always: { $0.results.isEmpty || $0.results == [$0.query] }
  /// ```
  ///
  /// Such a mock has no pending calls and no state, so schedules may share it. Objects with state that the closure captures
  /// must be made again for each schedule.
  ///
  /// - Parameters:
  ///   - answer: called once for each call, when the call is made, on the thread of the caller. It is not called in a
  ///     cancelled task. The call returns its value or throws its error in a later job, so other steps may come in between.
  ///   - fileID: the place that failures name.
  ///   - filePath: likewise.
  ///   - line: likewise.
  ///   - column: likewise.
  public init(
    answering answer: @escaping @Sendable (Input) throws -> Output, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    answering = answer
    location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a mock that must not be called: each call fails the test, also in `explore`.
  ///
  /// ```swift
  /// let store = TestStore(initialState: .init(), reducer: Search(find: Mock.unexpected().callAsFunction))
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: the place that the failure names, and at which it is shown except in `explore`.
  ///   - filePath: likewise.
  ///   - line: likewise.
  ///   - column: likewise.
  /// - Returns: a mock whose calls throw `CancellationError` after they have failed the test. What their run does then, as its
  ///   `catch`, is no further failure. In `explore` the schedule ends there.
  /// - Isolation: as any mock. A call in a cancelled task throws, and is no failure.
  public static func unexpected(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Mock {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    return Mock(
      answering: { input in
        let input = Input.self == Void.self ? nil : FailureText.brief(input)
        let name = name(at: location) ?? "mock"
        let advice = "`let \(name) = \(typeText)()`, and answer the call: \(step(at: 0, of: name))"
        Reporter.report(FailureText.unexpectedCall(input, at: location, advice), at: location)
        throw CancellationError()
      }, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The inputs of the calls that wait, in the order of the calls.
  ///
  /// - Complexity: O(*n*) in the number of these calls.
  public var pending: [Input] {
    calls.withLock { $0.pending }.map(\.input)
  }

  /// Suspends until at least `count` calls wait, or until the calling task is cancelled.
  ///
  /// For a mock under a real store, which works on other threads:
  ///
  /// ```swift
  /// let store = Store(initialState: .init(), reducer: Search(find: search.callAsFunction))
  /// store.send(.queryChanged("swift"))
  /// await search.pending(atLeast: 1)
  /// search.answer(["SWIFT"])
  /// ```
  ///
  /// In a `TestStore` a call of a run, or of a task that it has made, is pending when the step returns. So there you need this only
  /// for a call on another executor, such as the main actor.
  ///
  /// - Parameter count: how many calls must wait. With 0 or less it returns at once.
  public func pending(atLeast count: Int) async {
    let waiter = Waiter()
    guard calls.withLock({ $0.watch(count, waiter) }) else { return }
    await withTaskCancellationHandler {
      _ = await waiter.wait()
    } onCancel: {
      calls.withLock { $0.removeWatcher(waiter) }
      waiter.answer(false)
    }
  }

  // MARK: - Calling

  /// Calls the mock, and suspends until the test answers this call, or until the mock has answered by itself.
  ///
  /// - Parameter input: the argument of the call, shown in ``pending`` and in failures.
  /// - Returns: the answer.
  /// - Throws: the error of ``answer(throwing:at:fileID:filePath:line:column:)``, or of the closure of a mock that answers by
  ///   itself; `CancellationError` at once if the task is cancelled, also if it was cancelled before the call.
  public func callAsFunction(_ input: Input) async throws -> Output {
    if let answering { return try await answered(input, by: answering) }
    try Task.checkCancellation()
    let run = CurrentRun.identity
    let reply = Reply(of: run)
    let number = AwaitedAnswers.nextNumber()
    let watchers = calls.withLock { calls in
      calls.begin(number, input, reply)
      return calls.takeWatchers()
    }
    AwaitedAnswers.begin(number, of: self, in: run)
    for watcher in watchers { watcher.answer(true) }
    return try await withTaskCancellationHandler {
      try await reply.value()
    } onCancel: {
      _ = end(number, .cancelled, with: .failure(CancellationError()))
    }
  }

  /// Calls a mock without arguments; see ``callAsFunction(_:)``.
  ///
  /// - Returns: the answer.
  /// - Throws: as ``callAsFunction(_:)``.
  public func callAsFunction() async throws -> Output where Input == Void {
    try await callAsFunction(())
  }

  /// Determines the answer now, and returns it in a later job.
  private func answered(_ input: Input, by answer: @Sendable (Input) throws -> Output) async throws -> Output {
    try Task.checkCancellation()
    let result = Result { try answer(input) }
    AnsweredCalls.begin(self, input, result)
    await Task.yield()
    AnsweredCalls.end()
    try Task.checkCancellation()
    return try result.get()
  }

  /// Ends a call; `false` if it has ended before. No lock is held when its task is resumed.
  private func end(
    _ number: UInt64, _ ending: CallBook<Input, Reply>.Ending, with result: Result<Output, any Error>
  ) -> Bool {
    guard let (reply, forgotten) = calls.withLock({ $0.end(number, ending) }) else { return false }
    defer { withExtendedLifetime(forgotten) {} }
    AwaitedAnswers.end(number, in: reply.run)
    reply.resume(with: result)
    return true
  }

  // MARK: - Answering

  /// Answers a call that waits.
  ///
  /// - Parameters:
  ///   - output: what the call returns.
  ///   - position: the position of the call in ``pending``; by default that of the oldest call.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  /// - Ordering: the run of the call goes on at the next step of its test store.
  /// - Errors: it is a failure if there is no such call. The failure lists the calls.
  public func answer(
    _ output: Output, at position: Int = 0, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    answer(with: .success(output), position: position, at: location) {
      $0.indices.contains(position) ? $0[position] : nil
    }
  }

  /// Answers the oldest call that waits and whose input the predicate accepts; otherwise like
  /// ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - output: what the call returns.
  ///   - isChosen: whether a call is the one to answer, by its input. The oldest call is checked first.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func answer(
    _ output: Output, where isChosen: (Input) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    answer(with: .success(output), position: nil, at: location) { $0.first { isChosen($0.input) } }
  }

  /// Answers a call that waits, where the output is `Void`; see ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - position: the position of the call in ``pending``; by default that of the oldest call.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func answer(
    at position: Int = 0, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) where Output == Void {
    answer((), at: position, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Answers the oldest call that waits and whose input the predicate accepts, where the output is `Void`. See
  /// ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - isChosen: whether a call is the one to answer, by its input. The oldest call is checked first.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func answer(
    where isChosen: (Input) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Output == Void {
    answer((), where: isChosen, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a call that waits throw an error; otherwise like ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - error: what the call throws.
  ///   - position: the position of the call in ``pending``; by default that of the oldest call.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func answer(
    throwing error: any Error, at position: Int = 0, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    answer(with: .failure(error), position: position, at: location) {
      $0.indices.contains(position) ? $0[position] : nil
    }
  }

  /// Makes the oldest call that waits and whose input the predicate accepts throw an error; otherwise like
  /// ``answer(_:at:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - error: what the call throws.
  ///   - isChosen: whether a call is the one to answer, by its input. The oldest call is checked first.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  public func answer(
    throwing error: any Error, where isChosen: (Input) -> Bool, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    answer(with: .failure(error), position: nil, at: location) { $0.first { isChosen($0.input) } }
  }

  /// Ends the call that `choose` returns, or reports a failure. The failure contains `position`; `nil` for a predicate.
  private func answer(
    with result: Result<Output, any Error>, position: Int?, at place: TestLocation,
    choosing choose: ([CallBook<Input, Reply>.Call]) -> CallBook<Input, Reply>.Call?
  ) {
    var ending = CallBook<Input, Reply>.Ending.answered
    if case .failure = result { ending = .failed }
    while true {
      // The predicate is user code, so it is not called under the lock, and the call may end meanwhile.
      guard let chosen = choose(calls.withLock { $0.pending }) else { break }
      guard end(chosen.number, ending, with: result) else { continue }
      // The test has answered it again, in time.
      _ = takeEarlyAnswer()
      return
    }
    if Reporter.report(misuse(at: position), at: place) { early.withLock { $0.append(result) } }
  }
}

// MARK: - For steps and failure texts

extension Mock: AnsweredMock {
  func isPending(_ number: UInt64) -> Bool {
    calls.withLock { $0.position(of: number) != nil }
  }

  func answerEarly(_ number: UInt64) -> Bool {
    guard isPending(number), let result = takeEarlyAnswer() else { return false }
    return end(number, .answered, with: result)
  }

  private func takeEarlyAnswer() -> Result<Output, any Error>? {
    early.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// The text for an answer that no call waits for, by position or by predicate.
  private func misuse(at position: Int?) -> String {
    if answering != nil { return FailureText.answersItself(name, Self.typeText, at: location) }
    let book = calls.withLock { $0 }
    let shown = book.pending.prefix(10)
    var lines = shown.enumerated().map { index, call in
      (number: call.number, text: line(call.input, "pending, at: \(index)"))
    }
    lines += book.ended.map { (number: $0.number, text: line($0.input, "\($0.ending)")) }
    lines.sort { $0.number < $1.number }
    return FailureText.nothingToAnswer(
      MockedCalls(
        mock: mention, lines: lines.map(\.text), earlier: book.endedCount - book.ended.count,
        later: book.pending.count - shown.count, isAnyPending: !shown.isEmpty, position: position, step: step(at: 0)))
  }

  private func line(_ input: Input, _ what: String) -> String { "\(FailureText.brief(input)): \(what)" }

  func awaitedAnswer(to number: UInt64) -> AwaitedAnswer? {
    let book = calls.withLock { $0 }
    guard let position = book.position(of: number) else { return nil }
    let input = Input.self == Void.self ? "" : ", called with \(FailureText.brief(book.pending[position].input))"
    return AwaitedAnswer(text: "an answer of \(mention)\(input)", step: step(at: position), answering: answeringItself)
  }

  /// The step that answers a call: as code, or described if its code cannot be written.
  private func step(at position: Int) -> String { Self.step(at: position, of: name) }

  private static func step(at position: Int, of name: String?) -> String {
    let place = position == 0 ? nil : "at: \(position)"
    let example = Output.self == Void.self ? nil : SwiftLiteral.example(of: Output.self)
    if let name, example != nil || Output.self == Void.self {
      return "`\(name).answer(\([example, place].compactMap(\.self).joined(separator: ", ")))`"
    }
    let output = Output.self == Void.self ? nil : "a value of type \(SwiftNames.ofType(Output.self))"
    let arguments = [output, place.map { "`\($0)`" }].compactMap(\.self).joined(separator: " and ")
    let method = name.map { "`\($0).answer`" } ?? "`answer` of this mock"
    return arguments.isEmpty ? method : "\(method) with \(arguments)"
  }

  /// A mock of the same type that answers by itself: as code, or described if its code cannot be written.
  private var answeringItself: String {
    if Output.self == Void.self { return "`\(Self.typeText)(answering: { _ in })`" }
    guard let example = SwiftLiteral.example(of: Output.self) else { return "`Mock(answering:)`" }
    return "`\(Self.typeText)(answering: { _ in \(example) })`"
  }

  var words: MockWords {
    // A closure of a module with the feature NonisolatedNonsendingByDefault has the first type, one of any other module the second.
    let calls: [Any.Type] =
      Input.self == Void.self
      ? [
        (nonisolated(nonsending) @Sendable () async throws -> Output).self,
        (@concurrent @Sendable () async throws -> Output).self,
      ]
      : [
        (nonisolated(nonsending) @Sendable (Input) async throws -> Output).self,
        (@concurrent @Sendable (Input) async throws -> Output).self,
      ]
    return MockWords(name: name, type: Self.typeText, calls: calls)
  }

  private static var typeText: String { "Mock<\(SwiftNames.ofType(Input.self)), \(SwiftNames.ofType(Output.self))>" }

  private var mention: String {
    "the mock \(name.map { "`\($0)` " } ?? "")at \(location.fileID):\(location.line)"
  }

  /// The name of the constant, read from the line that makes the mock; `nil` if it is not found there.
  private var name: String? { Self.name(at: location) }

  private static func name(at location: TestLocation) -> String? {
    guard let words = SourceLine(at: location).text?.split(separator: " "),
      let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" })
    else { return nil }
    // `let find = Mock<…>()` or `let find: Mock<…> = …`
    let rest = words[(keyword + 1)...].prefix(3)
    guard let first = rest.first, rest.dropFirst().first(where: { $0 != "=" })?.hasPrefix("Mock") == true else {
      return nil
    }
    let name = first.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }
}
