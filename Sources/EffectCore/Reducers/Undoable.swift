// This source file is part of swift-effects. License: Apache-2.0.

/// A state with its history: the states before the last steps, and those that were undone.
///
/// ```swift
/// var document = Undoable(Document(), limit: 50)
/// document.edit { $0.text = "Hello" }
/// document.undo()
/// document.redo()
/// ```
///
/// ``Reducer/undoable(cancelling:keeping:step:)`` makes such a state of a feature's state. A `TestStore` compares the
/// history as well; the closure of a test step makes the same edit: `store.send(.edit(.cleared)) { $0.edit { $0.text = "" } }`.
///
/// - Isolation: a value; it is `Sendable` if the state is.
/// - Complexity: it keeps up to `limit` states as they are. Collections in them share their storage with the present state
///   until one of them changes.
public struct Undoable<State: Equatable>: Equatable {
  /// The state now. A change that is made here, and not by ``edit(_:_:)``, is not a step.
  public var present: State
  /// The oldest comes first.
  private var past: [State] = []
  /// The one that was undone last comes last.
  private var future: [State] = []
  /// What the last step was grouped by, as long as it can go on.
  private var group: EffectID?
  private let limit: Int

  /// Makes a state without a history.
  ///
  /// - Parameters:
  ///   - present: the state.
  ///   - limit: how many steps can be undone, at least 1. With one more step the oldest is forgotten.
  ///   - fileID: the file that a trap names if the limit is smaller.
  ///   - line: the line likewise.
  public init(_ present: State, limit: Int, fileID: StaticString = #fileID, line: UInt = #line) {
    if limit < 1 {
      fatalError("Undoable: limit is \(limit); at least one step must be kept", file: fileID, line: line)
    }
    self.present = present
    self.limit = limit
  }

  /// How many steps can be undone.
  public var pastCount: Int { past.count }
  /// How many steps can be redone.
  public var futureCount: Int { future.count }
  /// Whether there is a step to undo.
  public var canUndo: Bool { !past.isEmpty }
  /// Whether there is a step to redo.
  public var canRedo: Bool { !future.isEmpty }

  // MARK: - Editing

  /// Changes the present state, as a step.
  ///
  /// A step that changes nothing is not kept: the history stays as it was. Otherwise what was undone cannot be redone any
  /// more.
  ///
  /// - Parameters:
  ///   - step: whether the change is a step of its own, goes on with a group, or is no step.
  ///   - change: changes the present state.
  /// - Returns: what the closure returns.
  /// - Complexity: O(1) and one comparison of the state, plus O(limit) if the history is full. The state before the change
  ///   is kept, so a collection in it that changes is copied. A change that goes on with a group, or is no step, copies
  ///   and compares nothing.
  @discardableResult
  public mutating func edit<Result>(_ step: UndoStep = .single, _ change: (inout State) -> Result) -> Result {
    let key: EffectID?
    switch step.kind {
    case .notUndoable: return change(&present)
    case .grouped(let group) where group == self.group: return change(&present)
    case .grouped(let group): key = group
    case .single: key = nil
    }
    let former = present
    let result = change(&present)
    guard present != former else { return result }
    past.append(former)
    if past.count > limit { past.removeFirst() }
    future.removeAll()
    group = key
    return result
  }

  // MARK: - Undo and redo

  /// Returns to the state before the last step.
  ///
  /// - Parameter keep: what undo does not change: gets the state that is restored, and the present state. See
  ///   ``Reducer/undoable(cancelling:keeping:step:)``.
  /// - Returns: whether there was a step. Without one nothing changes.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func undo(
    keeping keep: (_ restored: inout State, _ present: State) -> Void = { _, _ in }
  ) -> Bool {
    guard let restored = past.popLast() else { return false }
    future.append(present)
    restore(restored, keep)
    return true
  }

  /// Returns to the state before the last undo.
  ///
  /// - Parameter keep: as with ``undo(keeping:)``.
  /// - Returns: whether there was a step to redo. Without one nothing changes.
  /// - Complexity: O(1).
  @discardableResult
  public mutating func redo(
    keeping keep: (_ restored: inout State, _ present: State) -> Void = { _, _ in }
  ) -> Bool {
    guard let restored = future.popLast() else { return false }
    past.append(present)
    restore(restored, keep)
    return true
  }

  private mutating func restore(_ state: State, _ keep: (_ restored: inout State, _ present: State) -> Void) {
    var state = state
    keep(&state, present)
    present = state
    group = nil
  }
}

extension Undoable: Sendable where State: Sendable {}
