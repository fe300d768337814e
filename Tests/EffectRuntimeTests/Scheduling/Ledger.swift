// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Makes runs that cannot be lost unnoticed: each carries an object whose release is noted.
///
/// A run that was released and never started was dropped; one that is never released has leaked.
final class Ledger: Sendable {
  private struct Book {
    var living: [String: Int] = [:]
    var released: [String] = []
  }

  private let book = Lock(Book())

  private final class Life: Sendable {
    let name: String
    let ledger: Ledger

    init(_ name: String, _ ledger: Ledger) {
      self.name = name
      self.ledger = ledger
      ledger.book.withLock { $0.living[name, default: 0] += 1 }
    }

    deinit {
      ledger.book.withLock { book in
        book.living[name, default: 0] -= 1
        if book.living[name] == 0 { book.living[name] = nil }
        book.released.append(name)
      }
    }
  }

  /// The names of runs that are still referenced.
  var living: Set<String> { book.withLock { Set($0.living.keys) } }

  /// The names of runs released since the last call.
  func takeReleased() -> [String] {
    book.withLock { book in
      defer { book.released = [] }
      return book.released
    }
  }

  /// A run that nothing executes: tests decide what it sends and when it ends.
  func run<Action>(
    _ name: String, id: EffectID? = nil, overlap: Overlap = .concurrent, input: String? = nil, catches: Bool = false
  ) -> Effect<Action> {
    let life = Life(name, self)
    var failure: (@concurrent @Sendable (any Error, Send<Action>) async -> Void)?
    if catches { failure = { [life] _, _ in withExtendedLifetime(life) {} } }
    if let input {
      return .run(
        id: id, overlap: overlap, input: input, name: name, { [life] _, _ in withExtendedLifetime(life) {} },
        catch: failure)
    }
    return .run(id: id, overlap: overlap, name: name, { [life] _ in withExtendedLifetime(life) {} }, catch: failure)
  }
}
