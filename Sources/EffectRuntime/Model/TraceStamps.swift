// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// When and where a message was posted.
@usableFromInline
struct TraceStamp: Sendable {
  /// `nil` if nobody wants to know.
  @usableFromInline let time: Duration?
  @usableFromInline let site: CallSite?

  @inlinable
  init(time: Duration?, site: CallSite?) {
    self.time = time
    self.site = site
  }
}

/// When and where the messages of a batch were posted, by their positions in it.
///
/// There are as many as actions wait, so they are kept short: the line of neighbours that were sent from the same one is
/// kept once, times only if somebody wants them.
@usableFromInline
struct TraceStamps: Sendable {
  /// Neighbours that were sent from the same line.
  @usableFromInline
  struct Stretch: Sendable {
    @usableFromInline let site: CallSite?
    /// The position behind the last of them.
    @usableFromInline var end: Int

    @inlinable
    init(site: CallSite?, end: Int) {
      self.site = site
      self.end = end
    }
  }

  @usableFromInline var stretches: [Stretch] = []
  /// Of as many messages as there are, or fewer.
  @usableFromInline var times: [Duration] = []
  /// The stretch that was asked for last.
  @usableFromInline var reading = 0

  @inlinable
  init() {}

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
    // Those that came before anybody listened, or wanted to know the time, have none.
    while times.count < position { times.append(.nanoseconds(-1)) }
    times.append(time)
  }

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

  /// From which line; `nil` if that was not noted. To be asked from the first to the last.
  @inlinable
  mutating func site(of position: Int) -> CallSite? {
    while reading < stretches.count, stretches[reading].end <= position { reading += 1 }
    return reading < stretches.count ? stretches[reading].site : nil
  }

  /// Forgets all. After a burst the memory is given back.
  @inlinable
  mutating func removeAll() {
    reading = 0
    stretches.removeAll(keepingCapacity: stretches.count <= 1_024)
    times.removeAll(keepingCapacity: times.count <= 1_024)
  }
}

extension CallSite? {
  /// Whether both name the same place in the program, compared by address. Two that differ may still read the same.
  @inlinable @inline(__always)
  func isSame(as other: CallSite?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    guard self.storedLine == other.storedLine else { return false }
    guard self.fileID.hasPointerRepresentation, other.fileID.hasPointerRepresentation else { return false }
    return unsafe self.fileID.utf8Start == other.fileID.utf8Start
  }
}
