// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

private enum App {
  struct Item: Equatable, Sendable {
    var id = 1
    var title: String?
  }

  enum Row: Equatable, Sendable { case toggled, renamed(to: String) }

  enum Action: Equatable, Sendable {
    case quit
    case found([Item])
    case row(id: Int, Row)
    case pair(Int, Row?)
    case tuple((Int, Int))
    case wrapped(Result<Int, Problem>)

    static func == (left: Action, right: Action) -> Bool { "\(left)" == "\(right)" }
  }

  struct Problem: Error, Equatable { var code = 7 }
  final class Model {}
  struct Empty {}
  struct Money: CustomStringConvertible { var description: String { "12 €" } }
  enum Level: Int { case low = 1 }
}

@Suite struct `Values in failure texts` {
  @Test func `Cases have their dot and no module, at any depth`() {
    let texts: [(App.Action, String)] = [
      (.quit, ".quit"),
      (.found([]), ".found([])"),
      (
        .found([App.Item(), App.Item(id: 2, title: "b")]),
        #".found([Item(id: 1, title: nil), Item(id: 2, title: "b")])"#
      ),
      (.row(id: 3, .toggled), ".row(id: 3, .toggled)"),
      (.row(id: 3, .renamed(to: "x")), #".row(id: 3, .renamed(to: "x"))"#),
      (.pair(1, nil), ".pair(1, nil)"),
      (.pair(1, .toggled), ".pair(1, .toggled)"),
      (.wrapped(.success(1)), ".wrapped(.success(1))"),
      (.wrapped(.failure(App.Problem())), ".wrapped(.failure(Problem(code: 7)))"),
    ]
    for (action, text) in texts { #expect(ValueText.of(action) == text) }
    #expect(ValueText.of(App.Level.low) == ".low")
  }

  @Test func `Collections, tuples and optionals look as in code`() {
    #expect(ValueText.of(["b": [1, 2], "a": []]) == #"["a": [], "b": [1, 2]]"#)
    #expect(ValueText.of([Int: Int]()) == "[:]")
    #expect(ValueText.of(Set([3, 1, 2])) == "[1, 2, 3]")
    #expect(ValueText.of((1, name: "x")) == #"(1, name: "x")"#)
    #expect(ValueText.of(Int?.some(1) as Any) == "1")
    #expect(ValueText.of(Int??.some(nil) as Any) == "nil")
    #expect(ValueText.of("a\nb") == #""a\nb""#)
    #expect(ValueText.of(Substring("ab")) == #""ab""#)
    #expect(ValueText.of(0..<3) == "0..<3")
    #expect(ValueText.of(1.5) == "1.5")
  }

  @Test func `A type that describes itself keeps its description, and others lose their module`() {
    #expect(ValueText.of([App.Money()]) == "[12 €]")
    #expect(ValueText.of(Duration.seconds(1)) == "1.0 seconds")
    #expect(ValueText.of(App.Empty()) == "Empty()")
    #expect(ValueText.of(App.Model()) == "Model")
    #expect(ValueText.of(App.Item.self) == "Item")
    #expect(ValueText.of({ (_: Int) in } as (Int) -> Void) == "(Function)")
  }

  @Test func `A long value is cut, and no more of it is read than is shown`() {
    final class Reads { var count = 0 }
    struct Element: CustomStringConvertible {
      let reads: Reads
      var description: String {
        reads.count += 1
        return "0123456789"
      }
    }
    let reads = Reads()
    let text = ValueText.of(Array(repeating: Element(reads: reads), count: 100_000))
    #expect(text.count == 1_001 && text.hasSuffix("…"))
    #expect(reads.count < 100)
    #expect(ValueText.of(String(repeating: "x", count: 2_000)).hasSuffix("x… (2002 characters)"))
    // The characters of a very long string are not counted, and a string inside a value is not copied.
    let huge = String(repeating: "x", count: 200_000)
    #expect(ValueText.of(huge, limit: 5) == #""xxxx… (200000 bytes)"#)
    #expect(ValueText.of([huge[...]], limit: 5) == #"["xxx…"#)
  }

  @Test func `A value of infinite depth is cut`() {
    indirect enum List { case end, link(List) }
    let list = (0..<500).reduce(List.end) { list, _ in .link(list) }
    let text = ValueText.of(list)
    #expect(text.hasPrefix(".link(.link(") && text.contains("…"))
    #expect(text.count < 400)
  }
}
