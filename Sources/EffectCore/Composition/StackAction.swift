// This source file is part of swift-effects. License: Apache-2.0.

/// What happens to a ``ChildStack``, or in one of its elements; see `stack(_:action:)` of a reducer.
public enum StackAction<Element: Sendable, ElementAction: Sendable>: Sendable {
  /// An action of an element.
  case element(ChildStackID, ElementAction)
  /// Puts an element on top.
  case push(Element)
  /// Removes the element on top; does nothing at the root.
  case pop
  /// Removes an element and all above it: what a gesture sends, once for each dismissal. Nothing changes if the element
  /// is not there any more.
  case dismiss(ChildStackID)
  /// Removes all elements.
  case popToRoot
  /// Puts another child in place of the element on top.
  case replace(Element)
  /// Replaces all elements: a deep link.
  case set([Element])
}

extension StackAction: Equatable where Element: Equatable, ElementAction: Equatable {}
extension StackAction: Hashable where Element: Hashable, ElementAction: Hashable {}
