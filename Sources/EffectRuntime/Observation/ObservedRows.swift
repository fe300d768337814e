// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The rows of one collection whose fields were read.
protocol ObservedRows: AnyObject {
  var path: AnyKeyPath { get }
  var children: [ObservedChild] { get }
  var isEmpty: Bool { get }
  /// Whether a store of a row is kept, or a reader waits to be notified.
  var isUsed: Bool { get }
  var isRestless: Bool { get }
  /// Shows the state to the fields of rows that may have changed.
  func update(_ state: StateInPlace)
  /// Calls a closure for all rows.
  func updateAll(_ update: (ObservedChild) -> Bool)
}

final class ObservedRowsInPlace<Rows: RowContainer>: ObservedRows {
  let path: AnyKeyPath
  private let offset: Int
  private let group: RowGroup<Rows>

  /// - Parameter offset: the offset of the collection in the state.
  init(_ path: AnyKeyPath, at offset: Int, _ watched: WatchedRows) {
    self.path = path
    self.offset = offset
    group = RowGroup(watched)
  }

  var children: [ObservedChild] { group.observers.compactMap { ($0 as? ObservedRow<Rows.Row>)?.child } }
  var isEmpty: Bool { group.count == 0 }
  var isUsed: Bool { group.isWatched }
  var isRestless: Bool { group.isRestless }

  func add(_ child: ObservedChild, of id: Rows.RowID) {
    child.becomesRestless = { [weak group, above = child.becomesRestless] in
      group?.noteRestless(id)
      above()
    }
    group.add(ObservedRow(child), of: id)
  }

  func update(_ state: StateInPlace) { group.update(state.value(at: offset)) }

  func updateAll(_ update: (ObservedChild) -> Bool) {
    for child in children { _ = update(child) }
    group.removeLeft()
    group.forgetRows()
  }
}

/// The fields of a row as those of the collection see them.
private final class ObservedRow<Row>: RowObserver<Row> {
  let child: ObservedChild

  init(_ child: ObservedChild) {
    self.child = child
  }

  override var isWatched: Bool { child.isUsed }
  override var isRestless: Bool { child.isRestless }

  override func offer(_ row: Row?) {
    guard !child.fields.isEmpty else { return }
    guard let row else { return child.fields.go() }
    StateInPlace.temporary(row, child.fields.update)
  }

  override func leave() { child.leave() }
}
