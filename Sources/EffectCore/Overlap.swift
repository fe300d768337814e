// This source file is part of swift-effects. License: Apache-2.0.

/// What happens when a run starts while other runs of its id are active.
///
/// | overlap | the run that arrives | the active runs |
/// |---|---|---|
/// | ``concurrent`` | starts | continue, without limit |
/// | ``restart`` | starts | the oldest is cancelled |
/// | ``drop`` | is ignored | continue |
/// | ``enqueue`` | waits behind the others, first in, first out | continue |
/// | ``keepLatest`` | waits; the run that waited before is dropped | continue |
/// | ``join`` | shares the newest run with an equal `input`, otherwise waits | continue |
///
/// An active run holds a **slot**, until its `catch` is called. Every overlap but `concurrent` has a `limit`: the number
/// of slots of an id. The overlap decides only when all slots are taken. A cancelled run releases its slot at once. With `exclusive` it keeps the slot
/// until its closure has returned, so that never more than `limit` closures execute (for a file, a database, a device).
/// If a newer run of the id declares another limit, that limit counts from then on. Without an id an overlap has no
/// effect.
///
/// Four of the names are one queue: `drop` is a queue in which nothing may wait, `keepLatest` one in which one run may
/// wait, the newest, and `concurrent` one without a limit.
///
/// - Isolation: a value; usable from any thread.
/// - Origin: `flatMap`, `switchMap`, `exhaustMap` and `concatMap` of ReactiveX under plain names; `keepLatest`, limits
///   and exclusive slots as in redux-saga and in Kotlin's `Mutex`-guarded flows.
public struct Overlap: Hashable, Sendable {
  /// What decides about a run that arrives when all slots are taken.
  package enum Kind: UInt8, Hashable, Sendable {
    /// The oldest active runs are cancelled.
    case restart
    /// It waits, if the queue has room.
    case queue
    /// It shares a run with an equal input, otherwise it waits.
    case join
  }

  /// The name by which it was declared.
  package enum Name: UInt8, Hashable, Sendable {
    case concurrent, restart, drop, enqueue, keepLatest, join
  }

  /// What a full queue does with one more run.
  public enum WhenFull: UInt8, Hashable, Sendable {
    /// The run that arrives is dropped; those that wait stay.
    case dropNewest
    /// The run that has waited longest is dropped; the new one waits.
    case dropOldest
  }

  package let kind: Kind
  package let exclusive: Bool
  package let whenFull: WhenFull
  // 32 bits: every run contains an overlap, and no limit needs to be above two thousand million.
  private let storedLimit: Int32
  private let storedCapacity: Int32

  private init(
    _ kind: Kind, as name: Name, limit: Int, exclusive: Bool = false, capacity: Int = .max,
    whenFull: WhenFull = .dropNewest, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    // Not `precondition`: optimised builds would trap without a message.
    if limit < 1 {
      fatalError("Overlap.\(name): limit is \(limit); at least one run must be allowed", file: fileID, line: line)
    }
    if capacity < 0 {
      fatalError(
        "Overlap.\(name): capacity is \(capacity); it must not be negative", file: fileID, line: line)
    }
    self.kind = kind
    self.exclusive = exclusive
    // Where nothing may wait, a full queue has only one answer.
    self.whenFull = capacity == 0 ? .dropNewest : whenFull
    storedLimit = Int32(clamping: limit)
    storedCapacity = Int32(clamping: capacity)
  }

  /// How many runs may hold a slot at once; `Int.max` where there is no limit.
  package var limit: Int { storedLimit == .max ? .max : Int(storedLimit) }

  /// How many runs may wait; `Int.max` where there is no bound.
  package var capacity: Int { storedCapacity == .max ? .max : Int(storedCapacity) }

  /// The name under which it is declared.
  package var name: Name {
    switch kind {
    case .restart: .restart
    case .join: .join
    case .queue:
      if limit == .max {
        .concurrent
      } else if capacity == 0 {
        .drop
      } else {
        capacity == 1 && whenFull == .dropOldest ? .keepLatest : .enqueue
      }
    }
  }
}

// MARK: - The six overlaps

extension Overlap {
  /// All run at the same time, without limit.
  public static let concurrent = Overlap(.queue, as: .concurrent, limit: .max)

  /// The oldest active run is cancelled to make room: latest wins. The same as `.restart()`.
  public static let restart = restart()

  /// The new run is ignored while another is active: first wins. The same as `.drop()`.
  public static let drop = drop()

  /// The new run waits: one run after another, in order. The same as `.enqueue()`.
  public static let enqueue = enqueue()

  /// The new run waits, and the run that waited before is dropped. The same as `.keepLatest()`.
  public static let keepLatest = keepLatest()

  /// The new run shares the newest run with an equal `input`. The same as `.join()`.
  public static let join = join()

  /// The oldest active runs are cancelled, so that with the new run at most `limit` hold a slot.
  ///
  /// - Precondition: `limit` is at least 1.
  /// - Parameters:
  ///   - limit: how many may be active at once; at least 1.
  ///   - exclusive: whether a cancelled run keeps its slot until its closure has returned.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the overlap.
  public static func restart(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.restart, as: .restart, limit: limit, exclusive: exclusive, fileID: fileID, line: line)
  }

  /// The new run is ignored while `limit` runs are active.
  ///
  /// - Precondition: `limit` is at least 1.
  /// - Parameters:
  ///   - limit: how many may be active at once; at least 1.
  ///   - exclusive: whether a cancelled run keeps its slot until its closure has returned.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the overlap.
  public static func drop(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.queue, as: .drop, limit: limit, exclusive: exclusive, capacity: 0, fileID: fileID, line: line)
  }

  /// The new run waits, first in, first out, until fewer than `limit` runs are active.
  ///
  /// - Precondition: `limit` is at least 1, and `capacity` at least 0.
  /// - Parameters:
  ///   - limit: how many may be active at once; at least 1.
  ///   - exclusive: whether a cancelled run keeps its slot until its closure has returned.
  ///   - capacity: how many may wait; `nil` for no bound.
  ///   - whenFull: which run a full queue drops.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the overlap.
  public static func enqueue(
    limit: Int = 1, exclusive: Bool = false, capacity: Int? = nil, whenFull: WhenFull = .dropNewest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(
      .queue, as: .enqueue, limit: limit, exclusive: exclusive, capacity: capacity ?? .max, whenFull: whenFull,
      fileID: fileID, line: line)
  }

  /// While `limit` runs are active, one more may wait: the newest.
  ///
  /// - Precondition: `limit` is at least 1.
  /// - Parameters:
  ///   - limit: how many may be active at once; at least 1.
  ///   - exclusive: whether a cancelled run keeps its slot until its closure has returned.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the overlap.
  public static func keepLatest(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(
      .queue, as: .keepLatest, limit: limit, exclusive: exclusive, capacity: 1, whenFull: .dropOldest, fileID: fileID,
      line: line)
  }

  /// The new run shares the newest run with an equal `input`, active or queued; if there is none, it waits as with
  /// ``enqueue``.
  ///
  /// The run, and all that its actions cause from then on, belong to the dispatches of all actions that share it. Each
  /// of these dispatches waits for all of it. It is cancelled when the last of them is cancelled.
  ///
  /// - Cancellation: if one dispatch is cancelled, the run goes on for the others. Cancelling the `id` cancels it for
  ///   all.
  /// - Complexity: O(1) to find the run, by the hash of the `input`; O(active and queued runs) while runs of the id declare
  ///   different overlaps. An action of a shared run costs O(*owners*) when these have changed since its last action.
  /// - Precondition: `limit` is at least 1.
  /// - Parameters:
  ///   - limit: how many may be active at once; at least 1.
  ///   - fileID: the file that the error names if an argument is invalid.
  ///   - line: likewise.
  /// - Returns: the overlap.
  public static func join(limit: Int = 1, fileID: StaticString = #fileID, line: UInt = #line) -> Overlap {
    Overlap(.join, as: .join, limit: limit, fileID: fileID, line: line)
  }
}

extension Overlap: CustomStringConvertible {
  /// As it is written in source: `restart`, `enqueue(limit: 3, capacity: 10)`.
  public var description: String {
    let name = name
    var arguments: [String] = []
    if name != .concurrent, limit != 1 { arguments.append("limit: \(limit)") }
    if exclusive { arguments.append("exclusive: true") }
    if name == .enqueue {
      if capacity != .max { arguments.append("capacity: \(capacity)") }
      if whenFull != .dropNewest { arguments.append("whenFull: \(whenFull)") }
    }
    return arguments.isEmpty ? "\(name)" : "\(name)(\(arguments.joined(separator: ", ")))"
  }
}
