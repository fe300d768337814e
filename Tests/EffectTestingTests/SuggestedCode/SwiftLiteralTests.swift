// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Stored properties of both kinds.
struct Mixed: Equatable {
  let first: Int
  var second = ""
  let third: [Int]
  var fourth: Int?
}

enum Loading: Equatable {
  case idle, loaded([String], page: Int), failed(code: Int)
}

/// Values as code. Each text stands beside the same code, compiled.
@Suite struct `Values as code` {
  private func code(_ value: Any) -> String? { SwiftLiteral.of(value).code }

  @Test func `Values of the standard library are literals`() {
    #expect(code(-1 as Int8) == "-1")
    #expect(code(1.5) == "1.5")
    #expect(code(Float(0.25)) == "0.25")
    #expect(code(-Double.infinity) == "-.infinity")
    #expect(code(true) == "true")
    #expect(code("a\"\n\\") == #""a\"\n\\""#)
    #expect(code("abc".dropFirst()) == #""bc""#)
    #expect(code("é" as Character) == #""é""#)
    #expect(code(Int?.none as Any) == "nil")
    #expect(code(Int??.some(nil) as Any) == ".some(nil)")
    #expect(code([[1], []]) == "[[1], []]")
    #expect(code(["b": 2, "a": 1]) == #"["a": 1, "b": 2]"#)
    #expect(code([Int: Int]()) == "[:]")
    #expect(code(Set([2, 1])) == "[1, 2]")
    #expect(code((1, name: "a")) == #"(1, name: "a")"#)
    #expect(code(Duration.milliseconds(300)) == ".milliseconds(300)")
  }

  @Test func `Structs and enums are written by what makes them`() {
    let mixed: Mixed = .init(first: 1, second: "a", third: [2], fourth: nil)
    #expect(code(mixed) == #".init(first: 1, second: "a", third: [2], fourth: nil)"#)
    let loadings: [Loading] = [.idle, .loaded(["a"], page: 1), .failed(code: 404)]
    #expect(code(loadings) == #"[.idle, .loaded(["a"], page: 1), .failed(code: 404)]"#)
  }

  @Test func `What no code makes is not written`() {
    final class Object {}
    struct Described: CustomReflectable { var customMirror: Mirror { Mirror(self, children: ["a": 1]) } }
    enum Spoken: CustomStringConvertible {
      case quiet
      var description: String { "psst" }
    }
    struct Wrapped { var _value = 1 }
    #expect(SwiftLiteral.of(Object()) == .none)
    #expect(SwiftLiteral.of([Object()]) == .none)
    #expect(SwiftLiteral.of(Described()) == .none)
    #expect(SwiftLiteral.of(Spoken.quiet) == .none)
    #expect(SwiftLiteral.of(Wrapped()) == .none)
    #expect(SwiftLiteral.of(0..<3) == .none)
    #expect(SwiftLiteral.of(Double.nan) == .none)
    #expect(SwiftLiteral.of({ 1 } as () -> Int) == .none)
    #expect(SwiftLiteral.of(Int.self) == .none)
  }

  @Test func `What is longer than the limit is not written, however large it is`() {
    #expect(SwiftLiteral.of("aaa", limit: 5) == .code(#""aaa""#))
    #expect(SwiftLiteral.of("aaaa", limit: 5) == .tooLong)
    #expect(SwiftLiteral.of(Array(0..<1_000_000)) == .tooLong)
    indirect enum List { case end, link(List) }
    #expect(SwiftLiteral.of((0..<1_000).reduce(List.end) { list, _ in .link(list) }) == .tooLong)
  }

  @Test func `Whether a stored property is a variable is read from the type`() {
    #expect(StoredProperties.areVariables(of: Mixed.self) == [false, true, false, true])
    struct Generic<Value> { let one: Value; var two: [Value] }
    #expect(StoredProperties.areVariables(of: Generic<String>.self) == [false, true])
    struct Empty {}
    #expect(StoredProperties.areVariables(of: Empty.self) == [])
    #expect(StoredProperties.areVariables(of: Loading.self) == nil)
    #expect(StoredProperties.areVariables(of: Int?.self) == nil)
    final class Object { var number = 1 }
    #expect(StoredProperties.areVariables(of: Object.self) == nil)
    #expect(StoredProperties.areVariables(of: (Int, Int).self) == nil)
    #expect(StoredProperties.areVariables(of: (() -> Void).self) == nil)
    #expect(StoredProperties.areVariables(of: (any Error).self) == nil)
  }

  @Test func `The case of an action has its full name without the module`() {
    #expect(SwiftNames.ofCase(Loading.failed(code: 1)) == "Loading.failed")
    #expect(SwiftNames.ofCase(Loading.idle) == nil)
    #expect(SwiftNames.ofCase(Int?.some(1) as Any) == nil)
    enum Local { case one(Int) }
    #expect(SwiftNames.ofCase(Local.one(1)) == nil)
    #expect(SwiftNames.ofCase(4) == nil)
  }
}
