// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectCore
@testable import EffectRuntime

/// An engine without a store: reports events to it, and keeps the engine's answers as text.
final class EngineProbe {
  typealias Feature = Reduce<[String], String>

  private let ownPhase: UncheckedCell<EnginePhase>?
  private(set) var engine: Engine<Feature>
  /// The time of its clock.
  private let now = UncheckedCell(Duration.zero)
  /// The token of the last start of a run, by the run's name.
  private(set) var tokens: [String: Token] = [:]
  private(set) var waiters: [(name: String, waiter: Waiter)] = []

  init(
    pace: Engine<Feature>.Pace = .whole, followUpLimit: Int = .max, phase: UncheckedCell<EnginePhase>? = nil,
    _ plan: @escaping (String) -> Effect<String>
  ) {
    let now = now
    ownPhase = phase == nil ? UncheckedCell(.resting) : nil
    engine = Engine(
      state: [],
      reducer: Reduce { state, action in
        state.append(action)
        return plan(action)
      }, scheduler: Scheduler(now: { now.value }), pace: pace, followUpLimit: followUpLimit,
      phase: phase ?? ownPhase!)
  }

  deinit {
    ownPhase?.free()
    now.free()
  }

  var reduced: [String] { engine.state }
  var isTurnOpen: Bool { engine.isTurnOpen }
  func trace() { engine.trace(true) }
  func advance(to time: Duration) { now.value = time }

  /// A waiter with this name in the outputs.
  func waiter(_ name: String) -> Waiter {
    let waiter = Waiter()
    waiters.append((name, waiter))
    return waiter
  }

  /// The token of a run, or the token of no run if it was not started.
  func token(_ run: String) -> Token { tokens[run] ?? .none }

  /// Reports an event. Returns the outputs in their order.
  @discardableResult
  func handle(_ input: Engine<Feature>.Input) -> [String] {
    var outputs = EngineOutputs<String>()
    engine.handle(input, into: &outputs)
    return text(of: outputs)
  }

  /// Hands over actions that wait. Returns the outputs, and how many steps were taken.
  func take(_ actions: [Engine<Feature>.WaitingAction], from position: inout Int, upTo limit: Int) -> ([String], Int) {
    var outputs = EngineOutputs<String>()
    var next = position
    let count = engine.handle(
      actionsUpTo: limit, into: &outputs, isRefusing: { _ in false },
      from: {
        guard next < actions.count else { return .none }
        next += 1
        return actions[next - 1]
      })
    position = next
    return (text(of: outputs), count)
  }

  private func text(of outputs: EngineOutputs<String>) -> [String] {
    outputs.notes.map { note in
      let cause = note.cause.map { " after \($0)" } ?? ""
      return "\(note.number) \(name(of: note.kind))\(cause)"
    } + outputs.steps.map(text)
  }

  private func name(of kind: TraceEvent<String>.Kind) -> String {
    switch kind {
    case .accepted(let action, _): "accepted \(action)"
    case .reduced(let action, _): "reduced \(action)"
    case .dropped(let action, _): "dropped \(action)"
    case .refused(let action, _): "refused \(action)"
    case .run(let run, let event): "\(run.description.name ?? "run") \("\(event)".prefix { $0 != "(" })"
    default: "\("\(kind)".prefix { $0 != "(" })"
    }
  }

  private func text(_ step: EngineOutput) -> String {
    switch step {
    case .start(let token, let operation):
      tokens[EffectRun(operation).name ?? ""] = token
      return "\(engine.scheduler.isRecovering(token) ? "catch" : "start") \(EffectRun(operation).name ?? "")"
    case .cancel(let token): return "cancel \(tokens.first { $0.value == token }?.key ?? "?")"
    case .report(let failure): return "report \(type(of: failure.error))"
    case .settle(let waiter, _): return "settle \(name(of: waiter))"
    case .answer(let waiter, let answer): return "answer \(name(of: waiter)) \(answer)"
    case .cutShort(let waiter): return "cut short \(name(of: waiter))"
    case .continueLater: return "continue later"
    case .storeEnded: return "ended"
    case .shutdownReturns(let waiting, let runs):
      let texts = runs.map { ($0.name ?? "?") + ($0.hasReturned ? "" : " executes") }.sorted()
      return "shutdown \(waiting.map(name)) returns \(texts)"
    }
  }

  private func name(of waiter: Waiter) -> String { waiters.first { $0.waiter === waiter }?.name ?? "?" }
}

extension Effect<String> {
  /// A run with a name.
  static func run(_ name: String, id: String, overlap: Overlap = .concurrent) -> Effect {
    .run(id: id, overlap: overlap, name: name) { _ in }
  }
}
