// This source file is part of swift-effects. License: Apache-2.0.

extension ScheduleRunner {
  /// The operations of the store, compiled for its reducer.
  @usableFromInline
  final class Moves {
    let post: (Int) -> Void
    let take: () -> Void
    let takeEnd: (Int) -> Void
    let absorb: () -> Bool
    let tearDown: () -> Bool

    @usableFromInline
    init(
      post: @escaping (Int) -> Void, take: @escaping () -> Void, takeEnd: @escaping (Int) -> Void,
      absorb: @escaping () -> Bool, tearDown: @escaping () -> Bool
    ) {
      self.post = post
      self.take = take
      self.takeEnd = takeEnd
      self.absorb = absorb
      self.tearDown = tearDown
    }
  }
}
