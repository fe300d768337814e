// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization

/// Replaces a store: keeps the actions that runs send, and returns the specified answer.
final class RecordingSink<Action: Sendable>: ActionSink {
  private let log = Mutex<[Action]>([])
  private let refusals = Mutex<[Action]>([])
  private let slept = Mutex<[Duration]>([])
  private let capacity: Int

  /// Accepts the given number of actions and refuses the rest.
  init(capacity: Int = .max) {
    self.capacity = capacity
  }

  var actions: [Action] { log.withLock { $0 } }
  var refused: [Action] { refusals.withLock { $0 } }
  var sleeps: [Duration] { slept.withLock { $0 } }

  func send(_ action: Action, by token: Token) -> Bool {
    let isAccepted = log.withLock { log in
      guard log.count < capacity else { return false }
      log.append(action)
      return true
    }
    if !isAccepted { refusals.withLock { $0.append(action) } }
    return isAccepted
  }

  func delivered(_ action: Action, by token: Token) async -> Bool { send(action, by: token) }
  func sleep(for duration: Duration, by token: Token) async throws { slept.withLock { $0.append(duration) } }
  var now: Duration { .seconds(42) }
  var uncountedNow: Duration { now }
  var clock: any Clock<Duration> { ContinuousClock() }
}

extension Effect {
  /// The actions that the runs of the tree send when they are executed one after another, as in a store in which each
  /// run ends before the next one begins.
  func performed() async -> [Action] {
    let sink = RecordingSink<Action>()
    for operation in operations { await operation.perform(into: sink) }
    return sink.actions
  }

  /// The runs of the tree with their closures, from left to right.
  var operations: [Operation] {
    switch self {
    case .none, .send, .cancel: []
    case .run(let operation): [operation]
    case .merge(let parts), .concatenate(let parts): parts.flatMap(\.operations)
    case .cancellable(let tree): tree.content.operations
    }
  }
}

extension Effect.Operation {
  /// Calls the closure, and `catch` if there is one and the closure throws.
  func perform(into sink: RecordingSink<Action>) async {
    do { try await body(Send(sink)) } catch { await failure?(error, Send(sink)) }
  }
}
