// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// How much is done, and the seed and numbers it depends on.
///
/// ```
/// SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 STRESS_RUNS=1000000 STRESS_SEED=1 \
///   swift test -c release -Xswiftc -enable-testing --disable-xctest --filter StressTests
/// ```
///
/// With the first variable Swift Testing keeps nothing of each error that is thrown, and memory must return to its
/// start.
struct StressPlan: Sendable {
  var threads = 16
  /// How many runs are called at least.
  var runs: Int
  var seed: UInt64
  /// How often everything ends and memory is checked.
  var rounds: Int
  /// Whether no other test uses the process.
  var isAlone: Bool
  /// Whether no other code keeps memory.
  var isHeapOurs: Bool

  static let fromEnvironment: StressPlan = {
    let environment = ProcessInfo.processInfo.environment
    let runs = environment["STRESS_RUNS"].flatMap { Int($0) }
    let seed = environment["STRESS_SEED"].flatMap { UInt64($0) }
    return StressPlan(
      runs: runs ?? 2_000, seed: seed ?? 1, rounds: runs == nil ? 2 : 10, isAlone: runs != nil,
      isHeapOurs: runs != nil && environment["SWT_SWIFT_ERROR_BACKTRACING_ENABLED"] == "0")
  }()
}

/// What has been done.
enum StressFact: String, CaseIterable {
  case sent = "actions sent", accepted = "accepted", refused = "refused", unsure = "cancelled while being sent"
  case reduced = "reduced", followUps = "of which follow-ups", followUpsDropped = "follow-ups dropped"
  case lost = "dropped", lostReleased = "dropped: store released (E7)"
  case lostShutdown = "dropped: shut down (L4)", lostByEffect = "dropped: run cancelled by an effect (E3)"
  case lostReplaced = "dropped: run replaced (O1)", lostByDispatch = "dropped: dispatch cancelled (L2)"
  case lostTimedOut = "dropped: attempt out of time (C5)", lostEnded = "dropped: run had ended (E1)"
  case asked = "runs asked for", called = "closures called", neverCalled = "runs never called"
  case finished = "traced runs: finished", failed = "traced runs: failed", dropped = "traced runs: dropped by overlap"
  case joined = "traced runs: joined", byEffect = "traced runs: cancelled by an effect"
  case byDispatch = "traced runs: cancelled by dispatch", replaced = "traced runs: replaced"
  case byShutdown = "traced runs: cancelled by shutdown", retried = "traced runs: attempts that failed"
  case failures = "failures reported", stores = "stores made", ownStores = "on an executor of their own"
  case mainStores = "on the main actor", queueStores = "on a user's actor with a queue", traced =
    "traced from the start"
  case cancelling = "ended by shutdown(.cancelling)", draining = "ended by shutdown(.draining)"
  case drainingWithin = "ended by shutdown(.draining(within:))", hurried = "ended by two shutdowns at once"
  case waiterCancelled = "ended by a shutdown whose waiter was cancelled", releases = "ended by release"
  case cancels = "dispatches cancelled", finishes = "waited by finish()", requests = "requests"
  case answered = "of which answered", inline = "sent inline", questions = "statuses asked for"
  case observers = "sequences iterated", views = "observable stores looked at", listeners = "trace listeners and logs"
}

struct StressCounts: Sendable {
  private var values = [StressFact: Int]()

  subscript(fact: StressFact) -> Int {
    get { values[fact] ?? 0 }
    set { values[fact] = newValue }
  }

  mutating func add(_ other: StressCounts) {
    for (fact, count) in other.values { self[fact] += count }
  }

  /// Stores that have ended by a shutdown.
  var shutdowns: Int {
    self[.cancelling] + self[.draining] + self[.drainingWithin] + self[.hurried] + self[.waiterCancelled]
  }

  /// Adds what a stream has lost, for the first reason that applies.
  mutating func addLost(_ count: Int, _ reasons: LossReasons) {
    let facts: [(LossReasons, StressFact)] = [
      (.released, .lostReleased), (.shutdown, .lostShutdown), (.timedOut, .lostTimedOut),
      (.byEffect, .lostByEffect), (.replaced, .lostReplaced), (.byDispatch, .lostByDispatch), (.ended, .lostEnded),
    ]
    guard let fact = facts.first(where: { reasons.contains($0.0) })?.1 else { return }
    self[.lost] += count
    self[fact] += count
  }

  var description: String {
    StressFact.allCases.map { "  \($0.rawValue): \(self[$0])" }.joined(separator: "\n")
  }
}

/// What must never happen, from any thread.
final class Findings: Sendable {
  private let book = Lock((count: 0, texts: [String]()))

  func add(_ text: @autoclosure () -> String) {
    let text = text()
    book.withLock { book in
      book.count += 1
      if book.texts.count < 20 { book.texts.append(text) }
    }
  }

  var count: Int { book.withLock { $0.count } }
  var texts: [String] { book.withLock { $0.texts } }
}
