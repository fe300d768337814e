// This source file is part of swift-effects. License: Apache-2.0.

/// The attempts of runs that have a time limit or may be retried, by the slots of the runs (rules C5 and E1).
///
/// A run keeps its slot through all attempts, and each attempt has a token of its own. A closure whose attempt ran out of time
/// moves to another slot, where it stays until it has returned.
struct RunAttempts: Sendable {
  private var attempts: [Int32: Attempt] = [:]
  /// The slots of closures whose attempt ran out of time and that have not returned, by the tokens they had.
  private var abandoned: [Token: Int32] = [:]

  private struct Attempt: Sendable {
    /// Counted from 1.
    var number = 0
    /// When all attempts together have taken too long; `nil` without such a limit.
    var end: Duration?
    /// For an exclusive run: the slot of the closure that ran out of time and has not returned, or -1.
    var abandoned: Int32 = -1
    /// Whether the next attempt only waits for that closure.
    var isDue = false
  }

  /// Whether nothing is kept.
  var isEmpty: Bool { attempts.isEmpty && abandoned.isEmpty }

  /// How much is kept.
  var count: Int { attempts.count + abandoned.count }

  /// Which attempt a run is at, counted from 1; 1 for a run without time modifiers.
  func current(of run: Int32) -> Int { max(1, attempts[run]?.number ?? 1) }

  /// Adds all that is known of the attempts of a run to a hash.
  func addFingerprint(of run: Int32, to hasher: inout Hasher, _ relative: (Duration) -> Duration) {
    guard let attempt = attempts[run] else { return hasher.combine(0) }
    hasher.combine(attempt.number)
    hasher.combine(attempt.end.map(relative))
    hasher.combine(attempt.abandoned >= 0)
    hasher.combine(attempt.isDue)
  }

  /// The next attempt of a run begins.
  ///
  /// - Parameter end: when all attempts together have taken too long; only the first attempt reads it.
  mutating func begin(_ run: Int32, end: Duration? = nil) {
    if attempts[run] == nil { attempts[run] = Attempt(end: end) }
    attempts[run]?.number += 1
  }

  /// How many attempts a run has made; `nil` if it may have only one, without a time limit.
  func made(by run: Int32) -> Int? { attempts[run]?.number }

  /// When all attempts of a run together have taken too long; `nil` without such a limit.
  func end(of run: Int32) -> Duration? { attempts[run]?.end }

  /// The slot of a closure whose attempt ran out of time and that has not returned.
  func closure(of token: Token) -> Int32? { abandoned.isEmpty ? nil : abandoned[token] }

  /// An attempt has run out of time; its closure moves to a slot of its own.
  ///
  /// - Parameters:
  ///   - token: the token of the attempt.
  ///   - holdsSlot: whether the next attempt waits for the closure to return: true of an exclusive run.
  mutating func abandon(_ token: Token, closure: Int32, holdsSlot: Bool) {
    abandoned[token] = closure
    if holdsSlot { attempts[token.slot]?.abandoned = closure }
  }

  /// The closure that the next attempt of a run waits for; `nil` if there is none.
  func awaitedClosure(of run: Int32) -> Int32? {
    guard let attempt = attempts[run], attempt.abandoned >= 0 else { return nil }
    return attempt.abandoned
  }

  /// The next attempt of a run is due.
  ///
  /// - Returns: whether it may begin; otherwise it begins when the closure of the one before has returned.
  mutating func nextIsDue(of run: Int32) -> Bool {
    guard awaitedClosure(of: run) != nil else { return true }
    attempts[run]?.isDue = true
    return false
  }

  /// A closure has returned whose attempt ran out of time.
  ///
  /// - Returns: the slot of the closure, and whether the run's next attempt may begin now; `nil` for any other token.
  mutating func closureReturned(_ token: Token) -> (closure: Int32, startsNext: Bool)? {
    guard let closure = abandoned.removeValue(forKey: token) else { return nil }
    guard attempts[token.slot]?.abandoned == closure else { return (closure, false) }
    attempts[token.slot]?.abandoned = -1
    guard attempts[token.slot]?.isDue == true else { return (closure, false) }
    attempts[token.slot]?.isDue = false
    return (closure, true)
  }

  /// A run has no more attempts. Their number is kept until the run ends.
  ///
  /// - Returns: the closure that holds its slot until it returns; `nil` if there is none.
  mutating func leaveClosure(of run: Int32) -> Int32? {
    guard let closure = awaitedClosure(of: run) else { return nil }
    attempts[run]?.abandoned = -1
    return closure
  }

  /// A run has ended.
  mutating func forget(_ run: Int32) { attempts[run] = nil }
}
