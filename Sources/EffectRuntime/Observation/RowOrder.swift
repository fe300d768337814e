// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension ObservableStore {
  /// The ids of rows, in the order of the rows.
  ///
  /// A reader is notified when a row is added, removed or moved, and not when one changes (rule M5).
  ///
  /// ```swift
  /// ForEach(library.ids(of: \.rows), id: \.self) { id in ... }
  /// ```
  ///
  /// If you read `library.rows` instead, the reader is notified of every change of a row. The ids of a `Dictionary` have
  /// no defined order. For a list, keep the order in a field of its own, or keep the rows in an array.
  ///
  /// - Parameter rows: the path to the collection of rows in the state.
  /// - Returns: the ids; an id of several rows occurs several times.
  /// - Complexity: O(count). While it is tracked, each turn compares the ids, which is O(count) without an allocation. A
  ///   collection that is a computed property is not compared: it counts as changed with every reduction.
  public func ids<Rows: RowContainer>(of rows: KeyPath<State, Rows>) -> [Rows.RowID] {
    node.rowIDs(rows)
  }
}

/// Which rows there are, and in which order. Only the ids are kept. If the rows were kept, their next change would copy
/// all of them.
final class RowOrder<Rows: RowContainer>: ObservedField {
  private let ids: [Rows.RowID]
  private let offset: Int
  /// A reader was shown other ids than the first reader. So one of the two must be notified, whatever the ids are.
  private var wasShownAnother = false

  private init(_ name: FieldName, _ ids: [Rows.RowID], at offset: Int) {
    self.ids = ids
    self.offset = offset
    super.init(name)
  }

  /// The field for a collection. A computed collection is not compared: it may only be valid in the state in which it
  /// was read.
  static func make<State>(_ keyPath: KeyPath<State, Rows>, _ ids: [Rows.RowID]) -> ObservedField {
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else { return ObservedField(.rows(keyPath)) }
    return RowOrder(.rows(keyPath), ids, at: offset)
  }

  override var isStored: Bool { true }
  override var isCompared: Bool { true }

  override func note<Shown>(_ shown: Shown) {
    if !Sameness.areSame(shown as? [Rows.RowID], ids) { wasShownAnother = true }
  }

  override func hasChanged(_ state: StateInPlace) -> Bool {
    if wasShownAnother { return true }
    let rows = state.value(at: offset, as: Rows.self)
    // The second look is only for ids that do not equal themselves.
    return !rows._rowIDs.elementsEqual(ids) && !Sameness.areSame(Array(rows._rowIDs), ids)
  }

  override func show(_ state: StateInPlace, to last: LastShown) { last.note(name, present(state)) }

  override func successor(_ state: StateInPlace) -> ObservedField? { RowOrder(name, present(state), at: offset) }

  private func present(_ state: StateInPlace) -> [Rows.RowID] { Array(state.value(at: offset, as: Rows.self)._rowIDs) }
}
