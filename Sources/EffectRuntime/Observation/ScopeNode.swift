// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A part of the tree of features as it is observed: the whole of a store, or a child in it.
@MainActor
final class ScopeNode<State, Action: Sendable> {
  let fields = ObservedFields()
  /// Calls back with the present state; does not if it is gone.
  let visit: (_ body: (State) -> Void) -> Void
  let send: @MainActor (Action) -> Dispatch
  let status: StatusReader
  /// Where it is in the names of work; nowhere, if it is the whole.
  let position: EffectID?
  /// Takes its place among those that are compared; once, because that is for the first one who reads a field.
  private var attach: (() -> Void)?

  init(
    visit: @escaping (_ body: (State) -> Void) -> Void, send: @escaping @MainActor (Action) -> Dispatch,
    status: StatusReader, position: EffectID?
  ) {
    self.visit = visit
    self.send = send
    self.status = status
    self.position = position
  }

  /// The value of a field, tracked; `nil` if the state is gone.
  func read<Value>(_ keyPath: KeyPath<State, Value>) -> Value? {
    var found: Value?
    visit { found = $0[keyPath: keyPath] }
    return found
  }

  func accessed<Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    attachIfNeeded()
    fields.accessed(keyPath, value)
  }

  /// A child, and that somebody knows whether there is one.
  func tracked<Part>(_ position: EffectID, _ get: @escaping (State) -> Part?) -> Part? {
    var part: Part?
    visit { part = get($0) }
    attachIfNeeded()
    fields.accessed(position, part != nil) { get($0.value()) != nil }
    return part
  }

  private func attachIfNeeded() {
    attach?()
    attach = nil
  }

  func name(_ id: EffectID) -> EffectID { position.map(id.scoped(by:)) ?? id }

  // MARK: - Children

  func child<Part, PartAction>(
    _ part: Part, at offset: Int? = nil, position inner: EffectID, _ get: @escaping (State) -> Part?,
    _ embed: @escaping @Sendable (PartAction) -> Action
  ) -> ChildStore<Part, PartAction> {
    let node = ScopeNode<Part, PartAction>(
      visit: { [self] body in visit { state in if let part = get(state) { body(part) } } },
      send: { [send] action in send(embed(action)) }, status: status, position: name(inner))
    // Weak, because it is kept by the very node it belongs to.
    node.attach = { [self, weak node] in
      guard let node else { return }
      attachIfNeeded()
      fields.add(
        ObservedChild(of: node, node.fields) { state, body in
          if let offset {
            body(state.part(at: offset))
            return true
          }
          guard let part = get(state.value()) else { return false }
          StateInPlace.temporary(part, body)
          return true
        })
    }
    return ChildStore(node, initial: part)
  }
}

/// Asks for statuses at the root.
struct StatusReader {
  let isRunning: @MainActor (EffectID) -> Bool
  let status: @MainActor (EffectID) -> EffectStatus
}
