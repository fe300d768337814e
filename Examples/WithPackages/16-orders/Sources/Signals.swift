// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// After it returns, these signals call the closure, until the returned sources are cancelled. Before, they end the process.
func whenSignalled(
  _ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void
) async -> [any DispatchSourceSignal] {
  var sources: [any DispatchSourceSignal] = []
  for number in numbers {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { body(number) }
    await withCheckedContinuation { registered in
      source.setRegistrationHandler { registered.resume() }
      source.activate()
    }
    #if !os(Linux)
      signal(number, SIG_IGN)
    #endif
    sources.append(source)
  }
  return sources
}
