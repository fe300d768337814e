// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Foundation
import TestSupport

@testable import EffectRuntime

/// What one thread does to a store while it visits it.
struct StressSender {
  var numbers: Numbers
  var counts = StressCounts()
  private var causes: [(cause: Cause, dispatch: StoreTask)] = []
  private var sent = 0

  init(seed: UInt64) { numbers = Numbers(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  /// Uses a store for a while, and ends it if its time has come.
  mutating func visit(_ subject: StressSubject) {
    guard let store = subject.enter() else { return }
    sent = 0
    let stream = subject.journal.stream()
    for _ in 0..<(8 + below(32)) { step(store, subject, stream) }
    let isOver = below(2) == 0 ? rendezvous(store, stream) : nil
    causes = []
    leave(subject, store, isOver)
  }

  /// Releases the store before it waits.
  private func leave(_ subject: StressSubject, _ store: consuming Store<StressFeature>, _ isOver: DispatchSemaphore?) {
    if subject.leave(having: sent) { subject.end() }
    _ = consume store
    // What this thread has sent is reduced by now and its runs have been called, or never will be: no thread runs far
    // ahead.
    isOver?.wait()
  }

  private func rendezvous(_ store: Store<StressFeature>, _ stream: ActionStream) -> DispatchSemaphore {
    let isOver = DispatchSemaphore(value: 0)
    let farewell = Farewell { isOver.signal() }
    let probe = StressAction(mark: stream.next(), what: .probe(farewell))
    stream.note(accepted: !store.send(probe).isRefused)
    return isOver
  }

  // MARK: - Orders

  private mutating func order(_ subject: StressSubject, depth: Int = 0, cause: Cause = Cause()) -> Order {
    var kind = Order.Kind.allCases[below(Order.Kind.allCases.count)]
    if subject.config.isFinite, kind == .timer { kind = .burst }
    let isEndless = !subject.config.isFinite && below(24) == 0
    // Not longer than this on a real clock: the language's runtime keeps a cancelled sleep until its original end.
    let long: Duration = subject.clock == nil ? .milliseconds(100) : .seconds(3_600)
    let pause = isEndless && kind != .timedOut ? long : .microseconds(below(1_500))
    let next = depth < 2 && below(4) == 0 ? order(subject, depth: depth + 1, cause: cause) : nil
    return Order(
      kind: kind, shape: Order.Shape.allCases[below(Order.Shape.allCases.count)],
      id: below(3) > 0 ? below(StressFeature.ids) : below(2) > 0 ? 1 : nil, input: below(3), pause: pause, cause: cause,
      next: next)
  }

  private mutating func start(_ subject: StressSubject, _ stream: ActionStream) -> (StressAction, Cause) {
    sent += 1
    let order = order(subject)
    return (StressAction(mark: stream.next(), what: .start(order)), order.cause)
  }

  private mutating func cancelling() -> StressAction.Cancelling {
    switch below(24) {
    case 0: .everything
    case 1: .numbers(below: below(StressFeature.ids))
    case 2, 3: .scope(below(3))
    case 4, 5: .tree(below(2))
    case 6: .ids([below(StressFeature.ids), below(StressFeature.ids)])
    default: .id(below(StressFeature.ids))
    }
  }

  // MARK: - Steps

  private mutating func step(_ store: Store<StressFeature>, _ subject: StressSubject, _ stream: ActionStream) {
    switch below(100) {
    case 0..<60:
      let (action, cause) = start(subject, stream)
      let dispatch = store.send(action)
      stream.note(accepted: !dispatch.isRefused)
      causes.append((cause, dispatch))
    case 60..<64:
      let action = StressAction(mark: stream.next(), what: .cancel(cancelling()))
      stream.note(accepted: !store.send(action).isRefused)
    case 64..<68:
      guard let (cause, dispatch) = causes.randomElement(using: &numbers) else { return }
      counts[.cancels] += 1
      cause.isCancelled = true
      dispatch.cancel()
    case 68..<73:
      finish(subject)
    case 73..<78:
      request(store, subject)
    case 78..<83:
      counts[.questions] += 1
      let id = below(StressFeature.ids)
      subject.journal.add(Task { await store.question(EffectID(id), subject) })
    case 83..<87:
      inline(store, subject)
    case 87..<92:
      watch(store, subject)
    case 92..<95:
      listen(store, subject)
    default:
      subject.clock?.advance(by: .microseconds(below(2_000)))
    }
  }

  private mutating func finish(_ subject: StressSubject) {
    guard let (cause, dispatch) = causes.randomElement(using: &numbers) else { return }
    counts[.finishes] += 1
    let task = Task {
      await dispatch.finish()
      if !Task.isCancelled { cause.isSettled = true }
    }
    subject.add(waiting: task, for: cause)
    if below(2) == 0 { subject.cancel(task, cause) }
  }

  private mutating func request(_ store: Store<StressFeature>, _ subject: StressSubject) {
    counts[.requests] += 1
    let own = subject.journal.stream()
    let (action, cause) = start(subject, own)
    let answers = Tally()
    let task = Task {
      do {
        let results = try await store.request(action) { state in
          answers.increment()
          return (state.starts, own.reduced)
        }
        own.note(accepted: true)
        subject.journal.answered.increment()
        if results.1 != 1 || answers.value != 1 {
          subject.findings.add("answered before it was reduced, or twice (L3)")
        }
        cause.isSettled = true
      } catch RequestFailure.refused {
        own.note(accepted: false)
      } catch RequestFailure.cutShort {
        own.note(accepted: true)
        if subject.config.ending == .draining { subject.findings.add("cut short (L3)") }
      } catch {
        if !(error is CancellationError) { subject.findings.add("a request throws \(error) (L3)") }
        own.noteUnsure()
      }
      if answers.value > 1 { subject.findings.add("answered \(answers.value) times (L3)") }
    }
    subject.add(waiting: task, for: cause)
    if below(2) == 0 { subject.cancel(task, cause) }
  }

  /// On the isolation on which the store reduces.
  private mutating func inline(_ store: Store<StressFeature>, _ subject: StressSubject) {
    let own = subject.journal.stream()
    let actions = (0...below(4)).map { _ in start(subject, own).0 }
    counts[.inline] += actions.count
    if subject.config.place == .main, below(2) == 0 {
      counts[.views] += 1
      subject.journal.add(Task { @MainActor in view(store, subject, own, actions) })
    } else {
      subject.journal.add(Task { await store.sendInline(subject, own, actions) })
    }
  }
}

extension Store where R == StressFeature {
  /// What is sent here is reduced when `send` returns (L1).
  fileprivate func sendInline(_ subject: StressSubject, _ stream: ActionStream, _ actions: [StressAction]) {
    for action in actions {
      stream.note(accepted: !send(action).isRefused)
      if stream.reduced != stream.accepted { subject.findings.add("sent inline and not reduced (L1)") }
    }
  }

  fileprivate func question(_ id: EffectID, _ subject: StressSubject) {
    // What others send meanwhile is ignored: status and effects are compared without a reduction in between.
    _ = (status(id), isRunning(id))
    let (status, effects) = (presentStatus(id), presentEffects())
    if effects[id].running != status.running || effects[id].queued != status.queued {
      subject.findings.add("\(status), but \(effects) (S2)")
    }
    if !effects.byID.values.allSatisfy({ !$0.isIdle }) { subject.findings.add("idle ids: \(effects) (S1)") }
  }
}
