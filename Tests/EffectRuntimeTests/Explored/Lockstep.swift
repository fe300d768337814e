// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

@testable import EffectRuntime
@testable import EffectTesting

/// An explored store beside the model: each message that the one takes is told the other, and then both are compared.
final class Lockstep {
  private let program: EveryProgram
  private let model: ReferenceModel
  private var store: ExploredStore<Feature>?
  private let reduced: Reduced
  /// What differs first.
  private(set) var difference: String?

  private final class Reduced { var actions: [String] = [] }

  private struct Feature: Reducer {
    let program: EveryProgram
    let reduced: Reduced

    func reduce(into state: inout Int, action: String) -> Effect<String> {
      reduced.actions.append(action)
      return Lockstep.effect(Lockstep.plan(of: action, in: program))
    }
  }

  init(_ program: EveryProgram, _ schedule: Exploration.Schedule) {
    self.program = program
    model = ReferenceModel { Lockstep.plan(of: $0, in: program) }
    let reduced = Reduced()
    self.reduced = reduced
    let script = Script<String>()
    let world = schedule.world
    let store = ExploredStore(
      state: 0, reducer: Feature(program: program, reduced: reduced), script: script,
      properties: ExploredProperties(
        always: nil, eventually: nil, finally: { [model] _ in model.isEmpty }, requirements: []),
      mailbox: Mailbox(time: world.time), in: world)
    self.store = store
    _ = store.interpreter.ask(EffectID(EveryProgram.id))
    world.settle(
      store, script,
      World.Moves(
        post: { store.postNext($0) }, take: { self.take() }, absorb: { self.absorb() },
        tearDown: {
          self.store = nil
          return store.tearDown()
        }))
    for action in 0..<program.plans.count { script.append(.send("\(action)", CallSite(fileID: #fileID, line: #line))) }
  }

  // MARK: - The program

  private static func plan(of action: String, in program: EveryProgram) -> Plan {
    if let number = Int(action) { return program.plans[number] }
    // Of what a run sends more follows, in the same turn.
    return action.hasPrefix("r") ? .send("f" + action.dropFirst()) : .none
  }

  private static func effect(_ plan: Plan) -> Effect<String> {
    switch plan {
    case .run(let run):
      let name = run.name
      guard run.catches else {
        return .run(id: run.id.map { EffectID($0) }, overlap: run.overlap, name: name) { send in send(name) }
      }
      return .run(id: run.id.map { EffectID($0) }, overlap: run.overlap, name: name) { send in
        send(name)
        throw Thrown()
      } catch: { _, send in
        send(name)
      }
    case .send(let action): return .send(action)
    case .merge(let parts): return .merge(parts.map(effect))
    case .concatenate(let parts): return .concatenate(parts.map(effect))
    case .cancel(let id): return .cancel(id: EffectID(id))
    case .tree(let id, let overlap, let content): return effect(content).cancellable(id: EffectID(id), overlap: overlap)
    case .none, .cancelEverything, .cancelScope, .scoped: return .none
    }
  }

  private struct Thrown: Error {}

  // MARK: - Step by step

  private func take() {
    guard let store, difference == nil else { return }
    let message = store.batch[store.position]
    switch message {
    case .action(let action): model.send(action, isRefusing: false)
    case .sent(let action, let token): _ = model.send(action, by: name(token))
    case .ended(let token, let error): model.end(name(token), throwing: error != nil)
    default: break
    }
    store.takeNext()
    compare(after: message)
  }

  /// As the store does it, for an end is taken with what comes before.
  private func absorb() -> Bool {
    while let store, difference == nil, store.hasMail {
      guard case .ended = store.batch[store.position] else { return true }
      take()
    }
    return false
  }

  private func name(_ token: Token) -> String {
    store?.live.first { $0.token == token }?.operation.name ?? "?"
  }

  private func compare(after message: Message<String>) {
    guard let store else { return }
    var expected: [String] = []
    for event in model.takeEvents() { if case .reduced(let action) = event { expected.append(action) } }
    check("reduced", reduced.actions, expected, message)
    reduced.actions = []
    check(
      "closures", store.live.map { name($0.token) + (store.interpreter.isCancelling($0.token) ? " cancelled" : "") },
      model.executing.map { ($0.run?.name ?? "?") + ($0.phase == .cancelled ? " cancelled" : "") }, message)
    check("dropped", store.interpreter.droppedActions, model.droppedActions, message)
    var (own, modelled) = (store.interpreter.status(of: EffectID(EveryProgram.id)), model.status(EveryProgram.id))
    // A cancelled tree counts as long as a closure in it has not returned; the model keeps no record of that.
    (own.cancelling, modelled.cancelling) = (0, 0)
    check("status", own, modelled, message)
    if let difference { store.fail(Breach(label: "model", detail: difference)) }
  }

  private func check<Value: Equatable>(_ what: String, _ own: Value, _ modelled: Value, _ message: Message<String>) {
    guard own != modelled, difference == nil else { return }
    difference = "\(what): \(own), by the model \(modelled), after \(message) of \(program)"
  }
}
