// This source file is part of swift-effects. License: Apache-2.0.

/// An asynchronous sequence of known elements, which may end with an error.
struct Values<Element: Sendable>: AsyncSequence, Sendable {
  let elements: [Element]
  let error: (any Error)?

  init(_ elements: [Element], error: (any Error)? = nil) {
    self.elements = elements
    self.error = error
  }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Element>
    let error: (any Error)?

    mutating func next() async throws -> Element? {
      if let element = rest.popFirst() { return element }
      if let error { throw error }
      return nil
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(rest: elements[...], error: error) }
}
