// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

@testable import app

struct Closed: Error {}

extension Kitchen {
  /// Answers at once.
  static let open = Kitchen(
    recipes: { [Recipe(id: 1, title: "Borscht"), Recipe(id: 2, title: "Carrot cake")] }, rating: { $0 + 2 },
    steps: { ["Cook \($0)."] }, publish: { "\($0)/\($1)" }, saveUnits: { _ in })

  /// Answers on the main actor: not before a test on the main actor suspends.
  static let onMain = Kitchen(
    recipes: { @MainActor in try await open.recipes() }, rating: { @MainActor in try await open.rating($0) },
    steps: { @MainActor in try await open.steps($0) }, publish: { @MainActor in try await open.publish($0, $1) },
    saveUnits: { @MainActor in try await open.saveUnits($0) })

  /// Fails at once.
  static let closed = Kitchen(
    recipes: { throw Closed() }, rating: { _ in throw Closed() }, steps: { _ in throw Closed() },
    publish: { _, _ in throw Closed() }, saveUnits: { _ in throw Closed() })

  /// Answers after a second of the test's clock, so that much can happen meanwhile.
  static func slow(_ clock: TestClock) -> Kitchen {
    let open = Kitchen.open
    @Sendable func wait() async throws { try await clock.sleep(for: .seconds(1)) }
    return Kitchen(
      recipes: {
        try await wait(); return try await open.recipes()
      },
      rating: {
        try await wait(); return try await open.rating($0)
      },
      steps: {
        try await wait(); return try await open.steps($0)
      },
      publish: {
        try await wait(); return try await open.publish($0, $1)
      },
      saveUnits: { _ in try await wait() })
  }
}
