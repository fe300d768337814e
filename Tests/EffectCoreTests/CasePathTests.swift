// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `The path into a case` {
  private enum Row: Equatable { case renamed(String), opened }
  private enum App: Equatable { case row(id: Int, Row), count(Int), quit }
  private enum Window: Equatable { case app(App), closed }

  private let row = CasePath<App, (id: Int, Row)>(
    embed: { .row(id: $0.id, $0.1) }, extract: { if case .row(let id, let row) = $0 { (id, row) } else { nil } })
  private let count = CasePath(embed: App.count, extract: { if case .count(let count) = $0 { count } else { nil } })
  private let app = CasePath(embed: Window.app, extract: { if case .app(let app) = $0 { app } else { nil } })

  @Test func `Extracting what was embedded gives it back, and the other way round`() {
    #expect(count.extract(count.embed(7)) == 7)
    #expect(count.extract(.count(3)).map(count.embed) == .count(3))
    #expect(row.embed((id: 1, .opened)) == .row(id: 1, .opened))
    #expect(row.extract(.row(id: 1, .opened))?.id == 1)
  }

  @Test func `Another case holds no value`() {
    #expect(count.extract(.quit) == nil)
    #expect(row.extract(.count(1)) == nil)
  }

  @Test func `A path can continue into the case of a case`() {
    let path = app.appending(path: count)
    #expect(path.embed(7) == .app(.count(7)))
    #expect(path.extract(.app(.count(7))) == 7)
    #expect(path.extract(.app(.quit)) == nil)
    #expect(path.extract(.closed) == nil)
  }

  @Test func `The grouping of joined paths does not matter`() {
    let identity = CasePath<Int, Int>(embed: { $0 + 1 }, extract: { $0 > 0 ? $0 - 1 : nil })
    let left = app.appending(path: count).appending(path: identity)
    let right = app.appending(path: count.appending(path: identity))
    for window in [Window.app(.count(0)), .app(.count(5)), .app(.quit), .closed] {
      #expect(left.extract(window) == right.extract(window))
    }
    #expect(left.embed(4) == right.embed(4))
  }
}

@Suite struct `A path from the name of a case` {
  private struct Nothing: Equatable {}
  private class Shape { let size = 1 }
  private final class Circle: Shape {}
  private enum Inner: Equatable { case found(Int), other(Int) }

  private enum Action {
    case found(Int), loaded(Int), quit
    case labelled(id: Int), labelledAgain(id: Int)
    case row(id: Int)
    case row(name: Int)
    case row(Int)
    case pair(Int, String), named(id: Int, text: String), swapped(text: Int, String)
    case joined((Int, String))
    case three(Int, with: String?, Inner)
    case four(a: Int, String, c: Int?, any Error)
    case void(Void), otherVoid(Void), nothing(Nothing), never(Never)
    case optional(Int?), twice(Int??), labelledOptional(value: Int?)
    case anything(Any), something(value: any Sendable), failed(any Error), optionalAny(Any?)
    case shape(Shape), circle(Circle)
    case child(Inner), sibling(Inner)
    case list([@Sendable (Int) -> Int]), types([Int.Type])
    case type(Int.Type), typed(id: Int.Type), anyType(any Any.Type)
    case choice(any Sendable), choice(id: Int), choice(name: any Sendable)
    indirect case nested(Action)
  }

  private struct Broken: Error, Equatable { var code = 1 }

  /// Values of many cases, to try that a path extracts from none but its own.
  private static var samples: [Action] {
    [
      .type(Int.self), .typed(id: Int.self), .anyType(Int.self), .types([Int.self]), .choice(1), .choice(id: 1),
      .choice(name: 1), .found(1), .loaded(1), .quit, .labelled(id: 1), .labelledAgain(id: 1), .row(id: 1),
      .row(name: 1), .row(1),
      .pair(1, "a"), .named(id: 1, text: "a"), .swapped(text: 1, "a"), .joined((1, "a")),
      .three(1, with: nil, .found(1)),
      .four(a: 1, "a", c: nil, Broken()), .void(()), .otherVoid(()), .nothing(Nothing()), .optional(1), .optional(nil),
      .twice(1), .twice(nil), .twice(.some(nil)), .labelledOptional(value: nil), .anything(1), .anything(Nothing()),
      .something(value: 1), .failed(Broken()), .optionalAny(1), .optionalAny(nil), .shape(Shape()), .shape(Circle()),
      .circle(Circle()), .child(.found(1)), .sibling(.found(1)), .list([]), .nested(.found(1)), .nested(.nested(.quit)),
    ]
  }

  /// Tries a path on a value and on all samples: the laws, and that it extracts from as many samples as are of its case.
  /// Once the path learns the case from `embed`, and once from the samples.
  private func expectLaws<Value>(
    _ makePath: () -> CasePath<Action, Value>, _ value: Value, samples count: Int = 1,
    _ same: (Value, Value) -> Bool, location: SourceLocation = #_sourceLocation
  ) {
    for startsWithSamples in [true, false] {
      let path = makePath()
      if startsWithSamples {
        #expect(Self.samples.count { path.extract($0) != nil } == count, sourceLocation: location)
      }
      let extracted = path.extract(path.embed(value))
      #expect(extracted.map { same($0, value) } == true, sourceLocation: location)
      let own = Self.samples.compactMap { sample in path.extract(sample).map { (sample, $0) } }
      #expect(own.count == count, sourceLocation: location)
      for (sample, payload) in own {
        // A path that learns the case from a root of this case.
        let learnt = makePath().extract(sample).map { String(reflecting: path.embed($0)) }
        #expect(learnt == String(reflecting: sample), sourceLocation: location)
        #expect(String(reflecting: path.embed(payload)) == String(reflecting: sample), sourceLocation: location)
      }
    }
  }

  private func expectLaws<Value: Equatable>(
    _ path: () -> CasePath<Action, Value>, _ value: Value, samples count: Int = 1,
    location: SourceLocation = #_sourceLocation
  ) {
    expectLaws(path, value, samples: count, ==, location: location)
  }

  @Test func `Cases with equal payloads are distinguished by their names`() {
    expectLaws({ CasePath(Action.found) }, 7)
    expectLaws({ CasePath(Action.loaded) }, 7)
    expectLaws({ CasePath(Action.child) }, .other(7))
    expectLaws({ CasePath(Action.sibling) }, .found(7))
    expectLaws({ CasePath(Action.nested) }, .child(.found(7)), samples: 2) { "\($0)" == "\($1)" }
  }

  @Test func `A payload may have a label, which distinguishes cases with the same name`() {
    expectLaws({ CasePath(Action.labelled) }, 7)
    expectLaws({ CasePath(Action.labelledAgain(id:)) }, 7)
    expectLaws({ CasePath(Action.row(id:)) }, 7)
    expectLaws({ CasePath(Action.row(name:)) }, 7)
    expectLaws({ CasePath(Action.row(_:)) }, 7)
    expectLaws({ CasePath(Action.labelledOptional) }, nil)
    expectLaws({ CasePath(Action.labelledOptional) }, 7)
  }

  @Test func `A case may have two, three or four values`() {
    expectLaws({ CasePath(Action.pair) }, (7, "b"), ==)
    expectLaws({ CasePath(Action.named) }, (7, "b"), ==)
    expectLaws({ CasePath(Action.swapped) }, (7, "b"), ==)
    expectLaws({ CasePath(Action.joined) }, (7, "b"), ==)
    expectLaws({ CasePath(Action.three) }, (7, "b", .other(2)), ==)
    expectLaws({ CasePath(Action.three) }, (7, nil, .other(2)), ==)
    expectLaws({ CasePath(Action.four) }, (7, "b", nil, Broken(code: 2))) {
      ($0.0, $0.1, $0.2) == ($1.0, $1.1, $1.2) && $0.3 as? Broken == $1.3 as? Broken
    }
  }

  @Test func `A function that puts labelled values into their case keeps the labels`() {
    let path = CasePath<Action, (id: Int, text: String)>({ .named(id: $0.id, text: $0.text) })
    #expect(path.extract(.named(id: 3, text: "c"))?.text == "c")
    #expect(path.extract(.pair(3, "c")) == nil)
  }

  @Test func `A payload may have no size`() {
    expectLaws({ CasePath(Action.void) }, ()) { _, _ in true }
    expectLaws({ CasePath(Action.otherVoid) }, ()) { _, _ in true }
    expectLaws({ CasePath(Action.nothing) }, Nothing())
    let never = CasePath(Action.never)
    #expect(Self.samples.allSatisfy { never.extract($0) == nil })
  }

  @Test func `An optional payload is neither unwrapped nor wrapped`() {
    for value in [7, nil] { expectLaws({ CasePath(Action.optional) }, value, samples: 2) }
    for value in [.some(7), .some(nil), nil] as [Int??] { expectLaws({ CasePath(Action.twice) }, value, samples: 3) }
    #expect(CasePath(Action.twice).extract(.twice(.some(nil))) == .some(.some(nil)))
    #expect(CasePath(Action.found).extract(.optional(1)) == nil)
  }

  @Test func `A payload of a protocol keeps its type`() {
    let describe = { (value: Any) in "\(type(of: value)) \(value)" }
    for value in [7, Int?.none as Any, (1, 2), "a", Inner.found(1), Circle.self] as [Any] {
      expectLaws({ CasePath(Action.anything) }, value, samples: 2) { describe($0) == describe($1) }
      expectLaws({ CasePath(Action.optionalAny) }, .some(value), samples: 2) {
        describe($0 as Any) == describe($1 as Any)
      }
    }
    for value in [7, Int?.none, "a", Inner.found(1)] as [any Sendable] {
      expectLaws({ CasePath(Action.something) }, value) { describe($0) == describe($1) }
    }
    expectLaws({ CasePath(Action.failed) }, Broken(code: 7)) { $0 as? Broken == $1 as? Broken }
    let anything = CasePath(Action.anything)
    let values: [Any] = [(1, 2), 3, (id: 4, 5), Nothing(), Circle()]
    #expect(values.allSatisfy { anything.extract(.anything($0)).map(describe) == describe($0) })
  }

  @Test func `A payload of a protocol is not the labelled value of another case with this name`() {
    for value in [7, "a", Int?.none, Int.self, (1, 2)] as [any Sendable] {
      expectLaws({ CasePath(Action.choice(_:)) }, value) { "\(type(of: $0)) \($0)" == "\(type(of: $1)) \($1)" }
      expectLaws({ CasePath(Action.choice(name:)) }, value) { "\(type(of: $0)) \($0)" == "\(type(of: $1)) \($1)" }
    }
    expectLaws({ CasePath(Action.choice(id:)) }, 7)
  }

  @Test func `A metatype may be a payload of a protocol or in a list, and another case may have any`() {
    expectLaws({ CasePath(Action.types) }, [Int.self]) { "\($0)" == "\($1)" }
    let anyType = CasePath(Action.anyType)
    #expect(anyType.extract(.type(Int.self)) == nil)
    #expect(anyType.extract(.anyType(String.self)) == String.self)
    #expect(CasePath(Action.something).extract(.something(value: Int.self)) as? Int.Type == Int.self)
    #expect(CasePath(Action.found).extract(.typed(id: Int.self)) == nil)
  }

  @Test func `A payload may be an object, also of a subclass`() {
    let circle = Circle()
    for shape in [circle, Shape()] { expectLaws({ CasePath(Action.shape) }, shape, samples: 2, ===) }
    expectLaws({ CasePath(Action.circle) }, circle, ===)
  }

  @Test func `A payload may be a list of functions`() {
    expectLaws({ CasePath(Action.list) }, [{ $0 + 1 }]) { $0[0](1) == $1[0](1) }
  }

  private enum Generic<Element> { case one(Element), other(Element), labelled(value: Element) }

  @Test func `The enum may be generic`() {
    func expectOnlyOwn<Element>(_ element: Element, _ same: (Element, Element) -> Bool) {
      let paths = [
        CasePath(Generic<Element>.one), CasePath(Generic<Element>.other), CasePath(Generic<Element>.labelled),
      ]
      for (index, path) in paths.enumerated() {
        for (other, root) in paths.map({ $0.embed(element) }).enumerated() {
          #expect(path.extract(root).map { same($0, element) } == (index == other ? true : nil))
        }
      }
    }
    expectOnlyOwn(7, ==)
    expectOnlyOwn(Int?.none, ==)
    expectOnlyOwn(()) { _, _ in true }
    expectOnlyOwn((1, "a"), ==)
    expectOnlyOwn(Generic.one(1)) { "\($0)" == "\($1)" }
    expectOnlyOwn(7 as Any) { $0 as? Int == $1 as? Int }
  }

  @Test func `The enum may be of another module`() {
    let success = CasePath(Result<Int, Broken>.success)
    #expect(success.extract(.success(7)) == 7)
    #expect(success.extract(.failure(Broken())) == nil)
    let some = CasePath(Int??.some)
    #expect(some.extract(.some(nil)) == .some(nil))
    #expect(some.extract(nil) == nil)
    let element = CasePath(StackAction<Int, String>.element)
    let id = ChildStack([1]).ids[0]
    #expect(element.extract(.element(id, "a"))?.1 == "a")
    #expect(element.extract(.pop) == nil)
  }

  @Test func `A path continues into the case of a case`() {
    let path = CasePath(Action.nested).appending(path: CasePath(Action.child)).appending(path: CasePath(Inner.found))
    #expect(path.extract(path.embed(7)) == 7)
    #expect(path.extract(.nested(.child(.other(7)))) == nil)
    #expect(path.extract(.child(.found(7))) == nil)
  }

  @Test func `A number that does not equal itself is no change`() {
    enum Reading { case value(Double) }
    #expect(CasePath(Reading.value).extract(.value(.nan))?.isNaN == true)
  }

  @Test func `Several threads learn the same`() async {
    for _ in 0..<200 {
      let path = CasePath(Action.row(id:))
      await withTaskGroup(of: Bool.self) { group in
        for index in 0..<4 {
          group.addTask {
            let isOwn = path.extract(.row(id: index)) == index
            return isOwn && path.extract(.row(name: index)) == nil && path.extract(path.embed(9)) == 9
          }
        }
        for await isRight in group { #expect(isRight) }
      }
    }
  }
}

@Suite struct `A path from a function that is no name of a case` {
  private enum Action {
    case set(Int), add(Int), type(Int.Type), types((Int.Type, Int)?), name(String), call(@Sendable (Int) -> Void),
      reply((@Sendable (Int) -> Void)?), quit

    static func same(_ value: Int) -> Self { .set(value) }
    static func doubled(_ value: Int) -> Self { .set(value * 2) }
    static func positive(_ value: Int) -> Self { .set(max(0, value)) }
    static func parsed(_ value: String) -> Self { .set(Int(value) ?? 0) }
    static func orZero(_ value: Int?) -> Self { .set(value ?? 0) }
    static func ignored(_ value: Int) -> Self { .quit }
    static func either(_ value: Int) -> Self { value > 0 ? .set(value) : .add(value) }
  }

  private struct Wrapper { var value: Int }

  private enum Mirrored: CustomReflectable {
    case set(Int)
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  @Test func `A function that only makes the case is as good as its name`() {
    #expect(CasePath(Action.same).extract(.set(1)) == 1)
    #expect(CasePath(Action.same).extract(.add(1)) == nil)
  }

  @Test(arguments: [
    ("doubled", "the function makes the case `set` of another value than it is given"),
    ("doubled, embedding", "the function makes the case `set` of another value than it is given"),
    ("positive, later", "the function makes the case `set` of another value than it is given"),
    ("parsed", "the function makes the case `set`, whose payload is of type Int"),
    ("parsed, embedding", "the function makes the case `set`, whose payload is of type Int"),
    ("orZero", "the function makes the case `set`, whose payload is of type Int"),
    ("ignored", "the function makes a value without payload"),
    ("either", "the function makes the case `set`, and also `add`"),
    ("call", "reflection cannot read a function"),
    ("reply", "reflection cannot read a function"),
    ("type", "reflection cannot read a metatype such as `Int.Type`"),
    ("types", "reflection cannot read a metatype such as `Int.Type`"),
    ("wrapper", "the function does not make an enum"),
    ("mirrored", "reflection does not show the cases of a type with a `customMirror`"),
  ])
  func `It traps with its file and line`(kind: String, reason: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      let (file, line) = ("App/Feed.swift" as StaticString, 7 as UInt)
      switch kind {
      case "doubled": _ = CasePath(Action.doubled, fileID: file, line: line).extract(.set(1))
      case "doubled, embedding": _ = CasePath(Action.doubled, fileID: file, line: line).embed(1)
      case "positive, later":
        let path = CasePath(Action.positive, fileID: file, line: line)
        guard path.extract(path.embed(1)) == 1 else { return }
        // In a release build it is not noticed behind the first use.
        _ = path.extract(.set(-1))
        if !isDebug { _ = CasePath(Action.doubled, fileID: file, line: line).embed(1) }
      case "parsed": _ = CasePath(Action.parsed, fileID: file, line: line).extract(.name("a"))
      case "parsed, embedding": _ = CasePath(Action.parsed, fileID: file, line: line).embed("a")
      case "orZero": _ = CasePath(Action.orZero, fileID: file, line: line).extract(.set(1))
      case "ignored": _ = CasePath(Action.ignored, fileID: file, line: line).extract(.set(1))
      case "either":
        let path = CasePath(Action.either, fileID: file, line: line)
        guard path.extract(path.embed(1)) == 1, isDebug else { fatalError("\(file):\(line) release") }
        _ = path.embed(-1)
      case "call": _ = CasePath(Action.call, fileID: file, line: line).extract(.quit)
      case "reply": _ = CasePath(Action.reply, fileID: file, line: line).extract(.quit)
      case "type": _ = CasePath(Action.type, fileID: file, line: line).extract(.type(Int.self))
      case "types": _ = CasePath(Action.types, fileID: file, line: line).embed((Int.self, 1))
      case "wrapper": _ = CasePath(Wrapper.init(value:), fileID: file, line: line).extract(Wrapper(value: 1))
      default: _ = CasePath(Mirrored.set, fileID: file, line: line).extract(.set(1))
      }
    }
    if !isDebug, kind == "either" || kind == "positive, later" { return }
    let root = ["wrapper": "Wrapper", "mirrored": "Mirrored"][kind] ?? "Action"
    let text = "CasePath: \(reason); pass the name of a case of \(root), or use CasePath(embed:extract:)"
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("App/Feed.swift:7: Fatal error: \(text)\n"), "\(output)")
  }

  @Test func `What reflection cannot read is not learnt from embedding`() {
    #expect(throws: CaseFault.hasCustomMirror) {
      try ConstructedCase<Mirrored, Int>().check(.set(1), madeOf: 1)
    }
  }

  @Test func `The line that makes the path is the one that is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CasePath(Action.ignored).extract(.set(1))
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("EffectCoreTests/CasePathTests.swift:\(#line - 4): Fatal error: CasePath: "), "\(output)")
  }
}

/// Whether the tests are compiled without optimisation.
private var isDebug: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}
