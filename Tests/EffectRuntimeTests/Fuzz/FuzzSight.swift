// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// What can be seen of a step from outside.
struct FuzzSight: Equatable {
  /// Actions in the order they were reduced, each with its time.
  var reduced: [String] = []
  /// Runs whose errors were not caught.
  var failures: [String] = []
  /// The answers of `delivered`, for each closure separately.
  var told: [String] = []
  /// The results of waits, and the names of runs that a shutdown cut short.
  var ends: [String] = []
  /// Closures at a gate or asleep, with the position in their script.
  var closures: [String] = []
  var statuses: [String: EffectStatus] = [:]
  var unnamed = 0
  var unnamedQueued = 0
  /// Actions dropped so far.
  var dropped = 0
  /// Something that must never happen.
  var complaints: [String] = []

  /// Lists whose order is not defined are sorted before they are compared.
  mutating func sort() {
    failures.sort()
    // A closure's answers stay in their order.
    let byClosure = Dictionary(grouping: told) { $0.prefix { $0 != ":" } }
    told = byClosure.sorted { $0.key < $1.key }.flatMap(\.value)
    ends.sort()
    closures.sort()
  }

  /// In which fields two differ.
  func difference(from expected: FuzzSight) -> String? {
    var lines: [String] = []
    func compare<Value: Equatable>(_ name: String, _ own: Value, _ other: Value) {
      if own != other { lines.append("\(name): \(own), by the model \(other)") }
    }
    compare("reduced", reduced, expected.reduced)
    compare("failures", failures, expected.failures)
    compare("delivered", told, expected.told)
    compare("ends", ends, expected.ends)
    compare("closures", closures, expected.closures)
    for id in expected.statuses.keys.sorted() {
      compare("status of \(id)", statuses[id].map { "\($0)" }, expected.statuses[id].map { "\($0)" })
      if lines.isEmpty { compare("status of \(id)", statuses[id], expected.statuses[id]) }
    }
    compare("runs without an id", unnamed, expected.unnamed)
    compare("waiting runs without an id", unnamedQueued, expected.unnamedQueued)
    compare("dropped", dropped, expected.dropped)
    compare("complaints", complaints, expected.complaints)
    return lines.isEmpty ? nil : lines.joined(separator: "\n    ")
  }
}

/// A step with its subject filled in: the same for all stores that take it.
enum FuzzInput: CustomStringConvertible {
  case send(String)
  case sendRefusing(String)
  case request(String)
  case open(String)
  case advance(Duration)
  case cancelDispatch(UInt64)
  case watch(UInt64)
  case cancelWaiters(UInt64)
  case shutdown(cancelling: [String]?, within: Duration?)

  var description: String {
    switch self {
    case .send(let action): "send \(action)"
    case .sendRefusing(let action): "send \(action) and cancel it at once"
    case .request(let action): "request \(action)"
    case .open(let name): "open \(name)"
    case .advance(let duration): "advance by \(duration)"
    case .cancelDispatch(let number): "cancel dispatch \(number)"
    case .watch(let number): "wait for dispatch \(number)"
    case .cancelWaiters(let number): "cancel waiters of dispatch \(number)"
    case .shutdown(let ids, let limit): FuzzProgram.Step.shutdown(cancelling: ids, within: limit).text
    }
  }
}

extension Duration {
  var fuzzText: String { "\(Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15)" }
}
