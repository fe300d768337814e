// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Where a store is in what it took out of its mailbox.
struct Drain<Action: Sendable> {
  /// A drain is under way: sends only enqueue.
  var isActive = false
  var batch: [Message<Action>] = []
  var position = 0
  /// How many actions from outside have been taken; the number of the last one's dispatch.
  var taken: UInt64 = 0
  var actionsInTurn = 0
  /// Who wants to know that the action of the turn at hand has been reduced.
  var delivering: Waiter?
  /// Turns that grew too long, in the order their rest waits in the mailbox.
  var suspendedTurns: [Interpreter<Action>.SuspendedTurn] = []

  /// What was taken and not looked at yet.
  var rest: ArraySlice<Message<Action>> { batch[position...] }
}

extension Store: MailboxOwner {
  /// Drains soon, on the store's isolation, at one high priority whoever sends (rule L6).
  package nonisolated func scheduleDrain() {
    Task.detached(priority: .high) { await self.drainSlice() }
  }

  /// Takes a budget's worth of what waits.
  private func drainSlice() {
    drain.isActive = true
    var left = drainBudget
    while left > 0, step() { left -= 1 }
    endSlice()
    guard left == 0 else { return }
    // Weakly: a slice holds the store, the wait for the next one does not (rule E7).
    Task.detached(priority: .high) { [weak self] in await self?.drainSlice() }
  }

  /// Drains up to and with an action's turn, whatever the budget (rule L1).
  func drainInline(through number: UInt64) {
    drain.isActive = true
    while drain.taken < number || interpreter.isTurnOpen { _ = step() }
    endSlice()
  }

  private func endSlice() {
    observers.offer(state)
    drain.isActive = false
  }

  /// Takes one message, or reduces one action of the open turn; `false` if nothing is left.
  private func step() -> Bool {
    if interpreter.isTurnOpen {
      if let action = interpreter.nextFollowUp() { reduce(action) }
      endTurnIfDone()
      return true
    }
    if drain.position == drain.batch.count {
      drain.batch.removeAll(keepingCapacity: true)
      drain.position = 0
      guard mailbox.take(into: &drain.batch) else { return false }
    }
    let message = drain.batch[drain.position]
    drain.position += 1
    take(message)
    return true
  }

  private func take(_ message: Message<R.Action>) {
    switch message {
    case .action(let action):
      drain.taken += 1
      interpreter.beginTurn(dispatch: drain.taken, isRefusing: mailbox.isCancelled(drain.taken))
      reduce(action)
      endTurnIfDone()
    case .sent(let action, let token):
      guard interpreter.beginTurn(sentBy: token) else { return }
      reduce(action)
      endTurnIfDone()
    case .delivered(let action, let token, let waiter):
      guard interpreter.beginTurn(sentBy: token) else { return waiter.answer(false) }
      drain.delivering = waiter
      reduce(action)
      endTurnIfDone()
    case .ended(let token, let error):
      tasks[Int(token.slot)] = nil
      interpreter.ended(token, error: error)
      perform()
      if interpreter.isTurnOpen { endTurnIfDone() }
    case .watch(let number, let waiter, let own):
      watch(number, waiter, from: own)
    case .cancelDispatch(let number):
      mailbox.forgetCancelled(number)
      interpreter.cancelDispatch(number)
      perform()
      if interpreter.isTurnOpen { endTurnIfDone() }
    case .resumeTurn:
      interpreter.resumeTurn(drain.suspendedTurns.removeFirst())
    case .observe:
      break  // The end of the slice shows the state to every observer, and so to the new one.
    }
  }

  private func watch(_ number: UInt64, _ waiter: Waiter, from own: Token) {
    if own != .none, interpreter.isRun(own, partOf: number) {
      if let run = interpreter.description(of: own) { onFailure(EffectFailure(error: WaitsForItself(), run: run)) }
      waiter.answer(true)
    } else {
      interpreter.watch(number, waiter)
      perform()
    }
  }

  // MARK: - Reducing

  private func reduce(_ action: R.Action) {
    drain.actionsInTurn += 1
    let effect = reducer.reduce(into: &state, action: action)
    interpreter.reduced(effect)
    if interpreter.hasOutput { perform() }
  }

  private func endTurnIfDone() {
    if interpreter.hasFollowUps {
      if drain.actionsInTurn >= followUpLimit { suspendTurn() }
      return
    }
    interpreter.endTurn()
    drain.actionsInTurn = 0
    if interpreter.hasOutput { perform() }
    delivered()
  }

  /// Puts the rest of the turn behind all that waits, so that others get their turn (rule T5).
  private func suspendTurn() {
    drain.suspendedTurns.append(interpreter.suspendTurn())
    drain.actionsInTurn = 0
    mailbox.post(.resumeTurn)
    delivered()
  }

  private func delivered() {
    guard let waiter = drain.delivering else { return }
    drain.delivering = nil
    waiter.answer(true)
  }

  // MARK: - Performing

  /// Does what the interpreter asked for, from left to right. Everything is consistent by now, and whatever user code
  /// runs in here only enqueues (rule E8).
  private func perform() {
    swap(&commands, &interpreter.commands)
    for command in commands {
      switch command {
      case .start(let token):
        start(token, thrown: nil)
      case .recover(let token, let error):
        start(token, thrown: error)
      case .cancel(let token):
        tasks[Int(token.slot)]?.cancel()
      case .report(let failure):
        onFailure(failure)
      case .resume(let waiter):
        waiter.answer(true)
      }
    }
    commands.removeAll(keepingCapacity: true)
    interpreter.takeReleased(into: &garbage)
    garbage.removeAll(keepingCapacity: true)
  }

  private func start(_ token: Token, thrown: (any Error)?) {
    guard let operation = interpreter.started(token) else { return }
    let body = RunBody(operation, token: token, thrown: thrown, mailbox: mailbox)
    let slot = Int(token.slot)
    while tasks.count <= slot { tasks.append(nil) }
    // Detached: a run inherits neither priority nor task-locals of whoever triggered the drain (rule L6).
    tasks[slot] = Task.detached(priority: body.priority) { await body() }
  }
}
