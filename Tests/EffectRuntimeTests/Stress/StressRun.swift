// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport

@testable import EffectRuntime

private struct Broken: Error {}

/// What closures do, good and bad.
struct StressRun: Sendable {
  let record: RunRecord
  let journal: StressJournal
  /// Released when no closure of the run is kept any more.
  let life: Counted

  private var order: Order { record.order }

  func effect(id: EffectID?, overlap: Overlap) -> Effect<StressAction> {
    switch order.kind {
    case .burst, .delivered, .sleep, .late, .failing, .handler: return plain(id, overlap)
    case .urgent: return plain(id, overlap, priority: .high)
    case .caught: return caught(id, overlap)
    case .retried:
      return plain(id, overlap).retry(attempts: 3, backoff: .constant(order.pause).jittered(by: 1, seed: 1))
    case .timedOut:
      return caught(id, overlap).timeout(after: order.pause)
    case .stream: return stream(id, overlap)
    case .timer: return timer(id, overlap)
    case .farewell: return farewell(id, overlap)
    }
  }

  private func result(_ stream: ActionStream, _ next: Order? = nil) -> StressAction {
    StressAction(mark: stream.next(), what: .result(next))
  }

  private func send(_ send: Send<StressAction>, _ stream: ActionStream, _ next: Order? = nil) {
    stream.note(accepted: send(result(stream, next)))
  }

  private func plain(_ id: EffectID?, _ overlap: Overlap, priority: TaskPriority? = nil) -> Effect<StressAction> {
    .run(id: id, overlap: overlap, input: order.input, priority: priority) { [self] _, send in try await act(send) }
  }

  private func caught(_ id: EffectID?, _ overlap: Overlap) -> Effect<StressAction> {
    .run(id: id, overlap: overlap, input: order.input) { [self] _, send in
      try await act(send)
    } catch: { [self] _, send in
      // The run has left its slot (C5), so closures of the id may execute meanwhile.
      let stream = journal.stream(run: record, call: record.called(), isOfCatch: true)
      self.send(send, stream, order.next)
      self.send(send, stream)
    }
  }

  private func act(_ send: Send<StressAction>) async throws {
    journal.enter(record.name)
    defer { journal.leave(record.name) }
    let call = record.called()
    let stream = journal.stream(run: record, call: call, mayLose: order.kind == .timedOut ? .timedOut : [])
    switch order.kind {
    case .burst, .urgent:
      self.send(send, stream, order.next)
      for _ in 0..<2 { self.send(send, stream) }
    case .delivered:
      for _ in 0..<3 {
        guard await send.delivered(result(stream)) else { return stream.noteUnsure() }
        stream.note(accepted: true)
      }
    case .sleep:
      self.send(send, stream)
      try await send.sleep(for: order.pause)
      self.send(send, stream, order.next)
    case .late:
      self.send(send, stream)
      let late = journal.stream(run: record, call: call, mayLose: .ended)
      journal.add(
        Task.detached { [self] in
          for _ in 0..<4 {
            self.send(send, late)
            await Task.yield()
          }
          // Delivery is requested when the run's actions are no longer taken.
          if await send.delivered(result(late)) { late.note(accepted: true) } else { late.noteUnsure() }
        })
    case .caught, .failing, .retried:
      self.send(send, stream)
      if call % 2 == 0 { try await send.sleep(for: order.pause) }
      self.send(send, stream)
      if order.kind != .retried || call < 1 + order.input { throw Broken() }
    case .timedOut:
      self.send(send, stream)
      // Ignores the cancel that comes with the time limit.
      try? await send.sleep(for: order.pause * (order.input + 1) / 2)
      self.send(send, stream)
    case .handler:
      let called = journal.stream(run: record, call: call)
      try await withTaskCancellationHandler {
        self.send(send, stream)
        try await send.sleep(for: order.pause)
      } onCancel: {
        self.send(send, called)
      }
    case .stream, .timer, .farewell:
      break
    }
  }

  private func stream(_ id: EffectID?, _ overlap: Overlap) -> Effect<StressAction> {
    .run(id: id, overlap: overlap, input: order.input) { [self] _, send in
      journal.enter(record.name)
      defer { journal.leave(record.name) }
      let stream = journal.stream(run: record, call: record.called())
      for await _ in AsyncStream<Int>(unfolding: { Task.isCancelled ? nil : stream.issued < 5 ? 0 : nil }) {
        guard await send.delivered(result(stream)) else { return stream.noteUnsure() }
        stream.note(accepted: true)
      }
    }
  }

  /// Endless, except for the end of its run.
  private func timer(_ id: EffectID?, _ overlap: Overlap) -> Effect<StressAction> {
    let stream = journal.stream(run: record, call: 1)
    return .timer(id: id, overlap: overlap, every: .milliseconds(1)) { [self] _ in
      if stream.issued == 0 { _ = record.called() }
      let action = result(stream)
      stream.noteDelivering()
      return action
    }
  }

  /// Sends to its store from the release of an object that its closure holds (E8).
  private func farewell(_ id: EffectID?, _ overlap: Overlap) -> Effect<StressAction> {
    let outside = journal.stream()
    let farewell = Farewell { [journal, life] in
      defer { withExtendedLifetime(life) {} }
      guard let store = journal.reference.store else { return }
      outside.note(accepted: !store.send(StressAction(mark: outside.next(), what: .probe(nil))).isRefused)
    }
    return .run(id: id, overlap: overlap, input: order.input) { [self] _, send in
      journal.enter(record.name)
      defer { journal.leave(record.name) }
      self.send(send, journal.stream(run: record, call: record.called()))
      withExtendedLifetime(farewell) {}
    }
  }
}
