// This source file is part of swift-effects. License: Apache-2.0.

/// What happens when a run starts while others of its id are live.
///
/// | overlap | the run that arrives | those that live |
/// |---|---|---|
/// | ``concurrent`` | starts | go on, without limit |
/// | ``restart`` | starts | the oldest is cancelled |
/// | ``drop`` | is ignored | go on |
/// | ``enqueue`` | waits behind the others, first in, first out | go on |
/// | ``keepLatest`` | waits in the one waiting place, taking it from who stood there | go on |
/// | ``join`` | shares the newest live run with an equal `input`, otherwise waits | go on |
///
/// A live run holds a **place**. Every kind but `concurrent` has a `limit`: at most so many places under one id, and
/// only past them does the overlap decide. A cancelled run gives its place up at once; with `exclusive` it keeps it
/// until its closure has returned, so that never more than `limit` closures execute (a file, a database, a device).
/// A limit declared by a newer run of the id counts from then on. An overlap only means something under an id.
///
/// - Isolation: a value; usable from any thread.
/// - Origin: `flatMap`, `switchMap`, `exhaustMap` and `concatMap` of ReactiveX under plain names; `keepLatest`, limits
///   and exclusive places as in redux-saga and in Kotlin's `Mutex`-guarded flows.
public struct Overlap: Hashable, Sendable {
  /// Which of the six behaviours.
  package enum Kind: UInt8, Hashable, Sendable {
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
  // 32 bits: an overlap rides in every run, and nobody limits to more than two thousand million.
  private let storedLimit: Int32
  private let storedCapacity: Int32

  private init(
    _ kind: Kind, limit: Int, exclusive: Bool, capacity: Int = Int(Int32.max), whenFull: WhenFull = .dropNewest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    // Not `precondition`: optimised builds would trap without a word.
    if limit < 1 {
      fatalError("Overlap.\(kind): limit is \(limit); at least one run must be able to live", file: fileID, line: line)
    }
    if capacity < 0 {
      fatalError(
        "Overlap.\(kind): capacity is \(capacity); a queue cannot hold less than none", file: fileID, line: line)
    }
    self.kind = kind
    self.exclusive = exclusive
    self.whenFull = whenFull
    storedLimit = Int32(clamping: limit)
    storedCapacity = Int32(clamping: capacity)
  }

  /// How many runs may hold a place at once; `Int.max` where there is no limit.
  package var limit: Int { storedLimit == .max ? .max : Int(storedLimit) }

  /// How many runs may wait; `Int.max` where there is no bound.
  package var capacity: Int { storedCapacity == .max ? .max : Int(storedCapacity) }
}

// MARK: - Kinds

extension Overlap {
  /// All run at the same time, without limit.
  public static let concurrent = Overlap(.concurrent, limit: .max, exclusive: false)

  /// The oldest live run is cancelled to make room: latest wins. The same as `.restart()`.
  public static let restart = restart()

  /// The new run is ignored while one lives: first wins. The same as `.drop()`.
  public static let drop = drop()

  /// The new run waits its turn: one after another, in order. The same as `.enqueue()`.
  public static let enqueue = enqueue()

  /// The new run waits in the only waiting place, and whoever stood there is dropped. The same as `.keepLatest()`.
  public static let keepLatest = keepLatest()

  /// The new run shares the newest live run with an equal `input`. The same as `.join()`.
  public static let join = join()

  /// The oldest live runs are cancelled down to `limit`.
  ///
  /// - Precondition: `limit` is at least 1.
  public static func restart(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.restart, limit: limit, exclusive: exclusive, fileID: fileID, line: line)
  }

  /// The new run is ignored while `limit` runs live.
  ///
  /// - Precondition: `limit` is at least 1.
  public static func drop(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.drop, limit: limit, exclusive: exclusive, fileID: fileID, line: line)
  }

  /// The new run waits, first in, first out, until fewer than `limit` runs live.
  ///
  /// - Parameters:
  ///   - limit: how many may live at once; at least 1.
  ///   - exclusive: whether a cancelled run keeps its place until its closure has returned.
  ///   - capacity: how many may wait; `nil` for no bound.
  ///   - whenFull: whom a full queue drops.
  ///   - fileID: the file that is named if an argument makes no sense.
  ///   - line: likewise.
  public static func enqueue(
    limit: Int = 1, exclusive: Bool = false, capacity: Int? = nil, whenFull: WhenFull = .dropNewest,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(
      .enqueue, limit: limit, exclusive: exclusive, capacity: capacity ?? .max, whenFull: whenFull, fileID: fileID,
      line: line)
  }

  /// While `limit` runs live, one more may wait: the newest.
  ///
  /// - Precondition: `limit` is at least 1.
  public static func keepLatest(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.keepLatest, limit: limit, exclusive: exclusive, fileID: fileID, line: line)
  }

  /// The new run becomes one with the newest live run of an equal `input`; with none, it waits as in ``enqueue``.
  ///
  /// The run, and all that its actions cause from then on, belong to the dispatch of everyone who shares it: each of them
  /// waits for all of it, and it is cancelled with the last.
  ///
  /// - Cancellation: cancelling one dispatch leaves the run to the others. Cancelling the `id` cancels it for all.
  /// - Complexity: compares the `input` with that of the id's live runs, from the newest on, until one is equal. An action
  ///   of a shared run costs O(*owners*) when these have changed since its last action.
  /// - Precondition: `limit` is at least 1.
  public static func join(
    limit: Int = 1, exclusive: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Overlap {
    Overlap(.join, limit: limit, exclusive: exclusive, fileID: fileID, line: line)
  }
}

extension Overlap: CustomStringConvertible {
  /// As it is written in source: `restart`, `enqueue(limit: 3, capacity: 10)`.
  public var description: String {
    var arguments: [String] = []
    if kind != .concurrent, limit != 1 { arguments.append("limit: \(limit)") }
    if exclusive { arguments.append("exclusive: true") }
    if capacity != .max { arguments.append("capacity: \(capacity)") }
    if whenFull != .dropNewest { arguments.append("whenFull: \(whenFull)") }
    return arguments.isEmpty ? "\(kind)" : "\(kind)(\(arguments.joined(separator: ", ")))"
  }
}
