// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import EffectRuntime

// Steps that few scripts have: each does what a store does.
extension ExploredStore {
  /// A sender has sent an action; 0 if it was refused.
  @usableFromInline
  func posted(_ number: UInt64, by step: Int) {
    guard case .send(let action, let site) = script.step(step) else { return }
    if number > 0 { script.senders?.numbers[step] = number } else { refuse(action, site) }
  }

  @usableFromInline
  func perform(_ order: ScriptOrder<Action>, of step: Int) {
    guard let senders = script.senders else { return }
    switch order {
    case .cancelSent(let sent):
      // Without a number the action was refused, or its step was left out.
      guard let number = senders.numbers[sent] else { return }
      senders.dropCall { $1 == number }
      mailbox.cancel(number)
    case .finish(let sent):
      guard let number = senders.numbers[sent] else { return }
      let waiter = Waiter()
      if mailbox.post(.order(.watch(number, waiter, from: .none))) { senders.wait(waiter, in: step) }
    case .request(let action, let site, let call):
      let waiter = Waiter()
      let number = mailbox.post(action, watchedBy: waiter, from: .none)
      guard number > 0 else { return refuse(action, site) }
      script.carry(for: step, to: number)
      script.notePost(of: step)
      senders.numbers[step] = number
      call.begin()
      senders.wait(waiter, in: step, for: call)
    case .shutDown(let shutdown):
      let waiter = Waiter()
      guard mailbox.shutDown(shutdown, waiter, from: .none) else { return }
      isShutDown = true
      senders.wait(waiter, in: step)
      guard let limit = shutdown.limit else { return }
      if let number = clock.addDeadline(at: clock.offset.adding(limit)) {
        senders.limits[number] = waiter
      } else {
        mailbox.post(.order(.shutdownExpired(waiter)))
      }
    }
  }

  /// The time limit of a shutdown has come: a message, as in a store.
  @usableFromInline
  func cutShutdown(_ number: UInt64) {
    guard let waiter = script.senders?.limits.removeValue(forKey: number) else { return }
    mailbox.post(.order(.shutdownExpired(waiter)))
  }

  /// What a sender waits for has settled.
  @usableFromInline
  func settled(_ waiter: Waiter, _ outcomes: RequestOutcomes?) {
    guard !isEnding, let senders = script.senders else { return }
    if let call = senders.takeCall(of: waiter) {
      runner.evidence.tested.answered(call.name)
      switch call.answer(state) {
      case .holds: break
      case .violated(let violation): fail(violation)
      case .undecided(let reason): runner.noteGap(reason, .history)
      }
    }
    senders.settle(waiter)
  }

  @usableFromInline
  func performEnding(_ step: EngineOutput) {
    guard !isEnding, let senders = script.senders else { return }
    switch step {
    case .cutShort(let waiter): senders.dropCall { other, _ in other === waiter }
    case .storeEnded:
      mailbox.end()
      for number in senders.limits.keys { clock.removeDeadline(number) }
      senders.limits = [:]
    case .shutdownReturns(let waiters, _):
      for waiter in waiters { senders.settle(waiter) }
    default: break
    }
  }

  /// All that was accepted has been handled.
  @usableFromInline
  func rest() {
    if !isEnding { handle(.rested) }
  }

  private func refuse(_ action: Action, _ site: CallSite) {
    if isTraced { handle(.refused(action, site)) }
  }

  /// The senders that wait, and not because of a fault.
  @usableFromInline
  var waitingSenders: [String] { hung.isEmpty ? script.senders?.waiting ?? [] : [] }
}
