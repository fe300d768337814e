// This source file is part of swift-effects. License: Apache-2.0.

/// Identifies an element of a ``ChildStack`` as long as the element is in the stack.
///
/// The first element of a stack has the id 0, the next one that is pushed has 1, and so on. In a test you write the number. A store
/// gives each number once for a type of element, also after an undo.
///
/// - Isolation: a value; usable from any thread.
public struct ChildStackID: Hashable, Sendable, Codable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The number.
  public let number: Int

  /// The id of a number, for tests.
  ///
  /// - Parameter value: how many elements were put into the stack before this one.
  public init(integerLiteral value: Int) { number = value }

  /// `#3`.
  public var description: String { "#\(number)" }
}

/// Features that are shown one upon another: the path of a navigation stack.
///
/// ```swift
/// struct State: Equatable { var screens = ChildStack<Screen.State>() }
/// enum Action: Equatable, Sendable { case screens(StackAction<Screen.State, Screen.Action>) }
/// ```
///
/// `stack(_:action:)` adds the children to a reducer, and handles the ``StackAction``s.
///
/// Each element gets an id when it is pushed: the next number that no element of its type has had in this store, whatever state
/// was restored meanwhile. So an element that replaces another one is another child. A test that makes the same changes gets
/// the same ids. Outside of a store, a stack counts alone.
///
/// - Isolation: a value; it is `Sendable`, `Equatable` and `Codable` if the elements are. A stack that is decoded has the
///   ids it had when it was encoded, and goes on counting.
/// - Complexity: finding an element is O(count): a stack has a few elements.
public struct ChildStack<Element> {
  /// The ids of the elements, the bottom one first.
  public private(set) var ids: [ChildStackID] = []

  /// The elements, the bottom one first. You may change an element here; it is the same child after that, also if its
  /// whole state is assigned. To add, remove or replace elements, use the functions: a change of their number traps.
  public var elements: [Element] = [] {
    didSet {
      if elements.count != ids.count {
        fatalError("ChildStack: elements were added or removed by hand; use push(_:), dismiss(_:) or set(_:)")
      }
    }
  }

  /// All ids that this stack has generated are below this number.
  package private(set) var generated = 0

  /// A stack of elements, the bottom one first: for a deep link, or empty.
  ///
  /// - Parameter elements: what is in the stack; their ids count from 0.
  public init(_ elements: [Element] = []) { set(elements) }

  init(ids: [ChildStackID], elements: [Element], generated: Int) {
    (self.ids, self.elements, self.generated) = (ids, elements, generated)
  }

  /// How many elements there are.
  public var count: Int { ids.count }
  /// Whether there is no element, so that the root is shown.
  public var isEmpty: Bool { ids.isEmpty }
  /// The element on top.
  public var last: Element? { elements.last }

  /// The element of an id; `nil` if it is not there any more.
  ///
  /// An element that you assign is the same child with another state. `nil` dismisses it, with all that are above it. If the id is
  /// not there any more, nothing changes. In a test: `$0.screens[id: 0]?.title = "Soup"`.
  ///
  /// - Parameter id: the id of the element.
  public subscript(id id: ChildStackID) -> Element? {
    get { _row(of: id) }
    set {
      guard let position = ids.firstIndex(of: id) else { return }
      if let newValue { elements[position] = newValue } else { keep(position) }
    }
  }

  // MARK: - Changes

  /// Puts an element on top.
  ///
  /// - Parameter element: the new element.
  /// - Returns: its id, which no element of this stack had before; in a store, no element of this type.
  @discardableResult
  public mutating func push(_ element: Element) -> ChildStackID {
    let id = generateID()
    ids.append(id)
    elements.append(element)
    return id
  }

  /// Removes the element on top. An empty stack stays as it is.
  public mutating func pop() {
    if let id = ids.last { dismiss(id) }
  }

  /// Removes an element, and all that are above it. If it is not there, nothing changes.
  ///
  /// - Parameter id: the id of the element.
  public mutating func dismiss(_ id: ChildStackID) {
    if let position = ids.firstIndex(of: id) { keep(position) }
  }

  /// Removes all elements, so that the root is shown.
  public mutating func popToRoot() { keep(0) }

  /// Puts an element in place of the one on top; in an empty stack, on top of the root. It is another child with an id of
  /// its own.
  ///
  /// - Parameter element: the new element.
  public mutating func replace(with element: Element) {
    pop()
    push(element)
  }

  /// Replaces all elements: a deep link. All are other children with ids of their own, also those that are equal.
  ///
  /// - Parameter elements: the new elements, the bottom one first.
  public mutating func set(_ elements: [Element]) {
    ids = elements.map { _ in generateID() }
    self.elements = elements
  }

  private mutating func keep(_ count: Int) {
    guard count < ids.count else { return }
    let removed = ids.count - count
    ids.removeLast(removed)
    elements.removeLast(removed)
  }

  private mutating func generateID() -> ChildStackID {
    let number = StackCounter.current?.number(notBelow: generated, for: Self.kind) ?? generated
    generated = number + 1
    return ChildStackID(integerLiteral: number)
  }

  /// Its elements have ids that the store must not give again, also if this stack is an older or a decoded one.
  func noteIDs(in counter: StackCounter) { counter.use(below: generated, for: Self.kind) }

  /// The number of the next element.
  package var nextNumber: Int {
    max(generated, StackCounter.current?.numbers.unused(for: Self.kind) ?? 0)
  }

  /// The number of the first element of a new stack.
  package static var firstNumber: Int { Self().nextNumber }

  private static var kind: ObjectIdentifier { ObjectIdentifier(Element.self) }
}

/// A stack of any elements, for code that writes how a state has changed.
package protocol AnyChildStack {
  var ids: [ChildStackID] { get }
  var anyElements: [Any] { get }
  var nextNumber: Int { get }
  static var firstNumber: Int { get }
}

extension ChildStack: AnyChildStack {
  package var anyElements: [Any] { elements }
}

extension ChildStack: Equatable where Element: Equatable {
  /// Whether both have equal elements with the same ids.
  ///
  /// - Parameters:
  ///   - first: a stack.
  ///   - second: another one.
  /// - Returns: whether they are equal. Which id the next element will have makes no difference.
  public static func == (first: Self, second: Self) -> Bool {
    first.ids == second.ids && first.elements == second.elements
  }
}

extension ChildStack: Hashable where Element: Hashable {
  /// Hashes the elements and their ids.
  ///
  /// - Parameter hasher: the hasher to use.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ids)
    hasher.combine(elements)
  }
}
extension ChildStack: Sendable where Element: Sendable {}

extension ChildStack: RowContainer {
  /// The ids of the elements, from the first to the one on top.
  public var _rowIDs: [ChildStackID] { ids }

  /// The element of an id.
  ///
  /// - Parameter id: the id of the element.
  /// - Returns: the element, and `nil` if it is not there any more.
  public func _row(of id: ChildStackID) -> Element? {
    ids.firstIndex(of: id).map { elements[$0] }
  }

  /// Changes an element in place.
  ///
  /// - Parameters:
  ///   - id: the id of the element.
  ///   - change: changes it. Not called if it is not there any more.
  /// - Returns: what `change` returned, and `nil` if there is no such element.
  public mutating func _updateRow<Result>(_ id: ChildStackID, _ change: (inout Element) -> Result) -> Result? {
    guard let position = ids.firstIndex(of: id) else { return nil }
    return change(&elements[position])
  }

  /// The ids that were in `former` and are not in this.
  ///
  /// - Parameter former: the stack before the reduction.
  /// - Returns: the ids of the elements that were removed or replaced.
  public func _rowsRemoved(since former: Self) -> [ChildStackID] {
    if let counter = StackCounter.current {
      former.noteIDs(in: counter)
      noteIDs(in: counter)
    }
    return ids == former.ids ? [] : former.ids.filter { !ids.contains($0) }
  }
}
