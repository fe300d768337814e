// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// The reference model with closures that follow their scripts, a mailbox, and sleepers: a store as the rules describe
/// it.
///
/// One thing at a time: a closure goes on until it waits; the messages that it sent are reduced, one by one; then the
/// closures that these have woken go on. If two closures are woken at once and their order matters, the model sets
/// `hasFreedom`.
final class FuzzModel: ReferenceModelObserver {
  let program: FuzzProgram
  private(set) var model: ReferenceModel!
  private(set) var closures: [Closure] = []
  private var mail: [Message] = []
  private(set) var woken: [Closure] = []
  private var sight = FuzzSight()
  private var occurrences: [String: Int] = [:]
  private var reducedCount = 0
  private var requests: Set<UInt64> = []
  /// The error of a request that has no answer: the first reason that occurred.
  private var verdicts: [UInt64: String] = [:]
  private var starts: [String: Int] = [:]

  enum Ending { case no, draining(until: Duration?), cut, over }
  private(set) var ending = Ending.no
  /// Whether a shutdown has returned at its limit.
  private var hasReturned = false
  /// The closure whose delivered action is being reduced.
  private var delivering: Closure?
  private var cutShort: [String] = []

  private enum Message { case sent(String, Closure), delivered(String, Closure), ended(Closure, throwing: Bool) }

  init(_ program: FuzzProgram) {
    self.program = program
    model = ReferenceModel(performsWholeTurns: true) { [unowned self] action in
      let count = occurrences[action, default: 0]
      occurrences[action] = count + 1
      reducedCount += 1
      return program.plan(for: action, occurrence: count).withTimingInRuns
    }
    model.observer = self
  }

  // MARK: - Steps

  /// Nothing is compared from here on: what follows depends on an order that is not promised.
  var isAbandoned: Bool { model.isAmbiguous || model.hasFreedom }
  var gates: [String] { closures.filter { if case .gate = $0.state { true } else { false } }.map(\.name) }
  private var isRefusing: Bool { if case .no = ending { false } else { true } }
  var isOver: Bool { if case .over = ending { true } else { false } }

  func isRequest(_ number: UInt64) -> Bool { requests.contains(number) }
  func isWaitedFor(_ number: UInt64) -> Bool { model.isLive(dispatch: number) && model.isWatched(number) }

  func take(_ input: FuzzInput, ids: [String]) -> FuzzSight {
    sight = FuzzSight()
    switch input {
    case .send(let action): if !isRefusing { model.send(action, isRefusing: false) }
    case .sendRefusing(let action): if !isRefusing { model.send(action, isRefusing: true) }
    case .request(let action): request(action)
    case .open(let name): if let closure = closures.first(where: { $0.name == name }) { wake(closure, opened: true) }
    case .advance(let duration): advance(to: model.now + duration)
    case .cancelDispatch(let number): if !isOver { model.cancelDispatch(number) }
    case .watch(let number): watch(number)
    case .cancelWaiters(let number): cancelWaiters(number)
    case .shutdown(let ids, let limit): shutDown(ids, limit)
    }
    settle()
    sight.closures = closures.compactMap(\.place)
    for id in ids { sight.statuses[id] = model.status(id) }
    (sight.unnamed, sight.unnamedQueued) = (model.unnamedCount, model.unnamedQueuedCount)
    sight.dropped = model.droppedActions
    sight.sort()
    return sight
  }

  private func request(_ action: String) {
    guard !isRefusing else { return sight.ends.append("request: refused") }
    requests.insert(model.latestDispatch + 1)
    model.send(action, isRefusing: false)
    finishIfSettled(model.latestDispatch)
  }

  private func finishIfSettled(_ number: UInt64) {
    if model.isLive(dispatch: number) { model.watch(number) } else { finished(number) }
  }

  private func watch(_ number: UInt64) {
    if isOver { sight.ends.append("finish \(number)") } else { finishIfSettled(number) }
  }

  private func cancelWaiters(_ number: UInt64) {
    if requests.contains(number), verdicts[number] == nil { verdicts[number] = "cancelled" }
    model.cancelDispatch(number)
  }

  private func shutDown(_ ids: [String]?, _ limit: Duration?) {
    guard !isOver else { return sight.ends.append("shutdown: \(cutShort.sorted())") }
    guard let ids else { return cut() }
    if !isRefusing { ending = .draining(until: limit.map { model.now + $0 }) }
    for number in model.dispatches(owningAnyOf: ids) where verdicts[number] == nil { verdicts[number] = "cut short" }
    model.cancel(ids: ids)
  }

  func cut() {
    if case .cut = ending { return }
    ending = .cut
    cutShort = model.liveRuns
    model.cancelEverything()
  }

  // MARK: - What the model reports

  func started(_ node: ReferenceModel.Node) {
    guard let run = node.run else { return }
    var name = run.name
    if node.isCatching { name += "~c" } else { starts[name, default: 0] += 1 }
    if !node.isCatching, let count = starts[run.name], count > 1 { name += "~\(count)" }
    let closure = Closure(node, name, run, isCatch: node.isCatching, at: model.now)
    closures.append(closure)
    woken.append(closure)
    // A closure that acts as soon as it is called, beside one that is about to return: which is first?
    if closure.isSend, hasEnding { model.hasFreedom = true }
  }

  /// Whether a closure is about to return.
  private var hasEnding: Bool { mail.contains { if case .ended = $0 { true } else { false } } }

  func cancelled(_ node: ReferenceModel.Node) {
    guard let closure = closures.first(where: { $0.node === node }) else { return }
    closure.isCancelled = true
    // Has the closure been called before, so that its action was sent and dropped?
    if closure.isSend, closure.isWoken { model.hasFreedom = true }
    // If its end frees a slot, and another closure is about to end: which end is first?
    if node.isAwaited, hasEnding { model.hasFreedom = true }
    switch closure.state {
    case .woken, .over: break
    case .delivering:
      // If it is its own action that cancels it, the answer comes at the end of the turn.
      if delivering !== closure { answered(closure, false) }
    case .gate: if closure.script.isPrompt || !closure.hasBeenOpened { woken.append(closure) }
    case .asleep(let due, _):
      // The order of waking at this instant is not defined, and so it is not defined which actions are sent and
      // dropped.
      if due == model.now { model.hasFreedom = true }
      if closure.isTimer || closure.script.isPrompt {
        woken.append(closure)
      } else {
        closure.state = .gate
      }
    }
  }

  func abandoned(_ node: ReferenceModel.Node, as closure: ReferenceModel.Node) {
    closures.first { $0.node === node }?.node = closure
  }

  func finished(_ number: UInt64) {
    guard requests.contains(number) else { return sight.ends.append("finish \(number)") }
    let answer = verdicts[number] ?? { if case .cut = ending { "cut short" } else { "\(reducedCount)" } }()
    sight.ends.append("request \(number): \(answer)")
  }

  // MARK: - Going on

  func settle() {
    while true {
      note()
      if !mail.isEmpty {
        take(mail.removeFirst())
      } else if !woken.isEmpty {
        let all = woken
        woken = []
        var acting = 0
        for closure in all {
          let before = mail.count
          wake(closure)
          if mail.count > before { acting += 1 }
        }
        // A closure that acts as soon as it is called: does it act before or after another one that goes on now?
        if acting > 1, all.contains(where: \.isSend) { model.hasFreedom = true }
        // The slot of an exclusive run is free when its end is taken: before or after what others send now. An action
        // that it delivers and that is dropped does not go through every mailbox, so its end can be taken at once as
        // well.
        let ends = mail.filter {
          switch $0 {
          case .ended(let one, _), .delivered(_, let one): one.isCancelled && one.node.isAwaited
          case .sent: false
          }
        }
        if !ends.isEmpty, mail.count > 1 { model.hasFreedom = true }
      } else {
        break
      }
    }
    if isRefusing, !isOver, model.isEmpty {
      ending = .over
      if !hasReturned { sight.ends.append("shutdown: \(cutShort.sorted())") }
    }
  }

  /// The limit of a shutdown has come: it returns, also with runs that were cancelled before and have not returned.
  func expire() {
    let cancelled = closures.filter(\.isCancelled).compactMap { $0.node.run?.name }
    cut()
    hasReturned = true
    sight.ends.append("shutdown: \((cutShort + cancelled).sorted())")
  }

  private func note() {
    for event in model.takeEvents() {
      switch event {
      case .reduced(let action): sight.reduced.append("\(action) at \(model.now.fuzzText)")
      case .reported(let name): sight.failures.append(name)
      case .started, .recovered, .cancelled, .finished: break
      }
    }
  }

  private func take(_ message: Message) {
    switch message {
    case .sent(let action, let closure): _ = model.send(action, by: closure.node)
    case .delivered(let action, let closure):
      delivering = closure
      let answer = model.send(action, by: closure.node)
      delivering = nil
      if case .delivering = closure.state { answered(closure, answer) }
    case .ended(let closure, let isThrowing):
      closures.removeAll { $0 === closure }
      if !isThrowing, closure.isEmptyAgain {
        model.end(closure.node, throwing: true, EmptySequence())
      } else {
        model.end(closure.node, throwing: isThrowing)
      }
    }
  }

  private func answered(_ closure: Closure, _ answer: Bool) {
    if case .closure = closure.script.form { sight.told.append("\(closure.name): \(answer)") }
    if closure.script.form != .closure, !answer || closure.isCancelled { closure.position = closure.ops.count }
    if !closure.isTimer { closure.state = .woken }
    woken.append(closure)
  }

  /// A closure goes on until it waits for something.
  func wake(_ closure: Closure, opened: Bool = false) {
    if case .over = closure.state { return }
    if case .timer(let interval) = closure.script.form { return tick(closure, interval) }
    if opened {
      closure.position += 1
      closure.hasBeenOpened = true
    }
    closure.state = .woken
    while true {
      if closure.isCancelled, !closure.script.ignoresCancel || !closure.hasBeenOpened {
        return end(closure, throwing: closure.script.form != .stream)
      }
      guard closure.position < closure.ops.count else { return end(closure, throwing: closure.throwsAtEnd) }
      switch closure.ops[closure.position] {
      case .gate:
        if closure.isCancelled, closure.script.isPrompt {
          closure.position += 1
          continue
        }
        closure.state = .gate
        return
      case .send(let action):
        mail.append(.sent(action, closure))
        closure.position += 1
      case .deliver(let action):
        mail.append(.delivered(action, closure))
        closure.position += 1
        closure.state = .delivering
        return
      case .sleep(let duration):
        if closure.isCancelled {
          // It cannot fall asleep.
          if closure.script.isPrompt { closure.position += 1 } else { closure.state = .gate }
          if case .gate = closure.state { return }
          continue
        }
        closure.state = .asleep(model.now + duration, order: model.nextOrder())
        return
      }
    }
  }

  private func end(_ closure: Closure, throwing: Bool) {
    closure.state = .over
    mail.append(.ended(closure, throwing: throwing))
  }

  /// A timer sends its tick and sleeps until the next one.
  private func tick(_ closure: Closure, _ interval: Duration) {
    if closure.isCancelled || closure.position == closure.ops.count { return end(closure, throwing: true) }
    if case .asleep(let due, _) = closure.state, due <= model.now, case .deliver(let action) = closure.ops[0] {
      closure.state = .delivering
      return mail.append(.delivered(action, closure))
    }
    closure.ticks += 1
    closure.state = .asleep(closure.start + interval * closure.ticks, order: model.nextOrder())
  }
}

extension ReferenceModel {
  func isWatched(_ number: UInt64) -> Bool { (dispatches[number]?.watchers ?? 0) > 0 }

  /// The runs that have not settled, by name.
  var liveRuns: [String] { roots.flatMap(\.all).filter { $0.isPresent }.compactMap { $0.run?.name } }
}
