// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Reporting events to the engine

extension Store {
  /// Reports one event, and performs the outputs.
  @inlinable @inline(__always)
  func handle(_ input: Engine<R>.Input) {
    core.value.engine.handle(input, into: &core.value.outputs)
    if !core.value.outputs.isEmpty { perform() }
  }

  /// The same, for events that are rare.
  // A function of its own: where it is inlined, an event takes more than a kilobyte of code.
  @usableFromInline
  func handleOther(_ input: Engine<R>.Input) { handle(input) }

  /// Takes steps, up to a limit: handles actions, other messages and due deadlines, and refills the batch. Returns the
  /// number of steps; 0 if no message remains.
  @inlinable
  func step(upTo limit: Int) -> Int {
    while true {
      let count = takeActions(upTo: core.value.showsTurns ? 1 : limit)
      if count > 0 { return count }
      if takeOne() { return 1 }
      if core.value.engine.scheduler.hasAlarms, fireDueDeadline() { return 1 }
      guard refill() else { return 0 }
      handOver(at: .goesOn)
    }
  }

  /// Takes actions until another message comes, there is an output, or the limit is reached. Returns their number. With
  /// a listener it takes none.
  @inlinable
  func takeActions(upTo limit: Int) -> Int {
    let count = core.value.engine.handle(
      actionsUpTo: limit, into: &core.value.outputs, isRefusing: { mailbox.isCancelled($0) },
      from: { core.value.nextAction() })
    if !core.value.outputs.isEmpty { perform() }
    return count
  }

  /// Takes any message, or the next action of the open turn; `false` if there is none.
  @inlinable
  func takeOne() -> Bool {
    if core.value.engine.isTurnOpen {
      handle(.continueTurn)
      return true
    }
    guard core.value.position < core.value.batch.count else { return false }
    if core.value.outlet.isTimed { core.value.outlet.now = mailbox.now }
    let message = core.value.batch[core.value.position]
    core.value.position += 1
    take(message)
    return true
  }

  /// Reports a message to the engine, and performs the outputs.
  @inlinable
  func take(_ message: Message<R.Action>) {
    switch message {
    case .ended(let token, let error):
      // The closure of an attempt that ran out of time no longer belongs to the slot.
      if core.value.running[token.slot]?.token == token { core.value.running[token.slot] = nil }
      handle(.ended(token, error))
    case .action(let action):
      let site = core.value.outlet.stamps.site(of: core.value.position - 1)
      let isRefusing = mailbox.isCancelled(core.value.engine.taken + 1)
      core.value.engine.announce(action, isRefusing: isRefusing, site: site, into: &core.value.outputs)
      if !core.value.outputs.isEmpty { perform() }
      reduceHeld()
    case .sent(let action, let token):
      core.value.engine.announce(action, sentBy: token, into: &core.value.outputs)
      if !core.value.outputs.isEmpty { perform() }
      reduceHeld()
    case .delivered(let action, let token, let waiter):
      handle(.delivered(action, by: token, waiter))
      reduceHeld()
    default:
      takeOrder(message)
    }
  }

  /// Reduces an action that was taken, after listeners have been notified of it.
  @inlinable
  func reduceHeld() {
    if core.value.engine.isHolding { handle(.continueTurn) }
  }

  /// Handles a message that is neither an action nor the end of a run.
  @usableFromInline
  func takeOrder(_ message: Message<R.Action>) {
    switch message {
    case .action, .sent, .delivered, .ended: break
    case .watch(let number, let waiter, let own): handleOther(.watch(number, waiter, from: own))
    case .cancelDispatch(let number):
      core.value.ordersTaken += 1
      mailbox.forgetCancelled(number)
      handleOther(.senderCancelled(number))
    case .resumeTurn: handleOther(.resumeTurn)
    case .collectOutcomes(let number): handleOther(.collectOutcomes(number))
    case .shutDown(let shutdown, let waiter, let own): handleOther(.shutDown(shutdown, waiter, from: own))
    case .timeCame(let number, let error): timeCame(number, error)
    case .limitFailed(let failure): handleOther(.clockFailed(failure))
    case .observe:
      // The end of the step or of the slice shows the state to every observer, and so to the new one.
      if hub.version != core.value.outlet.version { refreshListeners() }
      core.value.showsTurns = observers.turns.isWatched
    case .slept(let token, let until): handleOther(.slept(token, until: until))
    case .began(let token): handleOther(.called(token))
    case .refused(let action, let site): handleOther(.refused(action, site))
    }
  }
}
