// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport

@testable import EffectRuntime

struct StressState: Equatable, Sendable {
  var results = 0
  var starts = 0
}

/// Starts runs of every overlap, shape and conduct.
struct StressFeature: Reducer {
  let journal: StressJournal
  /// Released with the store.
  let life: Counted

  static let ids = 13
  private static let scopes = 3
  private static let trees = 2

  static func overlap(of id: Int, _ input: Int) -> Overlap {
    switch id {
    case 0, 11, 12: .restart
    case 1: .concurrent
    case 2: .enqueue(limit: 1 + input)
    case 3: .join
    case 4: .restart(exclusive: true)
    case 5: .keepLatest
    case 6: .drop
    case 7: .enqueue(capacity: 2, whenFull: .dropOldest)
    case 8: .restart(limit: 3)
    case 9: .join(limit: 2)
    default: .enqueue(exclusive: true)
    }
  }

  static func exclusiveLimit(of name: Int) -> Int? {
    guard (0..<2_000).contains(name) else { return nil }
    return name % 100 == 4 || name % 100 == 10 ? 1 : nil
  }

  static func hasWindow(_ id: Int?) -> Bool { id == 11 || id == 12 }

  // Names of work: by id, id in a scope, tree, or none.
  private static let unnamed = -1
  private static func scopedName(_ scope: Int, _ id: Int?) -> Int { 1_000 + 100 * scope + (id ?? 99) }
  private static func treeName(_ tree: Int) -> Int { 2_000 + tree }
  private static func treeID(_ tree: Int) -> EffectID { EffectID("tree \(tree)") }
  private static func scopeID(_ scope: Int) -> EffectID { EffectID("scope \(scope)") }

  static func reaches(_ cancelling: StressAction.Cancelling, _ name: Int) -> Bool {
    switch cancelling {
    case .id(let id): name == id
    case .ids(let ids): ids.contains(name)
    case .tree(let tree): name == treeName(tree)
    case .scope(let scope): name / 100 == 10 + scope
    case .numbers(let bound): name >= 0 && (name < bound || (1_000..<2_000).contains(name) && name % 100 < bound)
    case .everything: true
    }
  }

  func reduce(into state: inout StressState, action: StressAction) -> Effect<StressAction> {
    journal.begin(action)
    defer { journal.end() }
    switch action.what {
    case .start(let order):
      state.starts += 1
      return start(order, by: nil)
    case .result(let order):
      state.results += 1
      return order.map { start($0, by: action.mark?.stream.run) } ?? .none
    case .again(let left):
      return left > 0 ? .send(StressAction(what: .again(left - 1))) : .none
    case .after:
      return .none
    case .probe(let farewell):
      guard let farewell else { return .none }
      return .run { _ in withExtendedLifetime(farewell) {} }
    case .cancel(let cancelling):
      journal.cancel(cancelling)
      return Self.cancel(cancelling)
    }
  }

  private static func cancel(_ cancelling: StressAction.Cancelling) -> Effect<StressAction> {
    switch cancelling {
    case .id(let id): .cancel(id: EffectID(id))
    case .ids(let ids): .cancel(ids: ids)
    case .tree(let tree): .cancel(id: treeID(tree))
    case .scope(let scope): .cancel(scope: "scope \(scope)")
    case .numbers(let bound): .cancel(.all(of: Int.self) { $0 < bound })
    case .everything: .cancel(.everything)
    }
  }

  // MARK: - Shapes

  private func start(_ order: Order, by parent: RunRecord?) -> Effect<StressAction> {
    switch order.shape {
    case .plain:
      let run = effect(journal.ask(for: order, under: order.id ?? Self.unnamed, by: parent))
      guard order.input == 0 else { return run }
      journal.expectAgain(2)
      return .merge(.send(StressAction(what: .again(2))), run)
    case .followed:
      let record = journal.ask(for: order, under: order.id ?? Self.unnamed, by: parent)
      record.isAwaited = true
      return .concatenate(effect(record), .send(StressAction(what: .after(record))))
    case .chained:
      let first = journal.ask(for: order, under: order.id ?? Self.unnamed, by: parent)
      let rest = Order(
        kind: .burst, shape: .plain, id: nil, input: 1, pause: order.pause, cause: order.cause, next: nil)
      return .concatenate(effect(first), effect(journal.ask(for: rest, under: Self.unnamed, by: parent)))
    case .tree:
      let tree = order.input % Self.trees
      let name = Self.treeName(tree)
      journal.askForTree(under: name, isReplacing: tree == 0, order)
      let runs = (0..<2).map { _ in journal.ask(for: order, under: name, by: parent) }
      for run in runs where tree == 1 { run.isAwaited = true }
      let parts = runs.map { run in
        tree == 0
          ? effect(run, id: nil)
          : .concatenate(effect(run, id: nil), .send(StressAction(what: .after(run))))
      }
      return .merge(parts).cancellable(id: Self.treeID(tree), overlap: tree == 0 ? .restart : .enqueue)
    case .scoped:
      let scope = order.input % Self.scopes
      let record = journal.ask(for: order, under: Self.scopedName(scope, order.id), by: parent)
      return effect(record).scoped("scope \(scope)") { $0 }
    case .delayed:
      return effect(journal.ask(for: order, under: order.id ?? Self.unnamed, by: parent)).delay(for: order.pause)
    }
  }

  private func effect(_ record: RunRecord) -> Effect<StressAction> { effect(record, id: record.order.id) }

  private func effect(_ record: RunRecord, id: Int?) -> Effect<StressAction> {
    let run = StressRun(record: record, journal: journal, life: Counted(journal.released))
    let effect = run.effect(
      id: id.map { EffectID($0) }, overlap: id.map { Self.overlap(of: $0, record.order.input) } ?? .concurrent)
    switch id {
    case 11: return effect.debounce(for: record.order.pause, maxWait: .milliseconds(5))
    case 12: return effect.throttle(for: record.order.pause, trailing: record.order.input != 1)
    default: return effect
    }
  }
}
