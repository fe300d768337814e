// This source file is part of swift-effects. License: Apache-2.0.

/// A collection whose elements can be found by an id: what ``Reducer/forEach(_:action:fileID:line:_:)`` goes through.
///
/// A `Dictionary` is one, and so is an `Array` of `Identifiable` elements with different ids. To find a row, an array
/// checks one element after another. With more than a few hundred rows, keep them in a dictionary, and their order in
/// an array of ids.
///
/// The members are underscored, because only `forEach` and `ids(of:)` call them: your dictionaries and arrays do not show
/// them. An ordered collection of another package conforms with these four:
///
/// ```swift
/// extension OrderedDictionary: @retroactive RowContainer {
///   public var _rowIDs: OrderedSet<Key> { keys }
///   public func _row(of id: Key) -> Value? { self[id] }
///   public mutating func _updateRow<Result>(_ id: Key, _ change: (inout Value) -> Result) -> Result? {
///     guard let index = index(forKey: id) else { return nil }
///     return change(&values[index])
///   }
///   public func _rowsRemoved(since former: Self) -> [Key] { former.keys.filter { self[$0] == nil } }
/// }
/// ```
///
/// - Isolation: a value.
public protocol RowContainer<RowID, Row> {
  /// What a row is found by.
  associatedtype RowID: Hashable
  /// The state of one child.
  associatedtype Row
  /// The ids of all rows, one after another.
  associatedtype RowIDs: Sequence<RowID>

  /// The ids of all rows, in the order of the rows. A collection without an order may use any order, as long as the
  /// order stays the same while the collection does.
  ///
  /// - Complexity: should be O(1), because it is called after every action while a reader tracks the order.
  var _rowIDs: RowIDs { get }

  /// The row of an id; `nil` if there is none.
  ///
  /// - Parameter id: what the row is found by.
  /// - Returns: the row, and `nil` if there is none.
  func _row(of id: RowID) -> Row?

  /// Changes a row in place; `nil` if there is none of that id.
  ///
  /// - Parameters:
  ///   - id: what the row is found by.
  ///   - change: changes the row in place. Called once, or not at all.
  /// - Returns: what `change` returned, and `nil` if there is no such row.
  mutating func _updateRow<Result>(_ id: RowID, _ change: (inout Row) -> Result) -> Result?

  /// The ids that were in `former` and are not in this.
  ///
  /// - Complexity: should be O(1) where both share their storage, because it is called after every action.
  /// - Parameter former: the collection before the reduction.
  /// - Returns: the ids that are not here any more, each once. Their work is cancelled in this order, so it should be the same
  ///   each time.
  func _rowsRemoved(since former: Self) -> [RowID]
}

extension RowContainer {
  func hasRow(_ id: RowID) -> Bool { _row(of: id) != nil }
}

extension Dictionary: RowContainer {
  /// The keys; O(1).
  public var _rowIDs: Keys { keys }

  /// The value of a key; O(1).
  ///
  /// - Parameter id: the key of the row.
  /// - Returns: the row, and `nil` if there is none.
  public func _row(of id: Key) -> Value? { self[id] }

  /// Changes the value of a key in place; O(1).
  ///
  /// - Parameters:
  ///   - id: the key of the row.
  ///   - change: changes the row in place. Not called if there is none.
  /// - Returns: what `change` returned, and `nil` if there is no such row.
  public mutating func _updateRow<Result>(_ id: Key, _ change: (inout Value) -> Result) -> Result? {
    guard let index = index(forKey: id) else { return nil }
    return change(&values[index])
  }

  /// The keys that were in `former` and are not in this; O(1) if nothing has been changed, else O(count).
  ///
  /// - Parameter former: the dictionary before the reduction.
  /// - Returns: the keys that are missing now, in the order of their descriptions.
  public func _rowsRemoved(since former: Self) -> [Key] {
    if sharesStorage(with: former) { return [] }
    let removed = former.keys.filter { self[$0] == nil }
    guard removed.count > 1 else { return removed }
    // A dictionary has another order in each process, and work would be cancelled in that order.
    return removed.map { (key: $0, text: String(describing: $0)) }.sorted { $0.text < $1.text }.map(\.key)
  }

  func sharesStorage(with other: Self) -> Bool {
    // SAFETY: only bits are compared, and no value is made of them. Both dictionaries exist, so equal bits mean the
    // same storage. If a dictionary were more than one pointer, `unsafeBitCast` would trap at the first call.
    unsafe unsafeBitCast(self, to: UInt.self) == unsafeBitCast(other, to: UInt.self)
  }
}

extension Array: RowContainer where Element: Identifiable {
  /// The ids of the elements, in their order; O(1).
  public var _rowIDs: LazyMapSequence<[Element], Element.ID> { lazy.map(\.id) }

  /// The first element of an id; O(count).
  ///
  /// - Parameter id: the id of the row.
  /// - Returns: the row, and `nil` if there is none.
  public func _row(of id: Element.ID) -> Element? { first { $0.id == id } }

  /// Changes the first element of an id in place; O(count).
  ///
  /// - Parameters:
  ///   - id: the id of the row.
  ///   - change: changes the row in place. Not called if there is none.
  /// - Returns: what `change` returned, and `nil` if there is no such row.
  public mutating func _updateRow<Result>(_ id: Element.ID, _ change: (inout Element) -> Result) -> Result? {
    guard let index = firstIndex(where: { $0.id == id }) else { return nil }
    return change(&self[index])
  }

  /// The ids that were in `former` and are not in this; O(1) if nothing has been changed, else O(count).
  ///
  /// - Parameter former: the array before the reduction.
  /// - Returns: the ids that are missing now.
  public func _rowsRemoved(since former: Self) -> [Element.ID] {
    if count == former.count {
      let isSame = unsafe withUnsafeBufferPointer { mine in
        unsafe former.withUnsafeBufferPointer { theirs in unsafe mine.baseAddress == theirs.baseAddress }
      }
      if isSame || zip(self, former).allSatisfy({ $0.id == $1.id }) { return [] }
    }
    let present = Set(lazy.map(\.id))
    return former.lazy.map(\.id).filter { !present.contains($0) }
  }
}
