// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Real closures use it to follow their scripts, and it records what they do.
// SAFETY: everything that a program does happens on the one thread that runs it; nothing here leaves it.
final class FuzzKit: @unchecked Sendable {
  var sight = FuzzSight()
  var now: () -> Duration = { .zero }
  private var gates: [String: CheckedContinuation<Void, Never>] = [:]
  private var places: [String: String] = [:]
  private var starts: [String: Int] = [:]
  /// The closures that have been called and have not returned.
  private(set) var living: Set<String> = []

  func reduced(_ action: String) { sight.reduced.append("\(action) at \(now().fuzzText)") }

  /// What has been observed since the last call.
  func look() -> FuzzSight {
    defer { sight = FuzzSight() }
    sight.closures = places.map { "\($0.key):\($0.value)" }
    sight.sort()
    return sight
  }

  func open(_ name: String) {
    guard let gate = gates.removeValue(forKey: name) else {
      return sight.complaints.append("no closure waits at the gate of \(name)")
    }
    gate.resume()
  }

  var openGate: String? { gates.keys.min() }

  /// A closure that is being executed.
  // SAFETY: as above.
  final class Me: @unchecked Sendable {
    let name: String
    let script: Plan.Script
    var hasBeenOpened = false
    init(_ name: String, _ script: Plan.Script) { (self.name, self.script) = (name, script) }
  }

  func begin(_ run: String, _ script: Plan.Script, isCatch: Bool = false) -> Me {
    var name = run
    if isCatch {
      name += "~c"
    } else {
      starts[run, default: 0] += 1
      if let count = starts[run], count > 1 { name += "~\(count)" }
    }
    if !living.insert(name).inserted { sight.complaints.append("\(name) executes twice") }
    return Me(name, script)
  }

  func end(_ me: Me) {
    living.remove(me.name)
    places[me.name] = nil
  }

  func execute(_ ops: [Plan.Script.Op], _ me: Me, _ send: Send<String>) async throws {
    for (position, op) in ops.enumerated() {
      switch op {
      case .gate: await gate(me, position, isPrompt: me.script.isPrompt || !me.hasBeenOpened)
      case .send(let action): _ = send(action)
      case .deliver(let action):
        let answer = await send.delivered(action)
        sight.told.append("\(me.name): \(answer)")
      case .sleep(let duration):
        do {
          places[me.name] = "\(position) asleep"
          try await send.sleep(for: duration)
          places[me.name] = nil
        } catch {
          places[me.name] = nil
          if !me.script.isPrompt { await gate(me, position, isPrompt: false) }
        }
      }
      if Task.isCancelled, !me.script.ignoresCancel || !me.hasBeenOpened { throw CancellationError() }
    }
  }

  /// Waits until the test opens the gate; if the script is prompt, at most until the run is cancelled.
  func gate(_ me: Me, _ position: Int, isPrompt: Bool) async {
    guard isPrompt else {
      await wait(me, position, isPrompt: false)
      me.hasBeenOpened = true
      return
    }
    await withTaskCancellationHandler {
      await wait(me, position, isPrompt: true)
    } onCancel: {
      leave(me)
    }
    if !Task.isCancelled { me.hasBeenOpened = true }
  }

  private func wait(_ me: Me, _ position: Int, isPrompt: Bool) async {
    places[me.name] = "\(position)"
    await withCheckedContinuation { continuation in
      if isPrompt, Task.isCancelled { continuation.resume() } else { gates[me.name] = continuation }
    }
    places[me.name] = nil
  }

  private func leave(_ me: Me) { gates.removeValue(forKey: me.name)?.resume() }
}

// MARK: - Effects

extension FuzzKit {
  /// A plan as an effect.
  func effect(_ plan: Plan) -> Effect<String> {
    switch plan {
    case .none: .none
    case .send(let action): .send(action)
    case .run(let run): effect(run)
    case .merge(let parts): .merge(parts.map(effect))
    case .concatenate(let parts): .concatenate(parts.map(effect))
    case .cancel(let id): .cancel(id: id)
    case .cancelIDs(let ids): .cancel(ids: ids)
    case .cancelAll(let names): .cancel(.all(of: String.self) { names.contains($0) })
    case .cancelEverything: .cancel(.everything)
    case .cancelScope: .cancel(scope: Plan.scope)
    case .tree(let id, let overlap, let content): effect(content).cancellable(id: id, overlap: overlap)
    case .scoped(let content): effect(content).map { $0 }.scoped(Plan.scope) { $0 }
    case .timed(let timing, let content): timing.applied(to: effect(content))
    }
  }

  private func effect(_ run: Plan.Run) -> Effect<String> {
    let (name, script) = (run.name, run.script)
    let id = run.id.map { EffectID($0) }
    let recovery: @concurrent @Sendable (any Error, Send<String>) async -> Void = { [self] _, send in
      let me = begin(name, script, isCatch: true)
      defer { end(me) }
      try? await execute(script.recovery, me, send)
    }
    let effect: Effect<String>
    switch script.form {
    case .closure:
      let body: @concurrent @Sendable (Send<String>) async throws -> Void = { [self] send in
        let me = begin(name, script)
        defer { end(me) }
        try await execute(script.ops, me, send)
        if script.isThrowing { throw ReferenceModel.Thrown() }
      }
      let recovery = run.catches ? recovery : nil
      if let input = run.input {
        effect = .run(
          id: id, overlap: run.overlap, input: input, name: name, { _, send in try await body(send) }, catch: recovery)
      } else {
        effect = .run(id: id, overlap: run.overlap, name: name, body, catch: recovery)
      }
    case .stream:
      effect = .stream(
        id: id, overlap: run.overlap, name: name,
        sequence: { [self] in Elements(kit: self, name: name, script: script) },
        transform: { $0 }, catch: run.catches ? recovery : nil)
    case .timer(let interval):
      let ticks = script.ops.compactMap { if case .deliver(let action) = $0 { action } else { nil } }
      effect = .timer(id: id, overlap: run.overlap, every: interval, name: name, ticks.first ?? "")
    case .send: fatalError("FuzzKit: a plan sends by `.send`, and only the model makes a run of it")
    }
    return run.timing.applied(to: effect)
  }

  /// The deliveries of a script, one for each time its gate is opened.
  struct Elements: AsyncSequence, Sendable {
    let kit: FuzzKit
    let name: String
    let script: Plan.Script

    func makeAsyncIterator() -> Iterator { Iterator(kit: kit, me: kit.begin(name, script), script: script) }

    // A class: its `deinit` is the only sign that the closure around it has returned.
    final class Iterator: AsyncIteratorProtocol {
      let kit: FuzzKit
      let me: Me
      let script: Plan.Script
      var position = 0

      init(kit: FuzzKit, me: Me, script: Plan.Script) { (self.kit, self.me, self.script) = (kit, me, script) }
      deinit { kit.end(me) }

      func next() async throws -> String? {
        await kit.gate(me, position, isPrompt: true)
        guard !Task.isCancelled else { return nil }
        position += 1
        guard position < script.ops.count, case .deliver(let action) = script.ops[position] else {
          if script.isThrowing { throw ReferenceModel.Thrown() }
          return nil
        }
        position += 1
        return action
      }
    }
  }
}

/// The feature of a program: the state is what was reduced.
struct FuzzFeature: Reducer, Sendable {
  let program: FuzzProgram
  let kit: FuzzKit

  func reduce(into state: inout [String], action: String) -> Effect<String> {
    let occurrence = state.count { $0 == action }
    state.append(action)
    kit.reduced(action)
    return kit.effect(program.plan(for: action, occurrence: occurrence))
  }
}
