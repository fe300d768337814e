// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// A finite set of values from which the search chooses one, for actions of a generated script.
  ///
  /// ```swift
  /// script.send(
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

// Static members of any `Values`, so that `.values(0...3).map(Action.typed)` is found from the type of the action.
extension Exploration.Values {
  /// The values of a collection, the simplest first: `.values(Flavor.allCases)`.
  ///
  /// - Parameter values: at most 10,000.
  /// - Returns: the values in their order.
  public static func values<Elements: RandomAccessCollection>(
    _ values: Elements
  ) -> Exploration.Values<Elements.Element> {
    let values = Array(values)
    return Exploration.Values<Elements.Element>(count: values.count) { first, _ in values[first] }
  }

  /// The integers of a range. Those that are closer to zero are simpler, and of two opposite ones the positive one.
  ///
  /// - Parameter range: at most 10,000 numbers.
  /// - Returns: 0, 1, -1, 2, -2 and so on, as far as they are in the range.
  public static func values(_ range: ClosedRange<Int>) -> Exploration.Values<Int> {
    // A range that is too large is reported by `send(anyOf:upTo:)`, and must not overflow here.
    let (distance, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    let count = overflows || distance == .max ? .max : distance + 1
    return Exploration.Values<Int>(count: count) { first, _ in integer(first, of: range) }
  }

  /// The number at a place in the order of simplicity.
  static func integer(_ place: Int, of range: ClosedRange<Int>) -> Int {
    if range.lowerBound >= 0 { return range.lowerBound + place }
    if range.upperBound <= 0 { return range.upperBound - place }
    let both = min(-range.lowerBound, range.upperBound)
    if place <= both * 2 { return place % 2 == 1 ? (place + 1) / 2 : -place / 2 }
    return range.upperBound > both ? place - both : both - place
  }

  /// The texts of some characters. Shorter texts are simpler, then those with earlier characters.
  ///
  /// - Parameters:
  ///   - characters: what a text consists of, the simplest first.
  ///   - length: how many characters a text has at most.
  /// - Returns: all such texts, with the empty one.
  public static func strings(of characters: String, upTo length: Int) -> Exploration.Values<String> {
    Exploration.Values<[Character]>.arrays(of: .values(Array(characters)), upTo: length).map { String($0) }
  }

  /// Arrays of some values. Shorter arrays are simpler, then those with simpler elements.
  ///
  /// - Parameters:
  ///   - elements: the values of the elements.
  ///   - length: how many elements an array has at most.
  /// - Returns: all such arrays, with the empty one.
  public static func arrays<Element>(
    of elements: Exploration.Values<Element>, upTo length: Int
  ) -> Exploration.Values<[Element]> {
    Exploration.Values<[Element]>(
      count: max(0, length) + 1, largest: elements.largest, isEmpty: elements.isEmpty || length < 0
    ) { first, choose in
      var array: [Element] = []
      for _ in 0..<first { array.append(elements.value(choose)) }
      return array
    }
  }

  /// `nil` or one of some values. `nil` is the simplest.
  ///
  /// - Parameter values: the values that are not `nil`.
  /// - Returns: `nil`, and then the values in their order.
  public static func optionals<Wrapped>(of values: Exploration.Values<Wrapped>) -> Exploration.Values<Wrapped?> {
    Exploration.Values<Wrapped?>(
      count: min(values.count, .max - 1) + 1, largest: values.largest, isEmpty: values.isEmpty
    ) { first, choose in
      first == 0 ? nil : values.make(first - 1, choose)
    }
  }

  /// Two values, for a case with two payloads: each of the first with each of the second.
  ///
  /// - Parameters:
  ///   - first: the first values.
  ///   - second: the second values.
  /// - Returns: all pairs.
  public static func pairs<First, Second>(
    _ first: Exploration.Values<First>, _ second: Exploration.Values<Second>
  ) -> Exploration.Values<(First, Second)> {
    Exploration.Values<(First, Second)>(
      count: first.count, largest: max(first.largest, second.largest), isEmpty: first.isEmpty || second.isEmpty
    ) { number, choose in
      (first.make(number, choose), second.value(choose))
    }
  }
}
