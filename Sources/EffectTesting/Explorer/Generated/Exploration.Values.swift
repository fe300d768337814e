// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// A finite set of values from which the search chooses one, for actions of a generated script.
  ///
  /// ```swift
  /// run.send(
  ///   anyOf: [.clear, .submit], .values(0...3).map(Form.Action.countChanged),
  ///   .strings(of: "ab", upTo: 2).map(Form.Action.nameChanged), upTo: 4)
  /// ```
  ///
  /// An exhaustive search tries all values, a random search draws them. A failure shows the simplest value that still
  /// violates the property. Which value is simpler is the order in which the values are listed: each maker says it.
  ///
  /// - Isolation: the test's, like the script. The closures of ``map(_:)`` are called while the script is built.
  public struct Values<Value>: ExpressibleByArrayLiteral {
    /// How many outcomes the first choice has.
    let count: Int
    /// The largest number of outcomes of any choice.
    let largest: Int
    /// Whether some choice has no outcome at all.
    let isEmpty: Bool
    /// Whether each value is an alternative of its own beside other generators.
    let isList: Bool
    /// Makes the value of the first choice, with further choices.
    let make: (_ first: Int, _ choose: (Int) -> Int) -> Value

    init(
      count: Int, largest: Int = 0, isEmpty: Bool = false, isList: Bool = false,
      make: @escaping (_ first: Int, _ choose: (Int) -> Int) -> Value
    ) {
      self.count = count
      self.largest = max(count, largest)
      self.isEmpty = isEmpty || count < 1
      self.isList = isList
      self.make = make
    }

    /// Lists values, the simplest first. In `send(anyOf:upTo:)` each of them is as probable as a whole generator.
    ///
    /// - Parameter elements: the values.
    public init(arrayLiteral elements: Value...) {
      self.init(count: elements.count, isList: true) { first, _ in elements[first] }
    }

    /// Chooses a value.
    func value(_ choose: (Int) -> Int) -> Value { make(choose(count), choose) }

    /// The same set, with each value changed.
    ///
    /// - Parameter transform: makes the other value, such as the case of an action. Without side effects.
    /// - Returns: the changed values, in the same order.
    public func map<Other>(_ transform: @escaping (Value) -> Other) -> Values<Other> {
      Values<Other>(count: count, largest: largest, isEmpty: isEmpty, isList: isList) { first, choose in
        transform(make(first, choose))
      }
    }
  }
}
