// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Observation
import TestSupport

@testable import EffectRuntime

/// Observers of a store, which come and go.
extension StressSender {
  mutating func watch(_ store: Store<StressFeature>, _ subject: StressSubject) {
    counts[.observers] += 1
    let id = EffectID(Int.random(in: 0..<StressFeature.ids, using: &numbers))
    let most = Int.random(in: 0..<3, using: &numbers) == 0 ? Int.random(in: 1..<5, using: &numbers) : Int.max
    let isCancelled = Int.random(in: 0..<3, using: &numbers) == 0
    let findings = subject.findings
    let task: Task<Void, Never>
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0, 1:
      let values = store.values(\.results)
      task = Task { await count(values, upTo: most, subject) }
    case 2:
      let values = store.values(\.results, buffering: .unbounded)
      task = Task { await count(values, upTo: most, subject) }
    case 3:
      let statuses = store.statuses(of: id)
      task = Task {
        var last: EffectStatus?
        var left = most
        for await status in statuses {
          if status == last { findings.add("the same status twice: \(status) (S2)") }
          last = status
          left -= 1
          if left == 0 { return }
        }
        if subject.config.ending != .release, !Task.isCancelled, let last, !last.isIdle {
          findings.add("the last status is \(last) (L4)")
        }
      }
    default:
      let changes = store.changes
      task = Task {
        var last: StoreChange<StressState>?
        var left = most
        for await change in changes {
          if let last, last.state.results > change.state.results { findings.add("results go back (M6)") }
          last = change
          left -= 1
          if left == 0 { return }
        }
        if subject.config.ending != .release, !Task.isCancelled, let last, !last.effects.isEmpty {
          findings.add("the last effects are \(last.effects) (L4)")
        }
      }
    }
    subject.journal.add(task)
    if isCancelled { task.cancel() }
  }

  mutating func listen(_ store: Store<StressFeature>, _ subject: StressSubject) {
    counts[.listeners] += 1
    let findings = subject.findings
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0:
      let last = LastNumber()
      let listening = store.trace.listen(timed: false) { event in
        if last.value > 0, event.number != last.value + 1 {
          findings.add("event \(event.number) behind \(last.value) (V1)")
        }
        last.value = event.number
      }
      subject.journal.add(
        Task {
          for _ in 0..<8 { await Task.yield() }
          listening.cancel()
        })
    case 1:
      let log = store.trace.log(newest: 50)
      subject.journal.add(
        Task {
          for _ in 0..<8 { await Task.yield() }
          let numbers = log.events.map(\.number)
          if numbers.count > 51 { findings.add("a log of 50 has \(numbers.count) (V2)") }
        })
    default:
      let trace = store.trace
      let most = Int.random(in: 1..<60, using: &numbers)
      subject.journal.add(
        Task {
          var (last, left): (UInt64, Int) = (0, most)
          for await event in trace {
            if case .lost = event.kind { continue }
            if event.number <= last { findings.add("event \(event.number) behind \(last) (V1)") }
            last = event.number
            left -= 1
            if left == 0 { break }
          }
        })
    }
  }
}

private func count(_ values: some AsyncSequence<Int, Never> & Sendable, upTo most: Int, _ subject: StressSubject) async
{
  var (last, left) = (-1, most)
  for await value in values {
    if value <= last { subject.findings.add("value \(value) behind \(last) (M6)") }
    last = value
    left -= 1
    if left == 0 { return }
  }
  // An iteration that begins after the end shows nothing.
  if last >= 0, !Task.isCancelled { subject.journal.lastSeen.withLock { [last] in $0.append(last) } }
}

/// As a view would: reads, observes, sends, and is released.
@MainActor
func view(
  _ store: Store<StressFeature>, _ subject: StressSubject, _ stream: ActionStream, _ actions: [StressAction]
) {
  let observable = ObservableStore(store)
  withObservationTracking {
    _ = (observable.results, observable.isRunning(0))
  } onChange: {
  }
  for action in actions {
    let before = observable.starts
    let isRefused = observable.send(action).isRefused
    stream.note(accepted: !isRefused)
    if stream.reduced != stream.accepted { subject.findings.add("sent inline and not reduced (L1)") }
    if !isRefused, observable.starts <= before { subject.findings.add("the view does not show it (M5)") }
  }
}

/// The newest event that a listener received.
// SAFETY: touched by one listener, on the store's isolation only.
private final class LastNumber: @unchecked Sendable {
  var value: UInt64 = 0
}
