// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// What happens beside actions of the script and ends of runs.
extension ExploredStore {
  /// The script lets time pass. What is due until then has fired before.
  @usableFromInline
  func advance(_ step: Int) {
    clock.move(to: script.target(of: step))
    handle(.timePassed)
  }

  @usableFromInline
  func takeOther(_ message: Message<Action>) {
    switch message {
    case .order(.delivered(let action, let token, let waiter)):
      notes?.stop("a run waits until its action is reduced")
      if hasFaults { duplicate(action, sentBy: token) }
      deliverer = token
      defer { deliverer = .none }
      runner.histories.delivers(action, token)
      handle(.delivered(action, by: token, waiter))
      runner.histories.delivered(token, wasReduced: engine.isHolding)
      if !engine.isHolding { dropped(action, token) } else { reduceTurn() }
    case .order(.cancel(let ids)):
      if runner.evidence.scriptCancels[ids] != true {
        runner.evidence.scriptCancels[ids] = !scheduler.effects(.ids(ids)).isEmpty
      }
      handle(.cancel(ids))
      finishTurn()
    case .cancelDispatch(let number):
      mailbox.forgetCancelled(number)
      handle(.senderCancelled(number))
      finishTurn()
    case .order(.late(let action, let token, let run, let waiter)):
      notes?.stop("a closure sends after it has returned")
      handle(.late(action, by: token, run, waiter))
      if !engine.isHolding { dropped(action, token) } else { reduceTurn() }
    case .order(let input):
      handle(input)
      switch input {
      case .slept, .watch: break
      default: finishTurn()
      }
    default:
      fatalError("ExploredStore: \(message) in the mailbox of an explored store; bug in EffectTesting, please report")
    }
  }

  /// A deadline of the scheduler fires.
  @usableFromInline
  func fireAlarm() {
    guard let alarm = scheduler.nextAlarm else { return }
    clock.move(to: alarm.deadline)
    handle(.deadline)
    finishTurn()
  }

  /// Ends everything, without reducing anything. Returns `false` if a closure does not return.
  @usableFromInline
  func end() -> Bool {
    isEnding = true
    isTraced = false
    engine.trace(false)
    if !scheduler.isIdle { handle(.cancelEverything) }
    while true {
      handle(.dropTurn)
      var hasJobs = false
      if executor.readyCount > 0 {
        hasJobs = true
        guard executor.drain() else { break }
      }
      var hasEnds = false
      while endCount > 0 {
        hasEnds = true
        endCount -= 1
        let (token, _) = ends.removeLast()
        returned(token)
        handle(.ended(token, nil))
        handle(.dropTurn)
      }
      while hasMail {
        hasEnds = true
        position += 1
        if case .ended(let token, _) = batch[position - 1] {
          returned(token)
          handle(.ended(token, nil))
          handle(.dropTurn)
        } else {
          batch[position - 1].storeIsGone()
        }
      }
      if !hasJobs, !hasEnds { break }
    }
    return live.isEmpty
  }
}
