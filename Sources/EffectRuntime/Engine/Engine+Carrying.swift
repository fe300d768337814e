// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// What a store carries from the sender of an action to its runs (rule L8).
extension Engine {
  /// Binds the carried values around the closures that are about to start, each in the context of the action that
  /// caused it.
  @usableFromInline
  func bind(_ contexts: CarriedContexts, in steps: inout [EngineOutput]) {
    for index in steps.indices {
      guard case .start(let token, let operation) = steps[index], let context = context(of: token, contexts) else {
        continue
      }
      steps[index] = .start(token, carrying(context, operation))
    }
  }

  /// Removes the contexts of actions that start no more runs. No turn is open.
  @usableFromInline
  func sweep(_ contexts: CarriedContexts) {
    contexts.sweep(taken: taken, isIdle: scheduler.isIdle) { scheduler.workTree.dispatch($0) != nil }
  }

  private func context(of token: Token, _ contexts: CarriedContexts) -> CarriedContext? {
    scheduler.firstOwner(of: token).flatMap(contexts.context)
  }

  private func carrying(_ context: CarriedContext, _ operation: any AnyOperation) -> any AnyOperation {
    Effect<R.Action>.operation(of: operation).called(inside: context.bind)
  }
}

extension Scheduler {
  /// The number of the dispatch that owns a run: the first one, if others have joined the run, or the run that caused
  /// it. `nil` if an event other than an action from outside has caused it.
  func firstOwner(of token: Token) -> UInt64? {
    var root = workTree.root(of: token.slot)
    while root >= 0 {
      switch workTree[root] {
      case .dispatch(.max): return nil
      case .dispatch(let number): return number
      case .share:
        guard let owner = sharedRuns.firstJoiner(of: root) else { return nil }
        root = workTree.root(of: owner)
      default: return nil
      }
    }
    return nil
  }
}
