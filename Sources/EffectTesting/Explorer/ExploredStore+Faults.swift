// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// The two places where faults are injected: where a body is executed, and where a message is taken.
extension ExploredStore {
  /// A run is about to start: chooses whether a fault is injected into it. Returns the number of the fault.
  func chooseFault(for operation: Effect<Action>.Operation) -> Int? {
    let faults = runner.settings.faults
    guard let id = operation.id, let first = faults.all.firstIndex(where: { $0.id == id }) else { return nil }
    runner.evidence.metFaults.insert(id)
    guard runner.schedule.faultCount < faults.limit else { return nil }
    let own = faults.all.indices.filter { faults.all[$0].id == id }
    let choice: Int
    if let chance = faults.chance {
      let number = runner.schedule.countStart(of: id)
      // Not from the id, because its hash differs in each process.
      var numbers = SeededNumbers(seed: chance.seed &+ UInt64(first) << 32 &+ UInt64(number))
      choice = numbers.next(below: chance.oneIn) == 0 ? 1 + numbers.next(below: own.count) : 0
    } else {
      choice = runner.choose(own.count + 1)
    }
    guard choice > 0 else { return nil }
    runner.schedule.countFault()
    runner.evidence.chosenFaults.insert(own[choice - 1])
    return own[choice - 1]
  }

  /// The token in `duplicated` may stay: no run of a later schedule has it.
  @usableFromInline
  func forgetFaults() {
    suspensions = []
    hung = []
  }

  /// Executes a body, with a fault if one is chosen.
  @usableFromInline
  func spawnFaulty(_ body: RunBody<Action>, _ operation: Effect<Action>.Operation) -> Task<Void, Never> {
    let token = body.token
    guard let number = chooseFault(for: operation) else { return spawn(body, operation) }
    let fault = runner.settings.faults.all[number]
    switch fault.kind {
    // These are injected later, if at all.
    case .cancel, .duplicate: break
    case .fail, .hang, .delay: runner.noteStrike(number, on: operation)
    }
    switch fault.kind {
    case .duplicate:
      duplicated = token
      duplication = number
      return spawn(body, operation)
    case .fail(let error):
      return Task(executorPreference: executor) { [mailbox] in
        guard body.beginInTaskOfShell() else { return body.neverCalled() }
        mailbox.post(.ended(token, error))
      }
    case .hang:
      hung.append(token)
      return Task(executorPreference: executor) { [mailbox] in
        guard body.beginInTaskOfShell() else { return body.neverCalled() }
        let waiter = Waiter()
        await withTaskCancellationHandler {
          _ = await waiter.wait()
        } onCancel: {
          waiter.answer(false)
        }
        mailbox.post(.ended(token, nil))
      }
    case .delay(let duration):
      let preference: any TaskExecutor = stoppingExecutor(of: operation) ?? executor
      return Task.detached(executorPreference: preference) { [clock, executor] in
        guard body.beginInTaskOfShell() else { return body.neverCalled() }
        await CurrentRun.$identity.withValue(body.identity) { try? await clock.sleep(for: duration) }
        await executor.marking { await body() }
      }
    case .cancel(let suspension):
      let counter = SuspensionCounter(
        executor, limit: suspension, stops: stops(operation), isReached: isReached(operation))
      suspensions.append((counter, token, number))
      return Task.detached(executorPreference: counter, priority: body.priority) { [executor] in
        guard body.beginInTaskOfShell() else {
          counter.hasReturned()
          return body.neverCalled()
        }
        await executor.marking { await body() }
        counter.hasReturned()
      }
    }
  }

  /// Cancels the runs that have just given up their threads for the last time.
  @usableFromInline
  func cancelSuspended() {
    while let index = suspensions.firstIndex(where: { $0.counter.isDue }) {
      let (_, token, number) = suspensions.remove(at: index)
      guard let run = live.first(where: { $0.token == token }), !scheduler.isCancelling(token) else { continue }
      runner.noteStrike(number, on: run.operation)
      // This cancel comes where the run suspends, and nowhere else.
      isCancelledByFault = true
      defer { isCancelledByFault = false }
      handle(.cancel([runner.settings.faults.all[number].id]))
      finishTurn()
    }
  }

  /// The current message is taken once more if a fault duplicates it.
  @usableFromInline
  func duplicate(_ action: Action, sentBy token: Token) {
    guard token == duplicated, let run = live.first(where: { $0.token == token }) else { return }
    duplicated = .none
    runner.noteStrike(duplication, on: run.operation)
    batch.insert(.sent(action, by: token), at: position)
  }
}
