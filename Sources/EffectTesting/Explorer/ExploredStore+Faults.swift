// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// The two seams where something goes wrong: where a body is executed, and where a message is taken.
extension ExploredStore {
  /// A run is about to start: perhaps something goes wrong with it.
  func chooseFault(for operation: Effect<Action>.Operation) -> Exploration.Fault? {
    guard !world.hasFailed, let id = operation.id else { return nil }
    let faults = world.settings.faults.all.filter { $0.id == id }
    let choice = world.choose(faults.count + 1)
    guard choice > 0 else { return nil }
    world.hasFailed = true
    return faults[choice - 1]
  }

  /// Executes a body with a fault; without one, as it is.
  @usableFromInline
  func spawnFaulty(_ body: RunBody<Action>, _ operation: Effect<Action>.Operation, _ token: Token) -> Task<Void, Never>
  {
    guard let fault = chooseFault(for: operation) else { return spawn(body, thrown: nil) }
    switch fault.kind {
    case .duplicate:
      duplicated = token
      return spawn(body, thrown: nil)
    case .fail(let error):
      return Task(executorPreference: executor) { [mailbox] in mailbox.post(.ended(token, error)) }
    case .hang:
      return Task(executorPreference: executor) { [mailbox] in
        let waiter = Waiter()
        await withTaskCancellationHandler {
          _ = await waiter.wait()
        } onCancel: {
          waiter.answer(false)
        }
        mailbox.post(.ended(token, nil))
      }
    case .delay(let duration):
      return Task(executorPreference: executor) { [clock] in
        try? await clock.sleep(for: duration)
        await body()
      }
    }
  }

  /// The message at hand is taken once more if it is to come twice.
  @usableFromInline
  func duplicate(_ action: Action, sentBy token: Token) {
    guard token == duplicated else { return }
    duplicated = .none
    batch.insert(.sent(action, by: token), at: position)
  }
}
