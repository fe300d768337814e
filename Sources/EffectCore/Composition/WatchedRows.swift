// This source file is part of swift-effects. License: Apache-2.0.

/// The copies of collections by which a store's observers find out which rows have changed.
///
/// While a copy shares its storage with the state, nothing has changed: any change would have made storage of its own. But
/// that would copy the whole collection with each change. So ``EachRow`` releases the copies before it changes a row, takes
/// them again behind that, and notes the id. Then an action of a row copies nothing, and no other row need be compared.
///
/// Code that changes the collection in another way is not seen here. It makes other storage, and so counts as a change of any
/// row.
///
/// - Isolation: that of its store.
package final class WatchedRows {
  private struct Key: Hashable {
    let word: UInt
    let type: ObjectIdentifier
  }

  private struct Entry { weak var copy: AnyObject? }

  private var entries: [Key: [Entry]] = [:]
  private var countWhenSwept = 0
  /// The types of collections of which a row was changed while there was no copy. A collection that only other code
  /// changes gets no copy.
  private var missed: Set<ObjectIdentifier> = []
  /// Whether a collection was compared since the last row that was missed.
  fileprivate var isAsked = false

  package init() {}

  /// Whether no collection is watched.
  var isEmpty: Bool { !isAsked && entries.isEmpty }

  /// A row was changed, and there was no copy of the collection.
  fileprivate func miss<Rows>(_ type: Rows.Type) {
    isAsked = false
    missed.insert(ObjectIdentifier(type))
  }

  /// Whether a copy would have been useful.
  fileprivate func takeMissed<Rows>(_ type: Rows.Type) -> Bool {
    !missed.isEmpty && missed.remove(ObjectIdentifier(type)) != nil
  }

  /// The first of the copies that share their storage with a collection; each leads to the next.
  fileprivate func copies<Rows: RowContainer>(of rows: Rows) -> RowsCopy<Rows>? {
    let key = Key(word: Self.word(of: rows), type: ObjectIdentifier(Rows.self))
    guard let found = entries[key] else { return nil }
    var first: RowsCopy<Rows>?
    var isUsed = false
    for entry in found {
      guard let copy = entry.copy else { continue }
      isUsed = true
      // SAFETY: the key contains the type of the rows.
      let same = unsafe unsafeDowncast(copy, to: RowsCopy<Rows>.self)
      guard same.shares(rows) else { continue }
      same.next = first
      first = same
    }
    if !isUsed { entries[key] = nil }
    return first
  }

  /// A copy can be found by its present storage, and not by the former one any more.
  fileprivate func note<Rows>(_ copy: RowsCopy<Rows>, former: UInt?, word: UInt?) {
    guard former != word else { return }
    if let former {
      let key = Key(word: former, type: ObjectIdentifier(Rows.self))
      let rest = entries[key]?.filter { $0.copy != nil && $0.copy !== copy } ?? []
      entries[key] = rest.isEmpty ? nil : rest
    }
    guard let word else { return }
    entries[Key(word: word, type: ObjectIdentifier(Rows.self)), default: []].append(Entry(copy: copy))
    guard entries.count > 2 * countWhenSwept + 32 else { return }
    entries = entries.filter { $0.value.contains { $0.copy != nil } }
    countWhenSwept = entries.count
  }

  /// The first bytes of a collection: usually the address of its storage.
  fileprivate static func word<Rows>(of rows: Rows) -> UInt {
    // SAFETY: only the bytes of the value are read, and only as many as it has.
    unsafe withUnsafeBytes(of: rows) { bytes in
      guard bytes.count >= MemoryLayout<UInt>.size else { return 0 }
      return unsafe bytes.loadUnaligned(as: UInt.self)
    }
  }
}

/// A copy of a collection as the observers of its rows saw it last, and the rows that were changed since.
package final class RowsCopy<Rows: RowContainer> {
  /// The copy; `nil` if it is not known which rows have changed.
  private var rows: Rows?
  private var word: UInt?
  private var changed: [Rows.RowID] = []
  /// All rows may have changed, by code that has copied the collection anyway.
  private var isReplaced = false
  private let watched: WatchedRows
  /// The next copy that shares its storage, while a row is changed.
  fileprivate var next: RowsCopy?
  /// Reads the id that a row has now; `nil` if changing a row does not change by which id it is found.
  private let idOfRow: ((Rows.Row) -> Rows.RowID?)?
  /// For how many more comparisons no copy is taken.
  private var pause = 0
  private var nextPause = 1
  private var successes = 0

  /// More changed rows than this count as a change of all.
  private static var limit: Int { 1_000 }
  private static var longestPause: Int { 1_024 }

  package init(_ watched: WatchedRows) {
    self.watched = watched
    idOfRow = Rows.self is any FoundByKey.Type ? nil : Self.reader(Rows.Row.self as? any Identifiable.Type)
  }

  private static func reader(_ type: (any Identifiable.Type)?) -> ((Rows.Row) -> Rows.RowID?)? {
    guard type != nil else { return nil }
    return { row in (row as? any Identifiable).flatMap { $0.id as? Rows.RowID } }
  }

  /// Finds the ids of the rows that may have changed since the last call.
  ///
  /// - Parameters:
  ///   - present: the collection now.
  ///   - ids: an empty array, which gets them.
  /// - Returns: `false` if any row may have changed.
  /// - Complexity: O(1).
  package func changes(to present: Rows, _ ids: inout [Rows.RowID]) -> Bool {
    defer {
      if !changed.isEmpty { changed.removeAll(keepingCapacity: true) }
      isReplaced = false
    }
    watched.isAsked = true
    guard let rows else {
      // Each change of the collection by other code would copy it. So it is tried again, but rarely.
      if pause > 0 { pause -= 1 } else if watched.takeMissed(Rows.self) { take(present) }
      return false
    }
    guard Sameness.haveSameBits(rows, present) else {
      successes = 0
      pause = nextPause
      nextPause = min(2 * nextPause, Self.longestPause)
      release()
      return false
    }
    if isReplaced { return false }
    if !changed.isEmpty {
      successes += 1
      if successes == 8 { (successes, nextPause) = (0, max(1, nextPause / 2)) }
      swap(&ids, &changed)
    }
    return true
  }

  func shares(_ present: Rows) -> Bool { rows.map { Sameness.haveSameBits($0, present) } ?? false }

  private func take(_ present: Rows) {
    rows = present
    next = nil
    let former = word
    word = WatchedRows.word(of: present)
    watched.note(self, former: former, word: word)
  }

  /// The next comparison counts any row as changed.
  package func release() {
    rows = nil
    watched.note(self, former: word, word: nil)
    word = nil
  }

  // MARK: - Changes that are noted

  /// A row is about to be changed in place.
  fileprivate func letGo() { rows = nil }

  fileprivate func noteChange(of id: Rows.RowID) {
    if changed.count < Self.limit { changed.append(id) } else { isReplaced = true }
  }

  /// The id by which a row will be found.
  fileprivate func noteID(of row: Rows.Row) {
    if let idOfRow, let id = idOfRow(row) { noteChange(of: id) }
  }

  fileprivate func takeBack(_ present: Rows) { take(present) }

  /// The collection was replaced, by code that copies it anyway.
  fileprivate func replace(by present: Rows) {
    isReplaced = true
    changed = []
    take(present)
  }
}

extension RowContainer {
  /// Changes a row in place, and notes for observers that only this one has changed.
  mutating func changeRow<Result>(_ id: RowID, _ change: (inout Row) -> Result) -> Result? {
    guard let watched = StackCounter.current?.watchedRows, !watched.isEmpty else { return _updateRow(id, change) }
    let first = watched.copies(of: self)
    guard first != nil else {
      watched.miss(Self.self)
      return _updateRow(id, change)
    }
    func each(_ body: (RowsCopy<Self>) -> Void) {
      var copy = first
      while let present = copy {
        copy = present.next
        body(present)
      }
    }
    each { $0.letGo() }
    let result = _updateRow(id) { row in
      let result = change(&row)
      each { $0.noteID(of: row) }
      return result
    }
    each { copy in
      if result != nil { copy.noteChange(of: id) }
      copy.takeBack(self)
    }
    return result
  }

  /// Notes for observers that other code may have changed any row. This collection is a copy then, because `former` exists.
  func noteChanges(since former: Self) {
    guard let watched = StackCounter.current?.watchedRows, !watched.isEmpty, !Sameness.haveSameBits(self, former)
    else { return }
    var copy = watched.copies(of: former)
    while let present = copy {
      copy = present.next
      present.replace(by: self)
    }
  }
}

/// A collection whose rows do not contain the ids by which they are found.
private protocol FoundByKey {}
extension Dictionary: FoundByKey {}
