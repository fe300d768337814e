// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

/// Random lives of children in a real store, beside a model of rules M2, M3 and M8: work belongs to the child that started it.
@Suite struct ChildModelTests {
  @Test(arguments: 0..<UInt64(TestSize.of(40, short: 8)))
  func `Work belongs to the child that started it, however the child is removed (M2, M3, M8)`(seed: UInt64) async {
    let model = ChildModel(seed: seed)
    for step in 0..<1_000 {
      await model.step()
      guard let deviation = await model.deviation() else { continue }
      Issue.record("seed \(seed), step \(step): \(deviation)")
      break
    }
    #expect(await model.end() == nil, "seed \(seed)")
  }
}

/// What a house must contain, and which work is active.
private final class ChildModel {
  private let (begun, returned, missing) = (Tally(), Tally(), Tally())
  private let store: Store<House>
  private var numbers: Numbers
  /// What the state of the store must be.
  private var house = House.State()
  /// Generates the ids of the stack in it, as the store does.
  private let counter = StackCounter()
  /// The work that is active, by the child that has started it.
  private var work: [(child: Int, ticket: Ticket, task: StoreTask)] = []
  private var tickets: [Ticket] = []
  private var children = 0
  private var expectedMissing = 0
  private var snapshots: [Family.State] = []
  /// Which child has had an id of the stack.
  private var owners: [Int: Int] = [:]

  init(seed: UInt64) {
    numbers = Numbers(seed: seed)
    store = Store(
      initialState: House.State(), reducer: House(member: Member(begun: begun, returned: returned)),
      onFailure: { [missing] _ in missing.increment() })
  }

  private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

  private func newChild() -> Member.State {
    children += 1
    return Member.State(id: children)
  }

  // MARK: - Steps

  func step() async {
    switch below(10) {
    case 0...3: await changeChildren()
    case 4...6: await startWork()
    case 7, 8: await endWork()
    default: await sendToNone()
    }
    let present = Set(house.members.map(\.id))
    work.removeAll { !present.contains($0.child) }
  }

  private func changeChildren() async {
    guard house.family != nil, below(25) > 0 else {
      let family = house.family == nil ? Family.State() : nil
      house.family = family
      await send(.change { $0.family = family })
      return
    }
    switch below(14) {
    case 0: await change { [child = newChild()] in $0.sheet = child }
    case 1: await change { $0.sheet = nil }
    case 2:
      let (key, child) = (below(4), newChild())
      await change { if $0.rows[key] == nil { $0.rows[key] = child } }
    case 3: await change { [key = below(4)] in $0.rows[key] = nil }
    case 4: await change { $0.rows = [:] }
    case 5: await change { [child = newChild()] in $0.list.append(child) }
    case 6:
      await change { [position = below(4)] in if $0.list.indices.contains(position) { $0.list.remove(at: position) } }
    case 7: await change { $0.list.reverse() }
    case 8: await stack(.push(newChild())) { $0.push($1) }
    case 9: await stack(.pop) { stack, _ in stack.pop() }
    case 10: await stack(.replace(newChild())) { $0.replace(with: $1) }
    case 11:
      let new = [Choice.State.none, .left(newChild()), .right(newChild())][below(3)]
      house.family?.choice = new
      await send(.family(.choice(.change(new))))
    case 12:
      if let family = house.family { snapshots.append(family) }
    default: await restore()
    }
  }

  /// Returns when the action has been reduced. Its work goes on.
  @discardableResult
  private func send(_ action: House.Action) async -> StoreTask {
    let task = store.send(action)
    _ = await store.state
    return task
  }

  private func change(_ change: @escaping @Sendable (inout Family.State) -> Void) async {
    if house.family != nil { counter.count { change(&house.family!) } }
    await send(.family(.change(change)))
  }

  private func stack(
    _ action: StackAction<Member.State, Member.Action>,
    _ change: (inout ChildStack<Member.State>, Member.State) -> Void
  ) async {
    switch action {
    case .push(let child), .replace(let child): counter.count { change(&house.family!.pages, child) }
    default: change(&house.family!.pages, Member.State(id: 0))
    }
    await send(.family(.pages(action)))
  }

  /// The parent writes former children back, as an undo does, but no former stack, because it would give ids again.
  private func restore() async {
    guard let former = snapshots.popLast() else { return }
    await change { state in
      (state.sheet, state.list) = (former.sheet, former.list)
      // A row that is replaced by one with the same id is the same row.
      state.rows = former.rows.filter { key, row in state.rows[key].map { $0.id == row.id } ?? true }
    }
  }

  private func startWork() async {
    guard let place = house.places.randomElement(using: &numbers) else { return }
    let ticket = Ticket(tickets.count + 1)
    tickets.append(ticket)
    switch below(8) {
    case 0:
      house.remove(place.child)
      await send(place.action(.leave(ticket)))
    case 1:
      if place.isDismissed { house.remove(place.child) }
      await send(place.action(.dismiss))
    default:
      let task = await send(place.action(.work(ticket)))
      work.append((place.child, ticket, task))
      // Otherwise it may be cancelled before its closure is called.
      if below(2) == 0 { await ticket.hasBegun.pass() }
    }
  }

  private func endWork() async {
    // Work of a child that was removed sends as well, and must not be reduced.
    for ticket in tickets.suffix(20) where !work.contains(where: { $0.ticket === ticket }) { ticket.mayEnd.open() }
    guard !work.isEmpty else { return }
    let (child, ticket, task) = work.remove(at: below(work.count))
    ticket.mayEnd.open()
    await task.finish()
    house.change(child) { $0.done.append(ticket.number) }
  }

  /// An action for a child that is not there.
  private func sendToNone() async {
    guard house.family != nil else { return }
    let ticket = Ticket(0)
    await send(.family(.item(-1, .work(ticket))))
    expectedMissing += 1
  }

  // MARK: - Checks

  /// What differs between the store and the model; `nil` if nothing does.
  func deviation() async -> String? {
    let (state, effects) = await (store.state, store.effects)
    if state != house { return "the state is \(state), and must be \(house)" }
    let running = effects.byID.values.reduce(0) { $0 + $1.running }
    if running != work.count { return "\(running) runs are active, and must be \(work.count): \(effects)" }
    // One that waits behind other actions is not reported.
    if missing.value > expectedMissing { return "\(missing.value) reports, and at most \(expectedMissing) mistakes" }
    let pages = state.family?.pages ?? ChildStack()
    for (id, child) in zip(pages.ids, pages.elements) {
      if owners.updateValue(child.id, forKey: id.number).map({ $0 != child.id }) == true {
        return "the id \(id) was given to another child before"
      }
    }
    return nil
  }

  /// Ends the store; what is not as it must be then.
  func end() async -> String? {
    for ticket in tickets { ticket.mayEnd.open() }
    await store.shutdown(.cancelling)
    guard begun.value == returned.value else { return "\(begun.value) closures began, and \(returned.value) returned" }
    return await store.effects.byID.isEmpty ? nil : "work is active"
  }
}

/// A child of the model, and how an action is sent to it.
private struct ChildPlace {
  let child: Int
  let action: @Sendable (Member.Action) -> House.Action
  /// Whether its parent removes it when it dismisses itself.
  var isDismissed = false
}

extension House.State {
  fileprivate var places: [ChildPlace] {
    guard let family else { return [] }
    var places: [ChildPlace] = []
    if let sheet = family.sheet {
      places.append(ChildPlace(child: sheet.id, action: { .family(.sheet($0)) }, isDismissed: true))
    }
    // In a fixed order, so that a seed gives the same steps each time.
    for (key, row) in family.rows.sorted(by: { $0.key < $1.key }) {
      places.append(ChildPlace(child: row.id, action: { .family(.row(key, $0)) }))
    }
    for item in family.list { places.append(ChildPlace(child: item.id, action: { .family(.item(item.id, $0)) })) }
    for (id, page) in zip(family.pages.ids, family.pages.elements) {
      places.append(ChildPlace(child: page.id, action: { .family(.pages(.element(id, $0))) }, isDismissed: true))
    }
    switch family.choice {
    case .none: break
    case .left(let child): places.append(ChildPlace(child: child.id, action: { .family(.choice(.left($0))) }))
    case .right(let child): places.append(ChildPlace(child: child.id, action: { .family(.choice(.right($0))) }))
    }
    return places
  }

  fileprivate var members: [Member.State] {
    guard let family else { return [] }
    var members = Array(family.rows.values) + family.list + family.pages.elements
    if let sheet = family.sheet { members.append(sheet) }
    switch family.choice {
    case .none: break
    case .left(let child), .right(let child): members.append(child)
    }
    return members
  }

  /// Changes one child.
  fileprivate mutating func change(_ id: Int, _ change: (inout Member.State) -> Void) {
    guard var family else { return }
    if family.sheet?.id == id { change(&family.sheet!) }
    for (key, row) in family.rows where row.id == id { change(&family.rows[key]!) }
    for index in family.list.indices where family.list[index].id == id { change(&family.list[index]) }
    for index in family.pages.elements.indices where family.pages.elements[index].id == id {
      change(&family.pages.elements[index])
    }
    switch family.choice {
    case .left(var child) where child.id == id:
      change(&child)
      family.choice = .left(child)
    case .right(var child) where child.id == id:
      change(&child)
      family.choice = .right(child)
    default: break
    }
    self.family = family
  }

  /// Removes one child, and what is above it in a stack.
  fileprivate mutating func remove(_ id: Int) {
    guard var family else { return }
    if family.sheet?.id == id { family.sheet = nil }
    family.rows = family.rows.filter { $0.value.id != id }
    family.list.removeAll { $0.id == id }
    if let index = family.pages.elements.firstIndex(where: { $0.id == id }) {
      family.pages.dismiss(family.pages.ids[index])
    }
    switch family.choice {
    case .left(let child) where child.id == id: family.choice = .none
    case .right(let child) where child.id == id: family.choice = .none
    default: break
    }
    self.family = family
  }
}
