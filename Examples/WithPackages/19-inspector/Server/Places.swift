// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// A limited number of places. A place that is released is free again.
final class Places: Sendable {
  final class Place: Sendable {
    private let places: Places

    fileprivate init(_ places: Places) {
      self.places = places
    }

    deinit { places.taken.withLock { $0 -= 1 } }
  }

  private let most: Int
  private let taken = Mutex(0)

  init(_ most: Int) {
    self.most = most
  }

  /// A place, if one is free.
  func take() -> Place? {
    let isFree = taken.withLock { taken in
      guard taken < most else { return false }
      taken += 1
      return true
    }
    return isFree ? Place(self) : nil
  }
}
