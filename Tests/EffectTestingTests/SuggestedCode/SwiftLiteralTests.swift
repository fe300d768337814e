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

private struct Hidden {}

extension Array {
  /// A type that an extension contains.
  struct Counted {}
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
    #expect(code([Double.nan]) == "[.nan]")
    #expect(SwiftLiteral.of(Double.nan, isErased: true) == .code("Double.nan"))
    #expect(SwiftLiteral.of(-Double.infinity, isErased: true) == .code("-Double.infinity"))
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

  @Test func `Each duration is written exactly`() {
    let short: Duration = Duration(secondsComponent: 0, attosecondsComponent: 5)
    #expect(code(short) == "Duration(secondsComponent: 0, attosecondsComponent: 5)")
    let negative: Duration = Duration(secondsComponent: -2, attosecondsComponent: -3)
    #expect(code(negative) == "Duration(secondsComponent: -2, attosecondsComponent: -3)")
    let decades: Duration = Duration(secondsComponent: 2_000_000_000, attosecondsComponent: 1_000_000_000_000_000)
    #expect(code(decades) == "Duration(secondsComponent: 2000000000, attosecondsComponent: 1000000000000000)")
    #expect(code(Duration.seconds(Int64.max)) == ".seconds(9223372036854775807)")
    let longest: Duration = Duration(attoseconds: 170141183460469231731687303715884105727)
    #expect(code(longest) == "Duration(attoseconds: 170141183460469231731687303715884105727)")
    #expect(longest == Duration(attoseconds: .max))
    #expect(code(Duration(attoseconds: .min)) == "Duration(attoseconds: -170141183460469231731687303715884105728)")
  }

  @Test func `Structs and enums are written by what makes them`() {
    let mixed: Mixed = .init(first: 1, second: "a", third: [2], fourth: nil)
    #expect(code(mixed) == #".init(first: 1, second: "a", third: [2], fourth: nil)"#)
    let loadings: [Loading] = [.idle, .loaded(["a"], page: 1), .failed(code: 404)]
    #expect(code(loadings) == #"[.idle, .loaded(["a"], page: 1), .failed(code: 404)]"#)
  }

  @Test func `A case named none or some inside an optional is not taken for a case of the optional`() {
    enum Filter: Equatable { case none, some(Int), open }
    let filters: [Filter?] = [.some(.none), .some(.some(1)), .open, nil]
    #expect(code(filters) == "[.some(.none), .some(.some(1)), .open, nil]")
    #expect(filters == [Filter.none, Filter.some(1), Filter.open, nil])
    var named: [String: Filter] = ["a": .open]
    let change = ChangeCode(from: named, to: ["a": Filter.none])
    #expect(change.closure == #"{ $0["a"] = .some(.none) }"#)
    named["a"] = .some(.none)
    #expect(named == ["a": Filter.none])
    let change2 = ChangeCode(from: Filter?.some(.open) as Any, to: Filter?.some(.none) as Any)
    #expect(change2.closure == "{ $0 = .some(.none) }")
  }

  @Test func `Names that are keywords have backticks where they need them`() {
    enum Step: Equatable { case `init`, `self`, `Type`, `default`, go(in: Int), call(`inout`: Int, `var`: Int) }
    let steps: [Step] = [.`init`, .`self`, .`Type`, .default, .go(in: 1), .call(`inout`: 1, var: 2)]
    #expect(code(steps) == "[.`init`, .`self`, .`Type`, .default, .go(in: 1), .call(`inout`: 1, var: 2)]")
    struct Options: Equatable {
      var `default` = 1
      var `inout` = 2
      var `self` = 3
      var `init` = 4
    }
    var options: Options = .init(default: 1, `inout`: 2, self: 3, init: 4)
    #expect(code(options) == ".init(default: 1, `inout`: 2, self: 3, init: 4)")
    let change = ChangeCode(from: options, to: Options(default: 5, `inout`: 6, self: 7, init: 8))
    #expect(change.statements == ["$0.default = 5", "$0.inout = 6", "$0.`self` = 7", "$0.`init` = 8"])
    options.default = 5
    options.inout = 6
    options.`self` = 7
    options.`init` = 8
    #expect(options == Options(default: 5, `inout`: 6, self: 7, init: 8))
    let tuple: (`inout`: Int, default: Int) = (`inout`: 1, default: 2)
    #expect(code(tuple) == "(`inout`: 1, default: 2)")
  }

  @Test func `A type is written with the types around it`() {
    #expect(SwiftNames.ofType(Shop.Row.self) == "Shop.Row")
    let rows: Array<Shop.Row>.Type = [Shop.Row].self
    #expect(SwiftNames.ofType(rows) == "Array<Shop.Row>")
    #expect(SwiftNames.ofType((String, number: Int?).self) == "(String, number: Optional<Int>)")
    #expect(SwiftNames.ofType(Hidden.self) == "Hidden")
    let counted: Array<Int>.Counted.Type = [Int].Counted.self
    #expect(SwiftNames.ofType(counted) == "Array<Int>.Counted")
    #expect(SwiftNames.ofType(Void.self) == "()")
  }

  @Test func `A type that has a literal has an example`() {
    let examples: (String, Int, Double, Bool, [Int], [Int: Int], Set<Int>, Int?) = ("", 0, 0, false, [], [:], [], nil)
    let codes = Mirror(reflecting: examples).children.map { SwiftLiteral.example(of: type(of: $0.value)) }
    #expect(codes == ["\"\"", "0", "0", "false", "[]", "[:]", "[]", "nil"])
    #expect(SwiftLiteral.example(of: Mixed.self) == nil)
  }

  @Test func `Whether code calls an initializer is read outside of its texts`() {
    #expect(SwiftLiteral.callsInitializer("[.init(id: 1)]"))
    #expect(!SwiftLiteral.callsInitializer(##"["a\".init(", ".init("]"##))
    #expect(!SwiftLiteral.callsInitializer(".`init`(1)"))
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

  private func variables(_ type: Any.Type) -> [Bool]? { DeclaredField.all(of: type)?.map(\.isVariable) }

  private struct Drawing: Equatable {
    var shape: any Shape = Square(side: 1)
    var other: (any Shape)?
    var all: [any Shape] = []
    var byName: [String: any Shape] = [:]
    var text: Any = ""
    var side = 1
    static func == (left: Drawing, right: Drawing) -> Bool { "\(left)" == "\(right)" }
  }

  @Test func `A value of any type that conforms is written with its own type`() {
    #expect(DeclaredField.all(of: Drawing.self)?.map(\.isErased) == [true, true, false, false, true, false])
    let new = Drawing(
      shape: Square(side: 2), other: Round.circle(1), all: [Round.dot, Square(side: 1)], byName: ["a": Square(side: 1)],
      text: 1)
    let change = ChangeCode(from: Drawing(), to: new)
    #expect(
      change.statements == [
        "$0.shape = Square.init(side: 2)", "$0.other = Round.circle(1)", "$0.all = [Round.dot, Square.init(side: 1)]",
        #"$0.byName = ["a": Square.init(side: 1)]"#, "$0.text = 1",
      ])
    var drawing = Drawing()
    drawing.shape = Square.init(side: 2)
    drawing.other = Round.circle(1)
    drawing.all = [Round.dot, Square.init(side: 1)]
    drawing.byName = ["a": Square.init(side: 1)]
    drawing.text = 1
    #expect(drawing == new)
    #expect(code(Drawing(side: 1))?.contains("shape: Square.init(side: 1), other: nil") == true)
    // As a literal it would be an `Int`.
    #expect(ChangeCode(from: Drawing(), to: Drawing(text: UInt8(1))).unwritten.count == 1)
  }

  @Test func `Names that are no identifiers have backticks`() {
    struct Odd: Equatable {
      var `two words` = 0
      var 🦊 = 0
      var größe = 0
    }
    enum Case: Equatable { case `not now`(Int), idle }
    let change = ChangeCode(from: Odd(), to: Odd(`two words`: 1, 🦊: 2, größe: 3))
    #expect(change.statements == ["$0.`two words` = 1", "$0.🦊 = 2", "$0.größe = 3"])
    var odd = Odd()
    odd.`two words` = 1
    odd.🦊 = 2
    odd.größe = 3
    #expect(odd == .init(`two words`: 1, 🦊: 2, größe: 3))
    #expect(code(odd) == ".init(`two words`: 1, 🦊: 2, größe: 3)")
    #expect(code([Case.`not now`(1), .idle]) == "[.`not now`(1), .idle]")
  }

  @Test func `Whether a stored property is a variable is read from the type`() {
    #expect(variables(Mixed.self) == [false, true, false, true])
    struct Generic<Value> { let one: Value; var two: [Value] }
    #expect(variables(Generic<String>.self) == [false, true])
    struct Empty {}
    #expect(variables(Empty.self) == [])
    #expect(DeclaredField.all(of: Loading.self)?.map(\.name).sorted() == ["failed", "idle", "loaded"])
    #expect(variables(Int?.self) == nil)
    final class Object { var number = 1 }
    #expect(variables(Object.self) == nil)
    #expect(variables((Int, Int).self) == nil)
    #expect(variables((() -> Void).self) == nil)
    #expect(variables((any Error).self) == nil)
  }

  @Test func `The case of an action has its full name without the module`() {
    #expect(SwiftNames.ofCase(Loading.failed(code: 1)) == "Loading.failed")
    #expect(SwiftNames.ofCase(Loading.idle) == nil)
    #expect(SwiftNames.ofCase(Int?.some(1) as Any) == nil)
    enum Local { case one(Int) }
    #expect(SwiftNames.ofCase(Local.one(1)) == nil)
    #expect(SwiftNames.ofCase(4) == nil)
    #expect(SwiftNames.ofCase(Twice.call({ 1 })) == nil)
  }

  @Test func `Of two cases with the same name the labels are written`() {
    #expect(SwiftNames.ofCase(Twice.load(id: 1)) == "Twice.load(id:)")
    #expect(SwiftNames.ofCase(Twice.load("a", 1)) == "Twice.load(_:_:)")
    let paths = (Twice.load(id:), Twice.load(_:_:))
    #expect(paths.0(1) == .load(id: 1) && paths.1("a", 1) == .load("a", 1))
    #expect(SwiftNames.pattern(of: Twice.load(id: 1)) == nil)
    #expect(SwiftNames.pattern(of: Twice.call({ 1 })) == ".call")
    #expect(SwiftNames.pattern(of: Twice.idle) == ".idle")
  }

  @Test func `The part that cannot be written is named, inside of a value that is new`() {
    struct Memo: Equatable {
      var title = "a"
      var caches: [Shop.Cache] = []
    }
    struct Screen: Equatable { var memo: Memo? }
    let code = ChangeCode(from: Screen(), to: Screen(memo: Memo(caches: [Shop.Cache()])))
    #expect(code.unwritten == ["`$0.memo` (`$0.memo?.caches[0]` is an object of the class Cache)"])
  }
}

enum Twice: Equatable {
  case idle, load(id: Int), load(String, Int), call(@Sendable () -> Int)
  static func == (left: Twice, right: Twice) -> Bool { "\(left)" == "\(right)" }
}

private protocol Shape: Sendable {}
private enum Round: Shape { case circle(Int), dot }
private struct Square: Shape { var side: Int }
