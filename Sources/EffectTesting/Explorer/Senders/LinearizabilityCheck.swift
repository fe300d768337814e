// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A request in a history. Moments are numbers that grow.
struct HistoryCall<Operation, Answer> {
  let operation: Operation
  let sender: String
  /// When it was made.
  let begin: Int
  /// When it was answered, and with what; `nil` if it has no answer, and maybe no effect.
  var answer: (moment: Int, value: Answer)?
}

/// Whether a history of requests is linearizable: whether there is an order of them in which a sequential model gives
/// the same answers. In this order, a request that was answered before another one was made must come before it.
///
/// - Origin: Wing and Gong, "Testing and Verifying Concurrent Objects", 1993; the memory of configurations is that of Lowe,
///   "Testing for linearizability", 2017.
/// - Complexity: exponential in the number of requests that overlap; linear if none do. Limited by ``limit``.
struct LinearizabilityCheck<Model: Hashable, Operation, Answer: Equatable> {
  /// A set of requests is a number with this many bits.
  static var callLimit: Int { 64 }

  let calls: [HistoryCall<Operation, Answer>]
  let perform: (inout Model, Operation) -> Answer
  /// How many configurations are tried.
  let limit: Int
  private let answered: UInt64
  private var tried: Set<Configuration> = []
  private var order: [Int] = []
  private var furthest: (order: [Int], misses: [LinearizabilityVerdict<Answer>.Miss])?
  private var isUndecided = false

  /// A set of requests that have taken effect, and what they have led to.
  private struct Configuration: Hashable {
    let done: UInt64
    let model: Model
  }

  init(
    _ calls: [HistoryCall<Operation, Answer>], limit: Int = 100_000,
    _ perform: @escaping (inout Model, Operation) -> Answer
  ) {
    self.calls = calls
    self.limit = limit
    self.perform = perform
    answered = calls.prefix(Self.callLimit).indices.reduce(0) { $0 | (calls[$1].answer == nil ? 0 : 1 << $1) }
  }

  mutating func run(from initial: Model) -> LinearizabilityVerdict<Answer> {
    guard calls.count <= Self.callLimit else { return .undecided("more than \(Self.callLimit) requests") }
    if search(0, initial) { return .linearizable }
    if isUndecided { return .undecided("more than \(limit) ways to order requests") }
    return .violated(order: furthest?.order ?? [], furthest?.misses ?? [])
  }

  private mutating func search(_ done: UInt64, _ model: Model) -> Bool {
    if done & answered == answered { return true }
    guard !isUndecided, tried.insert(Configuration(done: done, model: model)).inserted else { return false }
    guard tried.count <= limit else {
      isUndecided = true
      return false
    }
    let left = calls.indices.filter { done & (1 << $0) == 0 }
    // A request that was made later than this comes after one that has not taken effect yet.
    let end = left.reduce(Int.max) { min($0, calls[$1].answer?.moment ?? .max) }
    var misses: [LinearizabilityVerdict<Answer>.Miss] = []
    for index in left where calls[index].begin < end {
      var next = model
      let value = perform(&next, calls[index].operation)
      if let own = calls[index].answer?.value, !Sameness.areSame(own, value) {
        misses.append((index, value))
        continue
      }
      order.append(index)
      if search(done | (1 << index), next) { return true }
      order.removeLast()
    }
    if order.count >= furthest?.order.count ?? 0, !misses.isEmpty { furthest = (order, misses) }
    return false
  }
}

enum LinearizabilityVerdict<Answer> {
  /// A request, and what the model would answer.
  typealias Miss = (call: Int, allowed: Answer)

  case linearizable
  /// No order explains the answers; with the order that went furthest, and why none of the other requests can come next.
  case violated(order: [Int], [Miss])
  /// It is not known, for this reason.
  case undecided(String)
}
