// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The parts that the runs of a program consist of.
final class Kit: Sendable {
  let trace = Trace()
  private let gates = Lock<[String: Gate]>([:])
  private let attempts = Lock<[String: Int]>([:])

  struct Broken: Error {}

  private struct Gate {
    var waiting: [Waiter] = []
    var passes = 0
  }

  /// The argument of the closure of a run.
  struct Me: Sendable {
    let send: Send<String>
    let name: String
    let kit: Kit
    /// How often the closure has been called, including this call.
    let attempt: Int

    /// Waits until the script opens the gate with the run's name, or the run is cancelled.
    func wait() async throws {
      let waiter = kit.waiter(name)
      await withTaskCancellationHandler {
        _ = await waiter.wait()
      } onCancel: {
        kit.leave(name, waiter)
      }
      try Task.checkCancellation()
    }

    /// Waits until the script opens the gate, also if the run is cancelled.
    func hold() async { _ = await kit.waiter(name).wait() }

    func sleep(_ milliseconds: Int) async throws { try await send.sleep(for: .milliseconds(milliseconds)) }
  }

  /// A run that notes `name+` when it starts, and when it ends `name-`, `name!` if cancelled, or `name*` if it threw.
  func run(
    _ name: String, id: String? = nil, overlap: Overlap = .concurrent, input: String? = nil, catching: Bool = false,
    _ body: @escaping @Sendable (Me) async throws -> Void = { try await $0.wait() }
  ) -> Effect<String> {
    let closure: @concurrent @Sendable (Send<String>) async throws -> Void = { send in
      let attempt = self.attempts.withLock { attempts in
        attempts[name, default: 0] += 1
        return attempts[name, default: 0]
      }
      self.trace.run(name + "+")
      do {
        try await body(Me(send: send, name: name, kit: self, attempt: attempt))
        self.trace.run(name + (Task.isCancelled ? "!" : "-"))
      } catch {
        self.trace.run(name + (Task.isCancelled ? "!" : "*"))
        throw error
      }
    }
    let recovery: @concurrent @Sendable (any Error, Send<String>) async -> Void = { error, send in
      send("failed:\(name)")
    }
    let id = id.map { EffectID($0) }
    guard let input else {
      return .run(id: id, overlap: overlap, name: name, closure, catch: catching ? recovery : nil)
    }
    return .run(
      id: id, overlap: overlap, input: input, name: name, { _, send in try await closure(send) },
      catch: catching ? recovery : nil)
  }

  private func waiter(_ name: String) -> Waiter {
    let waiter = Waiter()
    let isOpen = gates.withLock { gates in
      if gates[name, default: Gate()].passes > 0 {
        gates[name, default: Gate()].passes -= 1
        return true
      }
      gates[name, default: Gate()].waiting.append(waiter)
      return false
    }
    if isOpen { waiter.answer(true) }
    return waiter
  }

  private func leave(_ name: String, _ waiter: Waiter) {
    gates.withLock { $0[name]?.waiting.removeAll { $0 === waiter } }
    waiter.answer(false)
  }

  /// Lets all waiters at a gate pass, or the next one if there is none, because it may be on its way.
  func open(_ name: String) {
    let waiting = gates.withLock { gates in
      defer { gates[name, default: Gate()].waiting = [] }
      if gates[name, default: Gate()].waiting.isEmpty { gates[name, default: Gate()].passes += 1 }
      return gates[name, default: Gate()].waiting
    }
    for waiter in waiting { waiter.answer(true) }
  }
}
