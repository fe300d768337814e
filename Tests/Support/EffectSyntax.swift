// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// An effect as written: the oracle that real effects are compared with.
///
/// It is a plain recursive enum, which would overflow the stack when deep, and its rules are the laws written as code.
/// Names are paths from the outermost scope inwards.
package indirect enum EffectSyntax: Equatable, Sendable {
  case none
  case send(Int)
  /// The run sends its input, and nothing else.
  case run(path: [String], isNamed: Bool, input: Int)
  case cancel(path: [String])
  case merge([EffectSyntax])
  case concatenate([EffectSyntax])
  case cancellable(path: [String], EffectSyntax)
}

// MARK: - From and to effects

extension EffectSyntax {
  /// The result of the functions of `Effect`; for syntax that has not been `scoped`.
  package var effect: Effect<Int> {
    switch self {
    case .none: .none
    case .send(let action): .send(action)
    case .run(let path, let isNamed, let input):
      .run(id: isNamed ? EffectID(path[0]) : nil, overlap: .concurrent, input: input) { input, send in send(input) }
    case .cancel(let path): .cancel(id: path[0])
    case .merge(let parts): .merge(parts.map(\.effect))
    case .concatenate(let parts): .concatenate(parts.map(\.effect))
    case .cancellable(let path, let content): content.effect.cancellable(id: path[0], overlap: .concurrent)
    }
  }

  /// Reads an effect without changes, node by node.
  package init(reading effect: Effect<Int>) {
    switch effect {
    case .none: self = .none
    case .send(let action): self = .send(action)
    case .run(let operation):
      let path = operation.id ?? operation.scope
      self = .run(
        path: path?.names ?? [], isNamed: operation.id != nil, input: operation.input as? Int ?? -1)
    case .cancel(.id(let id)): self = .cancel(path: id.names)
    case .cancel(let other): fatalError("EffectSyntax: no case for \(other)")
    case .merge(let parts): self = .merge(parts.map(EffectSyntax.init(reading:)))
    case .concatenate(let parts): self = .concatenate(parts.map(EffectSyntax.init(reading:)))
    case .cancellable(let tree): self = .cancellable(path: tree.id.names, EffectSyntax(reading: tree.content))
    }
  }
}

extension EffectID {
  /// The components, outermost scope first, if all of them are strings.
  fileprivate var names: [String] {
    sequence(first: head, next: \.inner).map { $0.erased as? String ?? "not a string: \($0.text)" }
  }
}

// MARK: - The laws

extension EffectSyntax {
  /// The meaning of the syntax: no empty branch, no branch with one part, no branch directly inside a branch of its
  /// kind.
  package var normal: EffectSyntax {
    switch self {
    case .none, .send, .run, .cancel: return self
    case .merge(let parts):
      let parts = parts.map(\.normal).filter { $0 != .none }
      return parts.count < 2 ? parts.first ?? .none : EffectSyntax.merge(parts).flattened
    case .concatenate(let parts):
      let parts = parts.map(\.normal).filter { $0 != .none }
      return parts.count < 2 ? parts.first ?? .none : EffectSyntax.concatenate(parts).flattened
    case .cancellable(let name, let content):
      switch content.normal {
      case .none: return .none
      case .run(path: [], isNamed: false, let input): return .run(path: name, isNamed: true, input: input)
      case let content: return .cancellable(path: name, content)
      }
    }
  }

  /// The same without branches directly inside branches of their kind; drops nothing.
  package var flattened: EffectSyntax {
    switch self {
    case .none, .send, .run, .cancel: self
    case .merge(let parts):
      .merge(parts.map(\.flattened).flatMap { if case .merge(let inner) = $0 { inner } else { [$0] } })
    case .concatenate(let parts):
      .concatenate(parts.map(\.flattened).flatMap { if case .concatenate(let inner) = $0 { inner } else { [$0] } })
    case .cancellable(let path, let content): .cancellable(path: path, content.flattened)
    }
  }

  /// The same with every action changed. The input of a run is not an action and stays.
  package func mapped(_ transform: (Int) -> Int) -> EffectSyntax {
    switch self {
    case .none, .run, .cancel: self
    case .send(let action): .send(transform(action))
    case .merge(let parts): .merge(parts.map { $0.mapped(transform) })
    case .concatenate(let parts): .concatenate(parts.map { $0.mapped(transform) })
    case .cancellable(let path, let content): .cancellable(path: path, content.mapped(transform))
    }
  }

  /// The same with every name inside one more scope.
  package func scoped(by scope: String) -> EffectSyntax {
    switch self {
    case .none, .send: self
    case .run(let path, let isNamed, let input): .run(path: [scope] + path, isNamed: isNamed, input: input)
    case .cancel(let path): .cancel(path: [scope] + path)
    case .merge(let parts): .merge(parts.map { $0.scoped(by: scope) })
    case .concatenate(let parts): .concatenate(parts.map { $0.scoped(by: scope) })
    case .cancellable(let path, let content): .cancellable(path: [scope] + path, content.scoped(by: scope))
    }
  }

  /// The parts and the parts of the parts, this one first, from left to right.
  package var nodes: [EffectSyntax] {
    switch self {
    case .none, .send, .run, .cancel: [self]
    case .merge(let parts), .concatenate(let parts): [self] + parts.flatMap(\.nodes)
    case .cancellable(_, let content): [self] + content.nodes
    }
  }

  /// The runs, from left to right.
  package var runs: [EffectRun] {
    nodes.compactMap { node in
      guard case .run(let path, let isNamed, let input) = node else { return nil }
      return EffectRun(id: isNamed ? EffectID(path: path) : nil, overlap: .concurrent, input: input)
    }
  }
}

extension EffectID {
  /// The id of the last name inside the scopes before it.
  fileprivate init(path: [String]) {
    self = path.dropLast().reversed().reduce(EffectID(path[path.count - 1])) { $0.scoped(by: EffectID($1)) }
  }
}

extension EffectSyntax: CustomStringConvertible {
  /// The expected description of the effect.
  package var description: String {
    func list(_ parts: [EffectSyntax]) -> String { parts.map(\.description).joined(separator: ", ") }
    func name(_ path: [String]) -> String { path.map { "\"\($0)\"" }.joined(separator: "/") }
    return switch self {
    case .none: "none"
    case .send(let action): "send(\(action))"
    case .run(let path, isNamed: true, let input): "run(\(name(path)), input: \(input))"
    case .run(_, isNamed: false, let input): "run(input: \(input))"
    case .cancel(let path): "cancel(\(name(path)))"
    case .merge(let parts): "merge(\(list(parts)))"
    case .concatenate(let parts): "concatenate(\(list(parts)))"
    case .cancellable(let path, let content): "cancellable(\(name(path)), \(content))"
    }
  }
}
