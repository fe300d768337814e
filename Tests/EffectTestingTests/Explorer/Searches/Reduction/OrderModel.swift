// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectTesting

/// The schedules of an ``OrderedFeature``, from its description alone: an oracle without a store, a task, an explorer and a
/// footprint. Each schedule has a class: which messages were posted, which turns were taken, and in which order the code
/// of the runs was executed and cancelled.
struct OrderModel {
  private enum Message {
    case action(Int, of: Int?, waits: Bool)
    case end(Int)
  }

  private enum Ready: Equatable {
    case run(Int)
    case server
  }

  private enum Status {
    /// Its first job has not been executed.
    case new
    /// Its next job begins with this part.
    case at(Int)
    /// Its next job only makes the one ready that begins with this part: a yield is two jobs.
    case yielding(Int)
    /// It waits in the server, or for a turn, and then yields before this part.
    case waiting(Int, isDelivery: Bool)
    case coming(Int)
    /// It was cancelled while it waited for a turn, and yields first: two jobs more.
    case declined(Int, jobs: Int)
    case returned
  }

  private struct Run {
    var number: Int
    var id: String?
    var parts: [OrderedFeature.Part]
    var status = Status.new
    /// Its code can observe that it is cancelled.
    var isCancelled = false
    /// The store has cancelled it, and drops what it has sent.
    var isDropped = false
    /// The store has taken its end.
    var isGone = false
  }

  private let feature: OrderedFeature
  private var left: [Int]
  private var messages: [Message] = []
  private var runs: [Run] = []
  private var ready: [Ready] = []
  private var callers: [Int] = []
  private var steps: [String] = []
  private var posts: [String] = []
  private var turns: [String] = []
  private var code: [String] = []

  private init(_ feature: OrderedFeature) {
    self.feature = feature
    left = feature.script
  }

  /// The class of each schedule; `nil` if there are more schedules than a limit.
  static func classes(of feature: OrderedFeature, limit: Int) -> [String: String]? {
    var found: [String: String] = [:]
    return OrderModel(feature).goOn(limit, &found) ? found : nil
  }

  private func goOn(_ limit: Int, _ found: inout [String: String]) -> Bool {
    var next: [OrderModel] = []
    if !left.isEmpty { next.append(afterScript()) }
    if !messages.isEmpty { next += afterTurn() }
    for index in ready.indices { next.append(afterJob(index)) }
    if next.isEmpty {
      found[steps.joined(separator: " ")] = "\(posts) \(turns) \(code)"
      return found.count <= limit
    }
    return next.allSatisfy { $0.goOn(limit, &found) }
  }

  private func afterScript() -> OrderModel {
    var new = self
    new.steps.append("u")
    new.posts.append("u")
    new.messages.append(.action(new.left.removeFirst(), of: nil, waits: false))
    return new
  }

  /// The oldest message is taken. Each run that is cancelled before it is called is called or not.
  private func afterTurn() -> [OrderModel] {
    var new = self
    new.steps.append("d")
    guard case .action(let action, let sender, let waits) = new.messages.removeFirst() else { return [] }
    let name = "turn \(turns.count)"
    new.turns.append(name)
    if let sender, new.runs[sender].isDropped {
      new.absorbEnds()
      return [new]
    }
    if waits, let sender, case .waiting(let part, true) = new.runs[sender].status {
      new.code.append(name)
      new.resume(sender, .coming(part))
    }
    var results = [new]
    switch feature.answers[action] {
    case nil: break
    case .cancel(let id): results = new.cancelling(id, name)
    case .run(let number, let id, let parts):
      if feature.restarts, let id { results = new.cancelling(id, name) }
      for index in results.indices {
        results[index].ready.append(.run(results[index].runs.count))
        results[index].runs.append(Run(number: number, id: id, parts: parts))
      }
    }
    for index in results.indices { results[index].absorbEnds() }
    return results
  }

  private func cancelling(_ id: String, _ name: String) -> [OrderModel] {
    var results = [self]
    for index in runs.indices where runs[index].id == id && !runs[index].isDropped && !runs[index].isGone {
      results = results.flatMap { $0.cancelling(index, name) }
    }
    return results
  }

  private func cancelling(_ index: Int, _ name: String) -> [OrderModel] {
    var new = self
    new.runs[index].isDropped = true
    if case .returned = runs[index].status { return [new] }
    if new.code.last != name { new.code.append(name) }
    new.runs[index].isCancelled = true
    if case .waiting(let part, true) = runs[index].status { new.resume(index, .declined(part, jobs: 2)) }
    guard case .new = runs[index].status else { return [new] }
    var never = new
    new.steps.append("c0")
    never.steps.append("c1")
    never.ready.removeAll { $0 == .run(index) }
    never.end(index, name)
    return [new, never]
  }

  private func afterJob(_ index: Int) -> OrderModel {
    var new = self
    new.steps.append("e\(index)")
    switch new.ready.remove(at: index) {
    case .server:
      new.code.append("server")
      for caller in new.callers {
        if case .waiting(let part, _) = new.runs[caller].status { new.resume(caller, .coming(part)) }
      }
      new.callers = []
    case .run(let run):
      new.code.append("run \(runs[run].number)")
      new.execute(run)
    }
    new.absorbEnds()
    return new
  }

  private mutating func execute(_ index: Int) {
    let name = "run \(runs[index].number)"
    var part = 0
    switch runs[index].status {
    case .new: break
    case .at(let next): part = next
    case .yielding(let next): return resume(index, .at(next))
    case .coming(let next): return yieldBefore(next, index)
    case .declined(let next, let jobs):
      return resume(index, jobs == 1 ? .coming(next) : .declined(next, jobs: jobs - 1))
    case .waiting, .returned: return
    }
    guard part < runs[index].parts.count, !runs[index].isCancelled else { return end(index, name) }
    switch runs[index].parts[part] {
    case .nothing: break
    case .send(let action):
      posts.append("\(name) sends \(action)")
      messages.append(.action(action, of: index, waits: false))
    case .deliver(let action):
      posts.append("\(name) sends \(action)")
      messages.append(.action(action, of: index, waits: true))
      runs[index].status = .waiting(part + 1, isDelivery: true)
      return
    case .ask:
      runs[index].status = .waiting(part + 1, isDelivery: false)
      if callers.isEmpty { ready.append(.server) }
      callers.append(index)
      return
    }
    yieldBefore(part + 1, index)
  }

  private mutating func yieldBefore(_ part: Int, _ index: Int) {
    if part < runs[index].parts.count {
      resume(index, .yielding(part))
    } else {
      end(index, "run \(runs[index].number)")
    }
  }

  private mutating func resume(_ index: Int, _ status: Status) {
    runs[index].status = status
    ready.append(.run(index))
  }

  private mutating func end(_ index: Int, _ name: String) {
    posts.append("\(name) ends \(runs[index].number)")
    runs[index].status = .returned
    messages.append(.end(index))
  }

  /// Nothing can observe when these ends are taken.
  private mutating func absorbEnds() {
    while case .end(let index) = messages.first {
      messages.removeFirst()
      runs[index].isGone = true
    }
  }
}
