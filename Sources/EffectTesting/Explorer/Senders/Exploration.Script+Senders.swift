// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension Exploration {
  /// An action that a script sends; see ``Script/send(_:fileID:line:)``.
  ///
  /// - Isolation: the test's, and the schedule's: the script is executed again for each schedule, and a value of another
  ///   schedule is reported.
  public struct SentAction {
    @usableFromInline let script: ScriptBook
    @usableFromInline let step: Int

    @inlinable
    init(_ script: ScriptBook, _ step: Int) {
      self.script = script
      self.step = step
    }
  }
}

extension Exploration.Script {
  /// Adds a sender: its steps are taken in their own order, before, between and after those of other senders. The search
  /// tries all of these orders.
  ///
  /// ```swift
  /// await explore(initialState: .init(), reducer: Bank()) { script in
  ///   script.send(.open)                                                // before both
  ///   script.sender("ann") { ann in ann.send(.deposit(5)) }
  ///   script.sender("bob") { bob in bob.send(.withdraw(5)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: distinguishes the sender in failures. A name that is used twice, or `script`, is reported.
  ///   - fileID: the file of a report.
  ///   - line: its line.
  ///   - steps: writes the steps of the sender. Called once, at once.
  /// - Ordering: like a task that is made here. Its steps come after the steps that were written before it in this
  ///   script, and at any time relative to the steps that are written after it.
  /// - Complexity: senders with *n* and *m* steps have (*n* + *m*)! / (*n*! *m*!) orders, each with all orders of the
  ///   store's work.
  public func sender(
    _ name: String, fileID: StaticString = #fileID, line: UInt = #line, _ steps: (Exploration.Script<Action>) -> Void
  ) {
    guard let number = script.beginSenders().open(name, by: sender) else {
      return note(FailureText.senderTwice(name, at: CallSite(fileID: fileID, line: line)))
    }
    steps(Exploration.Script(script, runner, sender: number))
  }

  /// Cancels everything that an action has caused and will cause, as ``/EffectRuntime/StoreTask`` does.
  ///
  /// - Parameters:
  ///   - action: what this script, or another sender of it, has sent. For a request, this is a cancel of the task that waits.
  ///   - fileID: the file of a report.
  ///   - line: its line.
  /// - Ordering: a step of its own, after the step that sends the action. If the action was refused, it does nothing.
  public func cancel(_ action: Exploration.SentAction, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID: fileID, line: line)
    guard isOwn(action, "cancel", site) else { return }
    append(.cancelSent(action.step), needing: action.step)
  }

  /// Waits until everything that an action has caused has settled, as ``/EffectRuntime/StoreTask`` does. The sender takes
  /// its next step after that; other senders go on.
  ///
  /// - Parameters:
  ///   - action: what this script, or another sender of it, has sent.
  ///   - fileID: the file of a report.
  ///   - line: its line.
  /// - Ordering: a step of its own, after the step that sends the action. If the action was refused, it waits for nothing.
  /// - Errors: if the sender still waits when nothing can happen any more, the exploration is not complete, and
  ///   `.noDeadlock()` is violated. A run that waits because of a `.hang` fault is an exception.
  public func finish(_ action: Exploration.SentAction, fileID: StaticString = #fileID, line: UInt = #line) {
    let site = CallSite(fileID: fileID, line: line)
    guard isOwn(action, "finish", site) else { return }
    append(.finish(action.step), needing: action.step, waiting: "`finish` at \(site)")
  }

  /// Sends an action, waits until everything that it causes has settled, and checks the state at that moment. A store's
  /// `request` makes its answer from this state.
  ///
  /// ```swift
  /// script.request(.saveTapped) { (state: Document.State) in state.isSaved }
  /// ```
  ///
  /// - Parameters:
  ///   - action: what is asked for.
  ///   - fileID: the file that the trace of a failure shows for the action.
  ///   - line: likewise.
  ///   - holds: whether the answer is right. Called when everything has settled; not if the request is refused, cancelled, or
  ///     cut short by a shutdown. A state of another type is reported.
  /// - Returns: the action, for a cancel by another sender.
  /// - Ordering: the request is one step, and the sender takes its next step after the answer.
  /// - Errors: an answer for which `holds` is `false` is a failure. A request that is never answered is like a
  ///   ``finish(_:fileID:line:)`` that never ends.
  @discardableResult
  public func request<State>(
    _ action: Action, fileID: StaticString = #fileID, line: UInt = #line, _ holds: @escaping (State) -> Bool
  ) -> Exploration.SentAction {
    let site = CallSite(fileID: fileID, line: line)
    let call = ScriptCall(begin: {}) { state in
      guard let own = state as? State else {
        return .violated(FailureText.otherState(type(of: state), State.self, at: site))
      }
      return holds(own) ? .holds : .violated(FailureText.wrongAnswer(action, at: site))
    }
    return request(action, at: site, call)
  }

  /// Sends an action, waits until everything that it causes has settled, and checks the answer together with those of other
  /// requests: they must be linearizable.
  ///
  /// ```swift
  /// script.sender("ann") { $0.request(.deposit(5), as: balance) }
  /// script.sender("bob") { $0.request(.read, as: balance) }
  /// ```
  ///
  /// - Parameters:
  ///   - action: the operation, which changes the state only as the specification says.
  ///   - specification: what the answers must agree with. All requests of a schedule with the same one are one history.
  ///   - fileID: the file that the trace of a failure shows for the action.
  ///   - line: likewise.
  /// - Returns: the action, for a cancel by another sender.
  /// - Ordering: the request is one step, and the sender takes its next step after the answer.
  /// - Errors: answers that no order of the requests explains are a failure; see ``Exploration/Specification``.
  @discardableResult
  public func request<R: Reducer, Answer>(
    _ action: Action, as specification: Exploration.Specification<R, Answer>, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Exploration.SentAction where R.Action == Action {
    let site = CallSite(fileID: fileID, line: line)
    let senders = script.beginSenders()
    let call = specification.call(action, by: senders.all[sender].name, at: site, in: &senders.histories)
    return request(action, at: site, call)
  }

  /// Shuts the store down, as ``/EffectRuntime/Store/shutdown(_:)`` does, and waits until it has ended. What other senders
  /// send from then on is refused.
  ///
  /// - Parameters:
  ///   - shutdown: how runs end.
  ///   - fileID: the file of a report.
  ///   - line: its line.
  /// - Ordering: one step; the sender takes its next step when the store has ended. A time limit is a deadline like others.
  /// - Errors: if the store never ends, as with ``finish(_:fileID:line:)``.
  public func shutdown(_ shutdown: Shutdown, fileID: StaticString = #fileID, line: UInt = #line) {
    append(.shutDown(shutdown), waiting: "`shutdown` at \(CallSite(fileID: fileID, line: line))")
  }

  // MARK: - Writing

  private func request(_ action: Action, at site: CallSite, _ call: ScriptCall) -> Exploration.SentAction {
    var call = call
    call.name = "`request` at \(site)"
    runner.evidence.tested.requested(call.name)
    let sent = append(.request(action, site, call), waiting: call.name)
    if call.isOfHistory { script.noteOfHistory() }
    return sent
  }

  @discardableResult
  private func append(
    _ order: ScriptOrder<Action>, needing other: Int? = nil, waiting: String? = nil
  ) -> Exploration.SentAction {
    let senders = script.beginSenders()
    let step = script.append(.order(order), by: sender)
    senders.note(step, needing: other, waiting: waiting)
    return Exploration.SentAction(script, step)
  }

  /// Whether an action was sent in this schedule.
  private func isOwn(_ action: Exploration.SentAction, _ name: String, _ site: CallSite) -> Bool {
    if action.script === script { return true }
    note(FailureText.otherSchedule(name, at: site))
    return false
  }

  private func note(_ misuse: String) {
    if runner.misuse == nil { runner.misuse = misuse }
  }
}
