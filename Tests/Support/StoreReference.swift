// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
package import EffectRuntime

/// A weak reference to a store, for its own reducer, handlers and observers.
package final class StoreReference<R: Reducer>: Sendable {
  private struct Weak {
    weak var store: Store<R>?
  }

  private let reference = Lock(Weak())

  package init() {}

  package var store: Store<R>? {
    get { reference.withLock { $0.store } }
    set { reference.withLock { $0.store = newValue } }
  }
}
