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

  /// Takes the actions of runs that were cancelled, which are dropped, and their ends. Nothing can observe when these are taken.
  @usableFromInline
  func absorbMailOfCancelled() {
    if observesEnds || hasFaults || properties.observesCancelled { return }
    for index in ends.indices.reversed() where isInvisible(endOf: ends[index].token, ends[index].error) {
      takeEnd(index)
    }
    guard hasMail else { return }
    if executor.takeNoteOfMail() {
      var more: [Message<Action>] = []
      if mailbox.takeAll(into: &more) { batch += more }
    }
    // An end stays behind what its closure has sent.
    var waiting: [Token] = []
    var index = position
    while index < batch.count {
      switch batch[index] {
      case .sent(let action, let token) where !scheduler.isLive(token):
        batch.remove(at: index)
        announce(action, sentBy: token)
        dropped(action, token)
      case .ended(let token, let error) where !waiting.contains(token) && isInvisible(endOf: token, error):
        batch.remove(at: index)
        ended(token, error)
      case .order(.delivered(_, let token, _)), .order(.late(_, let token, _, _)):
        waiting.append(token)
        index += 1
      default: index += 1
      }
    }
  }

  private func isInvisible(endOf token: Token, _ error: (any Error)?) -> Bool {
    !scheduler.isLive(token) && visibilityOfEnd(of: token, error) == .none
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
