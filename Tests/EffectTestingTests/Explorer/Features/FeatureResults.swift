// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Every order of the level was tried.
func expectLevel(
  _ level: Exploration.Level, _ result: Exploration, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(result.completeLevel == level, "\(result)", sourceLocation: sourceLocation)
  Measured.print("\(sourceLocation.fileName):\(sourceLocation.line): \(result), \(result.spent) schedules")
}

/// A stream whose elements come one after the other, each at any time. It ends with the first answer that is `nil`.
func stream<Element: Sendable>(of next: Mock<Int, Element?>) -> AsyncThrowingStream<Element, any Error> {
  AsyncThrowingStream { continuation in
    let reading = Task {
      do {
        var position = 0
        while let element = try await next(position) {
          continuation.yield(element)
          position += 1
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in reading.cancel() }
  }
}

struct Unavailable: Error {}
