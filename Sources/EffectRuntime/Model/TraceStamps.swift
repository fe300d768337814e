// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// When and where a message was posted.
@usableFromInline
struct TraceStamp: Sendable {
  /// `nil` if no listener needs it.
  @usableFromInline let time: Duration?
  /// The line of the sender; `nil` if it is not known.
  @usableFromInline let site: CallSite?

  @inlinable
  init(time: Duration?, site: CallSite?) {
    self.time = time
    self.site = site
  }
}

/// When and where the messages of a batch were posted, by their positions in it.
///
/// There is a stamp for each waiting action, so stamps are stored compactly. A line is stored once for neighbours that
/// were sent from it. Times are stored only if a listener needs them.
@usableFromInline
struct TraceStamps: Sendable {
  /// Neighbours that were sent from the same line.
  @usableFromInline
  struct Stretch: Sendable {
    /// The line; `nil` if it is not known.
    @usableFromInline let site: CallSite?
    /// The position after the last of them.
    @usableFromInline var end: Int

    @inlinable
    init(site: CallSite?, end: Int) {
      self.site = site
      self.end = end
    }
  }

  /// The lines, in the order of the positions.
  @usableFromInline var stretches: [Stretch] = []
  /// The times, by positions; negative if a message has none. There may be fewer times than messages.
  @usableFromInline var times: [Duration] = []
  /// The stretch that was read last.
  @usableFromInline var reading = 0

  @inlinable
  init() {}

  /// Whether no stamp was added.
  @inlinable var isEmpty: Bool { stretches.isEmpty }

  /// Notes the stamp of the message at a position, the last one so far.
  @inlinable @inline(__always)
  mutating func add(_ stamp: TraceStamp, of position: Int) {
    let last = stretches.count - 1
    if last >= 0, stretches[last].end == position, stretches[last].site.isSame(as: stamp.site) {
      stretches[last].end = position + 1
    } else {
      begin(stamp.site, at: position)
    }
    guard let time = stamp.time else { return }
    // Messages that came before the first listener, or before a listener needed times, have none.
    while times.count < position { times.append(.nanoseconds(-1)) }
    times.append(time)
  }

  /// Begins a stretch at a position. Positions without a stamp before it are in a stretch without a line.
  @usableFromInline
  mutating func begin(_ site: CallSite?, at position: Int) {
    let end = stretches.last?.end ?? 0
    if end < position { stretches.append(Stretch(site: nil, end: position)) }
    stretches.append(Stretch(site: site, end: position + 1))
  }

  /// When the message at a position was posted; `nil` if that was not noted.
  @inlinable
  func time(of position: Int) -> Duration? {
    guard position < times.count, times[position] >= .zero else { return nil }
    return times[position]
  }

  /// The line from which the message was posted; `nil` if that was not noted. Read the positions in ascending order.
  @inlinable
  mutating func site(of position: Int) -> CallSite? {
    while reading < stretches.count, stretches[reading].end <= position { reading += 1 }
    return reading < stretches.count ? stretches[reading].site : nil
  }

  /// Removes all stamps. After a burst the memory is released.
  @inlinable
  mutating func removeAll() {
    reading = 0
    stretches.removeAll(keepingCapacity: stretches.count <= 1_024)
    times.removeAll(keepingCapacity: times.count <= 1_024)
  }
}

extension CallSite? {
  /// Whether both are the same line of the program, compared by address. Two that differ here may still have the same
  /// text.
  @inlinable @inline(__always)
  func isSame(as other: CallSite?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    guard self.storedLine == other.storedLine else { return false }
    guard self.fileID.hasPointerRepresentation, other.fileID.hasPointerRepresentation else { return false }
    // SAFETY: both have a pointer. Only the addresses are compared.
    return unsafe self.fileID.utf8Start == other.fileID.utf8Start
  }
}
