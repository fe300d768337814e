// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
package import EffectRuntime

/// A store that its own reducer, handlers and observers want to reach. It does not keep it.
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
