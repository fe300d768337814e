// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Ticking

extension Effect {
  /// Sends an action again and again, at a fixed interval, until it is cancelled.
  ///
  /// ```swift
  /// .timer(id: "clock", overlap: .restart, every: .seconds(1)) { tick in .ticked(tick) }
  /// ```
  ///
  /// - Ordering: the first tick comes after one interval. Ticks are due on a grid that begins with the run, so they do
  ///   not drift, however late one of them is. A tick is sent when the one before has been reduced. Ticks whose time
  ///   passes meanwhile, or while the machine is asleep, are **left out**; the next one is on the grid again. The
  ///   closure gets the tick's number: how many intervals have passed.
  /// - Cancellation: `cancel` of the id ends it.
  /// - Precondition: `interval` is positive.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by. If it is `nil` at run time, the timer has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active; `.restart` replaces the active timer.
  ///   - interval: the time from one tick to the next, by the store's clock.
  ///   - input: the request context: shown in failures and in the status of the id.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the timer is built in.
  ///   - line: the line the timer is built in.
  ///   - action: the action of a tick. Called off the store's isolation.
  /// - Returns: the effect.
  public static func timer(
    id: some Hashable & Sendable, overlap: Overlap, every interval: Duration, input: (any Hashable & Sendable)? = nil,
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @Sendable (_ tick: Int) -> Action
  ) -> Effect {
    .run(
      Operation(
        id: EffectID.unwrapping(id), overlap: overlap, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: ticking(every: interval, fileID, line, action), failure: nil,
        builtIn: .timer(every: interval, hasEqualTicks: false)))
  }

  /// Sends an action again and again, without an id: cancel its scope or the sent action instead; see
  /// ``timer(id:overlap:every:input:name:priority:fileID:line:_:)-(_,_,_,_,_,_,_,_,(Int)->Action)``.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, by the store's clock; positive.
  ///   - input: the request context: shown in failures and listed by ``runs``.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the timer is built in.
  ///   - line: the line the timer is built in.
  ///   - action: the action of a tick, made of its number. Called off the store's isolation.
  /// - Returns: the effect.
  public static func timer(
    every interval: Duration, input: (any Hashable & Sendable)? = nil,
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @Sendable (_ tick: Int) -> Action
  ) -> Effect {
    timer(
      id: EffectID?.none, overlap: .concurrent, every: interval, input: input, name: name, priority: priority,
      fileID: fileID, line: line, action)
  }

  /// Sends the same action again and again; see
  /// ``timer(id:overlap:every:input:name:priority:fileID:line:_:)-(_,_,_,_,_,_,_,_,(Int)->Action)``.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by. If it is `nil` at run time, the timer has no id and `overlap` has no
  ///     effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - interval: the time from one tick to the next, by the store's clock; positive.
  ///   - input: the request context: shown in failures and in the status of the id.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the timer is built in.
  ///   - line: the line the timer is built in.
  ///   - action: the action of each tick.
  /// - Returns: the effect.
  public static func timer(
    id: some Hashable & Sendable, overlap: Overlap, every interval: Duration, input: (any Hashable & Sendable)? = nil,
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: Action
  ) -> Effect {
    .run(
      Operation(
        id: EffectID.unwrapping(id), overlap: overlap, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: ticking(every: interval, fileID, line) { _ in action },
        failure: nil, builtIn: .timer(every: interval, hasEqualTicks: true)))
  }

  /// Sends the same action again and again, without an id; see
  /// ``timer(id:overlap:every:input:name:priority:fileID:line:_:)-(_,_,_,_,_,_,_,_,(Int)->Action)``.
  ///
  /// - Parameters:
  ///   - interval: the time from one tick to the next, by the store's clock; positive.
  ///   - input: the request context: shown in failures and listed by ``runs``.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the timer is built in.
  ///   - line: the line the timer is built in.
  ///   - action: the action of each tick.
  /// - Returns: the effect.
  public static func timer(
    every interval: Duration, input: (any Hashable & Sendable)? = nil,
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: Action
  ) -> Effect {
    timer(
      id: EffectID?.none, overlap: .concurrent, every: interval, input: input, name: name, priority: priority,
      fileID: fileID, line: line, action)
  }

  /// The closure of a timer.
  private static func ticking(
    every interval: Duration, _ fileID: StaticString, _ line: UInt, _ action: @escaping @Sendable (Int) -> Action
  ) -> Operation.Body {
    // Not `precondition`: optimised builds would trap without a message.
    if interval <= .zero {
      fatalError("Effect.timer: every is \(interval); it must be more than zero", file: fileID, line: line)
    }
    return { send in
      let start = send.uncountedNow
      var grid = TickGrid(interval: interval, start: start)
      while let wait = grid.wait(at: send.uncountedNow - start) {
        try await send.sleep(for: wait)
        let tick = grid.tick(at: send.uncountedNow - start)
        guard await send.delivered(action(tick)), !Task.isCancelled else { return }
      }
      await cancellation()
    }
  }
}

/// Suspends until the task is cancelled.
private func cancellation() async {
  let (nothing, continuation) = AsyncStream<Never>.makeStream()
  for await _ in nothing {}
  continuation.finish()
}

/// What a run executes in place of an asynchronous closure of a user. It waits for no answer.
@usableFromInline
package enum BuiltInClosure: Sendable {
  /// It sends one action.
  case send
  /// It sends an action at each tick. If all are equal, it is the same behind each tick, but for the time since then.
  case timer(every: Duration, hasEqualTicks: Bool)
}

/// When each tick of a timer is due, counted from its start.
struct TickGrid {
  let interval: Duration
  /// When the timer began, by the clock that must reach its ticks.
  private let start: Duration
  /// The last tick that was sent, or is waited for.
  private var last: Int128 = 0

  init(interval: Duration, start: Duration = .zero) {
    self.interval = interval
    self.start = start
  }

  /// When the next tick is due: the tick after the last one; if that tick was missed, the first that was not missed.
  /// `nil` if no clock reaches it, because it is later than the last possible instant.
  mutating func next(at elapsed: Duration) -> Duration? {
    // In whole numbers: a rounding error would leave out a tick that is due now.
    let (whole, rest) = elapsed.attoseconds.quotientAndRemainder(dividingBy: interval.attoseconds)
    // With an interval of one attosecond, tick numbers end where durations end.
    guard last < .max else { return nil }
    last = max(last + 1, rest > 0 ? whole + 1 : whole)
    let (due, isTooLong) = last.multipliedReportingOverflow(by: interval.attoseconds)
    let isTooLate = start.attoseconds.addingReportingOverflow(due).overflow
    return isTooLong || isTooLate ? nil : Duration(attoseconds: due)
  }

  /// How long it is until the next tick, at most the longest possible duration; `nil` if no clock reaches it.
  mutating func wait(at elapsed: Duration) -> Duration? {
    guard let next = next(at: elapsed) else { return nil }
    let (wait, overflow) = next.attoseconds.subtractingReportingOverflow(elapsed.attoseconds)
    return Duration(attoseconds: overflow ? .max : wait)
  }

  /// The number of the tick that is sent now; a later one than was waited for if the wait took too long.
  mutating func tick(at elapsed: Duration) -> Int {
    last = max(last, elapsed.attoseconds / interval.attoseconds)
    return Int(clamping: last)
  }
}
