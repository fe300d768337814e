// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - When runs start, and how long they may take

/// The modifiers apply to every run of the effect, at any depth; `cancel`s stay as they are. `delay`,
/// `debounce` and `throttle` replace each `send` by a run that sends the action, unless the duration is zero or less;
/// the other modifiers leave a `send` in its turn. A run that replaces a `send` has the name `send`. If a `cancellable`
/// is around the `send` alone, the run has the id of the `cancellable`. A `send` has no scope, so a run that is made of
/// it outside of `scoped` has none. If a modifier is used more than once, or `debounce` and `throttle` together, the
/// one written last counts. Only for `timeout` and `retry` the order makes a difference: `timeout` before `retry` limits
/// each attempt, after `retry` the whole run. Debounce or throttle comes first, then the delay, then the overlap of the
/// id, then the attempts.
extension Effect {
  /// Starts each run after a duration.
  ///
  /// - Ordering: by the store's clock, counted from the reduction. Until then the run holds no slot of its id. With
  ///   `.restart` it counts nevertheless: it cancels on arrival the runs that it replaces, and a newer run cancels it.
  ///   Other overlaps decide when its time has come.
  /// - Cancellation: a run that waits is cancelled like an active one, and never starts.
  /// - Complexity: O(number of nodes) for the modifier; a wait costs O(log waits).
  /// - Laws: `e.map(f)` delayed is `e` delayed and then mapped; each part of `concatenate` is delayed separately, from the
  ///   moment at which it starts.
  ///
  /// - Parameters:
  ///   - duration: how long; zero or less is no delay.
  ///   - fileID: the file of the runs that are made of `send`s.
  ///   - line: the line of the runs that are made of `send`s.
  /// - Returns: the effect.
  public func delay(for duration: Duration, fileID: StaticString = #fileID, line: UInt = #line) -> Effect {
    timed(RunTiming(delay: duration), duration, CallSite(fileID: fileID, line: line))
  }

  /// Starts a run only when no other run of its id has come for a duration: the last of a burst.
  ///
  /// ```swift
  /// .run(id: "search", overlap: .restart, input: query) { ... }.debounce(for: .milliseconds(300), maxWait: .seconds(2))
  /// ```
  ///
  /// - Ordering: a newer run of the id drops the run that waits, and waits instead. With `maxWait`, a run starts at
  ///   most `maxWait` after the first run of the burst came, and the next burst begins. A run of the id without a
  ///   window drops nothing: the one that waits still arrives when its time comes, unless the overlap `.restart`
  ///   cancels it.
  /// - Cancellation: `cancel` of the id cancels the one that waits and forgets the burst. Code that waits for a run that
  ///   was dropped (`finish`, `concatenate`) goes on.
  /// - Errors: a run without an id is not started; it is reported as a failure with its source line.
  /// - Complexity: as for ``delay(for:fileID:line:)``.
  ///
  /// See also ``delay(for:fileID:line:)`` for how a waiting run affects its id, and for the laws.
  ///
  /// - Parameters:
  ///   - duration: how long no other run of the id may come; zero or less is no window.
  ///   - maxWait: how long the first of a burst waits at most.
  ///   - fileID: the file of the runs that are made of `send`s.
  ///   - line: the line of the runs that are made of `send`s.
  /// - Returns: the effect.
  public func debounce(
    for duration: Duration, maxWait: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    let window = RunTiming.Window.debounce(for: duration, maxWait: maxWait)
    return timed(RunTiming(window: window), duration, CallSite(fileID: fileID, line: line))
  }

  /// Starts at most one run of an id per duration: the first at once, and the last of the others at the end.
  ///
  /// - Ordering: a run that starts opens a window. Those that come while it is open are dropped, except the newest,
  ///   which starts when the window ends, and opens the next one. With `trailing: false` the newest is dropped as well.
  /// - Cancellation: `cancel` of the id cancels the one that waits and closes the window. A run that the window drops at
  ///   once does not count as arrived: under `.restart` it cancels nothing.
  /// - Errors: as for ``debounce(for:maxWait:fileID:line:)``.
  /// - Complexity: as for ``delay(for:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - duration: how long a window is open; zero or less is no window.
  ///   - trailing: whether the newest run that came while the window was open starts at its end.
  ///   - fileID: the file of the runs that are made of `send`s.
  ///   - line: the line of the runs that are made of `send`s.
  /// - Returns: the effect.
  public func throttle(
    for duration: Duration, trailing: Bool = true, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    let window = RunTiming.Window.throttle(for: duration, trailing: trailing)
    return timed(RunTiming(window: window), duration, CallSite(fileID: fileID, line: line))
  }

  /// Ends a run that takes longer than a duration, with an ``EffectTimeout``.
  ///
  /// ```swift
  /// .run(id: "save", overlap: .enqueue) { ... } catch: { ... }
  ///   .timeout(after: .seconds(5))                     // each attempt
  ///   .retry(attempts: 4, backoff: .constant(.seconds(1)))
  ///   .timeout(after: .seconds(12))                    // all attempts and the waits between them
  /// ```
  ///
  /// - Ordering: before ``retry(attempts:backoff:fileID:line:)`` each attempt has the whole duration; after it, all
  ///   attempts together. It is counted from the end of the turn that starts the attempt, or the first one, so not while
  ///   the run waits for its time or slot. Waits of the closure for a thread are counted, at its
  ///   beginning and after each `await`. A closure that gets no thread within the limit is out of time and is not called.
  /// - Cancellation: at the limit the closure's task is cancelled, and none of its actions is reduced any more,
  ///   whatever it does (rule E1). Nothing waits for the closure to return, except a slot that is `exclusive`.
  /// - Errors: after the limit of an attempt the backoff decides about another one; after the limit of the whole run
  ///   there is none. The error goes to the `catch` of the run, which starts at once and has no limit; without one it is
  ///   reported like any other.
  /// - Parameter duration: the longest time from start to end, by the store's clock.
  /// - Returns: the effect with the limit on each of its runs.
  public func timeout(after duration: Duration) -> Effect {
    timed(RunTiming(limit: duration))
  }

  /// Makes another attempt when one has failed, by an error or a time limit.
  ///
  /// ```swift
  /// .run(id: "save", overlap: .enqueue) { ... } catch: { ... }
  ///   .timeout(after: .seconds(5))
  ///   .retry(attempts: 4, backoff: .exponential(from: .milliseconds(200)).jittered(by: 1, seed: state.seed))
  /// ```
  ///
  /// - Ordering: what an attempt has sent before it failed is reduced, unless it ended by a time limit; nothing that it
  ///   sends later is reduced. The run keeps its slot while it waits for the next attempt. An `exclusive` run starts
  ///   the next attempt only when the closure of the one before has returned.
  /// - Cancellation: reaches the run between two attempts as well.
  /// - Errors: the error of the last attempt, or the first after which the backoff gives up, goes to `catch` or is
  ///   reported. The run has left its slot before `catch` is called.
  ///
  /// - Parameters:
  ///   - attempts: how many there are at most, the first one included; at least 1.
  ///   - backoff: how long to wait before the next one, or that it gives up.
  ///   - fileID: the file that the error names if the number of attempts is invalid.
  ///   - line: likewise.
  /// - Returns: the effect with further attempts for each of its runs.
  public func retry(
    attempts: Int, backoff: Backoff = .none, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    // Not `precondition`: optimised builds would trap without a message.
    if attempts < 1 {
      fatalError(
        "Effect.retry: attempts is \(attempts); it must be at least 1, because the first attempt counts", file: fileID,
        line: line)
    }
    return timed(RunTiming(retry: RunTiming.Retry(attempts: attempts, backoff: backoff)))
  }

  private func timed(_ timing: RunTiming) -> Effect {
    mapRuns { $0.timed(timing) }
  }

  /// The same for modifiers that make a run wait: a `send` waits as well, in a run.
  private func timed(_ timing: RunTiming, _ duration: Duration, _ site: CallSite) -> Effect {
    guard duration > .zero else { return timed(timing) }
    return mapRuns({ $0.timed(timing) }, send: { Operation(sending: $0, timing, site: site) })
  }
}

// MARK: - Expecting them

extension EffectRun {
  /// The run that ``Effect/delay(for:fileID:line:)`` makes of this one.
  package func delay(for duration: Duration) -> EffectRun {
    timed(RunTiming(delay: duration))
  }

  /// The run that ``Effect/debounce(for:maxWait:fileID:line:)`` makes of this one.
  package func debounce(for duration: Duration, maxWait: Duration? = nil) -> EffectRun {
    timed(RunTiming(window: .debounce(for: duration, maxWait: maxWait)))
  }

  /// The run that ``Effect/throttle(for:trailing:fileID:line:)`` makes of this one.
  package func throttle(for duration: Duration, trailing: Bool = true) -> EffectRun {
    timed(RunTiming(window: .throttle(for: duration, trailing: trailing)))
  }

  /// The run that ``Effect/timeout(after:)`` makes of this one.
  package func timeout(after duration: Duration) -> EffectRun {
    timed(RunTiming(limit: duration))
  }

  /// The run that ``Effect/retry(attempts:backoff:fileID:line:)`` makes of this one. Closures are not compared.
  package func retry(attempts: Int, backoff: Backoff = .none) -> EffectRun {
    timed(RunTiming(retry: RunTiming.Retry(attempts: attempts, backoff: backoff)))
  }
}
