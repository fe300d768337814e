// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import TestSupport

/// Rule M2 in the words of the rule: which work is left after each reduction, and which child its answer reaches.
struct HouseholdModel {
  /// Where a child is, from the root. An element of a stack is found by its token, because its id is used once.
  enum Place: Hashable { case guest, owner, roomTenant, roomOwner, row(Int), item(Int), page(Int) }

  /// A step of a test.
  enum Step {
    case action(Household.Action)
    /// A child starts work.
    case work(Place, number: Int, seconds: Int)
    case second
  }

  struct Work {
    let number: Int
    let place: Place
    let end: Int
  }

  private(set) var state = Household.State()
  private(set) var works: [Work] = []
  private(set) var now = 0
  /// How many answers came for a child that did not exist.
  private(set) var missing = 0
  private var numbers: Numbers
  private var tokens = 0
  private var lastWork = 0

  init(seed: UInt64) { numbers = Numbers(seed: seed) }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

  // MARK: - Choosing

  mutating func choose() -> Step {
    switch below(24) {
    case 0: .action(chooseWhole())
    case 1...9: .action(.flat(chooseChange()))
    case 10...14: .second
    default: chooseWork() ?? .second
    }
  }

  private mutating func newTenant() -> Tenant.State {
    tokens += 1
    return Tenant.State(token: tokens)
  }

  /// The whole flat is removed, made again, kept, or restored, also by way of bytes.
  private mutating func chooseWhole() -> Household.Action {
    let index = below(4)
    let change: @Sendable (inout Household.State) -> Void =
      switch below(6) {
      case 0: { $0.flat = nil }
      case 1: { $0.flat = $0.flat ?? Flat.State() }
      case 2: { $0.flat = Flat.State() }
      case 3: { if let flat = $0.flat, $0.past.count < 4 { $0.past.append(flat) } }
      case 4: { if $0.past.indices.contains(index) { $0.flat = $0.past[index] } }
      default:
        {
          guard $0.past.indices.contains(index), let bytes = try? JSONEncoder().encode($0.past[index]) else { return }
          $0.flat = try? JSONDecoder().decode(Flat.State.self, from: bytes)
        }
      }
    return below(2) == 0 ? .change(change) : .changeBehind(change)
  }

  private mutating func chooseChange() -> Flat.Action {
    let (tenant, key) = (newTenant(), below(2))
    let owner = Owner.State(tenant: tenant)
    if below(4) == 0 {
      let room = [Room.State.empty, .tenant(tenant), .owner(owner)][below(3)]
      return .room(.change { $0 = room })
    }
    if below(6) == 0 {
      return .pages([.push(tenant), .pop, .replace(tenant), .popToRoot, .set([tenant])][below(5)])
    }
    let change: @Sendable (inout Flat.State) -> Void =
      switch below(13) {
      case 0, 1: { $0.guest = nil }
      case 2, 3: { $0.guest = tenant }
      case 4: { $0.owner = nil }
      case 5: { $0.owner = owner }
      case 6: { $0.rows[key] = nil }
      case 7: { $0.rows[key] = tenant }
      case 8: { if !$0.list.isEmpty { $0.list.removeFirst() } }
      case 9: { $0.list.append(owner) }
      case 10: { $0.pages.pop() }
      case 11: { $0.pages.push(tenant) }
      default: { $0.pages = ChildStack([tenant]) }
      }
    return .change(Flat.Author.allCases[below(3)], change)
  }

  private mutating func chooseWork() -> Step? {
    guard let flat = state.flat else { return nil }
    let places = Self.places(flat).keys.sorted { "\($0)" < "\($1)" }
    guard !places.isEmpty else { return nil }
    lastWork += 1
    return .work(places[below(places.count)], number: lastWork, seconds: 1 + below(4))
  }

  // MARK: - Reducing

  mutating func take(_ step: Step) {
    switch step {
    case .action(let action): reduce(action)
    case .work(let place, let number, let seconds):
      works.append(Work(number: number, place: place, end: now + seconds))
    case .second: passSecond()
    }
  }

  private mutating func reduce(_ action: Household.Action) {
    let former = state.flat
    switch action {
    case .change(let change): change(&state)
    case .flat(let action):
      if var flat = state.flat {
        reduce(action, in: &flat)
        state.flat = flat
      }
    case .changeBehind: break
    }
    // A flat has no id: it is another one only if there was none.
    if (former == nil) != (state.flat == nil) { works = [] }
    if case .changeBehind(let change) = action { change(&state) }
  }

  private mutating func reduce(_ action: Flat.Action, in flat: inout Flat.State) {
    // The room is a part of its own, and sees only its own changes.
    if case .room(let action) = action {
      let former = Self.places(flat)
      if case .change(let change) = action { change(&flat.room) }
      cancel(from: former, to: Self.places(flat)) { $0 == .roomTenant || $0 == .roomOwner }
    }
    if case .change(.before, let change) = action { change(&flat) }
    let former = Self.places(flat)
    switch action {
    case .change(.parent, let change): change(&flat)
    case .pages(.push(let tenant)): flat.pages.push(tenant)
    case .pages(.pop): flat.pages.pop()
    case .pages(.replace(let tenant)): flat.pages.replace(with: tenant)
    case .pages(.popToRoot): flat.pages.popToRoot()
    case .pages(.set(let tenants)): flat.pages.set(tenants)
    default: break
    }
    cancel(from: former, to: Self.places(flat)) { $0 != .roomTenant && $0 != .roomOwner }
    if case .change(.behind, let change) = action { change(&flat) }
  }

  private mutating func cancel(from former: [Place: Int], to present: [Place: Int], where isPart: (Place) -> Bool) {
    works.removeAll { isPart($0.place) && former[$0.place] != present[$0.place] }
  }

  private mutating func passSecond() {
    now += 1
    for work in works where work.end == now {
      guard state.flat != nil, Self.places(state.flat!)[work.place] != nil else {
        missing += 1
        continue
      }
      Self.change(&state.flat!, at: work.place) { $0.done = ($0.done + [work.number]).sorted() }
    }
    works.removeAll { $0.end == now }
  }

  // MARK: - Places

  /// The children, with what distinguishes two at one place: the id, if there is one.
  static func places(_ flat: Flat.State) -> [Place: Int] {
    var places: [Place: Int] = [:]
    if flat.guest != nil { places[.guest] = 0 }
    if let owner = flat.owner { places[.owner] = owner.id }
    switch flat.room {
    case .empty: break
    case .tenant: places[.roomTenant] = 0
    case .owner(let owner): places[.roomOwner] = owner.id
    }
    for key in flat.rows.keys { places[.row(key)] = 0 }
    for owner in flat.list { places[.item(owner.id)] = 0 }
    for page in flat.pages.elements { places[.page(page.token)] = 0 }
    return places
  }

  private static func change(_ flat: inout Flat.State, at place: Place, _ change: (inout Tenant.State) -> Void) {
    switch place {
    case .guest: if flat.guest != nil { change(&flat.guest!) }
    case .owner: if flat.owner != nil { change(&flat.owner!.tenant) }
    case .roomTenant:
      guard case .tenant(var tenant) = flat.room else { return }
      change(&tenant)
      flat.room = .tenant(tenant)
    case .roomOwner:
      guard case .owner(var owner) = flat.room else { return }
      change(&owner.tenant)
      flat.room = .owner(owner)
    case .row(let key): if flat.rows[key] != nil { change(&flat.rows[key]!) }
    case .item(let id): if let index = flat.list.firstIndex(where: { $0.id == id }) { change(&flat.list[index].tenant) }
    case .page(let token):
      if let index = flat.pages.elements.firstIndex(where: { $0.token == token }) {
        change(&flat.pages.elements[index])
      }
    }
  }

  /// The action for a child of a flat; that of a page has the id that the page has in this flat.
  static func action(_ action: Tenant.Action, at place: Place, in flat: Flat.State) -> Flat.Action? {
    switch place {
    case .guest: .guest(action)
    case .owner: .owner(action)
    case .roomTenant: .room(.tenant(action))
    case .roomOwner: .room(.owner(action))
    case .row(let key): .row(key, action)
    case .item(let id): .item(id, action)
    case .page(let token):
      flat.pages.elements.firstIndex { $0.token == token }.map { .pages(.element(flat.pages.ids[$0], action)) }
    }
  }
}
