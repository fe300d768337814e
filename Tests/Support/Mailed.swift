// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A value that is created after the code that needs it.
package final class Mailed<Value: Sendable>: Sendable {
  private let content = Lock<Value?>(nil)
  private let isThere = Gate()

  package init() {}

  package func deliver(_ value: Value) {
    content.withLock { $0 = value }
    isThere.open()
  }

  package func value() async -> Value {
    await isThere.pass()
    return content.withLock { $0! }
  }
}
