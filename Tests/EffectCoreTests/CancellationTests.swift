// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Cancellations` {
  private enum Work: Hashable { case search, page(Int) }

  @Test func `Scoping one id scopes it`() {
    guard case .id(let id) = Cancellation.id("a").scoped(by: "s") else { return fail() }
    #expect(id == EffectID("a").scoped(by: "s"))
  }

  @Test func `Scoping several ids scopes each`() {
    guard case .ids(let ids) = Cancellation.ids(["a", "b"]).scoped(by: "s") else { return fail() }
    #expect(ids == [EffectID("a").scoped(by: "s"), EffectID("b").scoped(by: "s")])
  }

  @Test func `Scoping a scope puts it inside`() {
    guard case .scope(let scope) = Cancellation.scope("row").scoped(by: "s") else { return fail() }
    #expect(scope == EffectID("row").scoped(by: "s"))
  }

  @Test func `Scoping everything leaves the scope`() {
    guard case .scope(let scope) = Cancellation.everything.scoped(by: "s") else { return fail() }
    #expect(scope == "s")
    guard case .scope(let both) = Cancellation.everything.scoped(by: "s").scoped(by: "t") else { return fail() }
    #expect(both == EffectID("s").scoped(by: "t"))
  }

  @Test func `Scoping a predicate restricts it to the scope`() {
    let search = Cancellation.all(of: Work.self) { $0 == .search }
    guard case .matching(_, nil) = search else { return fail() }
    guard case .matching(let predicate, let scope?) = search.scoped(by: "s") else { return fail() }
    #expect(scope == "s")
    #expect(predicate(EffectID(Work.search)))
    #expect(!predicate(EffectID(Work.page(1))))
    guard case .matching(_, let both?) = search.scoped(by: "s").scoped(by: "t") else { return fail() }
    #expect(both == EffectID("s").scoped(by: "t"))
  }

  @Test func `A predicate checks the type of the value and its condition`() {
    let all = predicate(.all(of: Work.self))
    let pages = predicate(.all(of: Work.self) { if case .page(let page) = $0 { page > 1 } else { false } })
    #expect(all(EffectID(Work.search)))
    #expect(all(EffectID(Work.page(1))))
    #expect(!all("search"))
    #expect(!all(EffectID(type: Work.self)))
    #expect(!pages(EffectID(Work.search)))
    #expect(!pages(EffectID(Work.page(1))))
    #expect(pages(EffectID(Work.page(2))))
  }

  @Test func `A predicate ignores scopes, and the scope is not the value`() {
    let all = predicate(.all(of: Work.self))
    #expect(all(EffectID(Work.search).scoped(by: EffectID(1)).scoped(by: "x")))
    #expect(!all(EffectID("a").scoped(by: EffectID(Work.search))))
  }

  @Test func `An id that carries the line of its cancel is the same id, in either comparison (E6)`() throws {
    let effects: [(Effect<Int>, EffectID)] = [
      (.cancel(id: "a", line: 7), "a"),
      (.cancel(id: EffectID("a").scoped(by: "s"), line: 7), EffectID("a").scoped(by: "s")),
      (.cancel(id: Optional("a"), line: 7), "a"), (.cancel(id: EffectID(3), line: 7), EffectID(3)),
      (
        Effect.cancel(id: "a", line: 7).scoped("s") { $0 }.scoped("t") { $0 },
        EffectID("a").scoped(by: "s").scoped(by: "t")
      ),
    ]
    for (effect, plain) in effects {
      guard case .cancel(.id(let id)) = effect else { return fail() }
      #expect(id == plain && plain == id && id == id && id.hashValue == plain.hashValue)
      #expect(Set([plain]).contains(id) && Set([id]).contains(plain))
      #expect("\(id)" == "\(plain)" && id.value(as: String.self) == plain.value(as: String.self))
      #expect(id != "b" && "b" != id && id.scoped(by: "u") == plain.scoped(by: "u") && id.scoped(by: "u") != plain)
      #expect(id.site?.line == 7 && plain.site == nil)
      #expect(EffectID("x").scoped(by: id) == EffectID("x").scoped(by: plain), "as a scope")
    }
    guard case .cancel(.ids(let ids)) = Effect<Int>.cancel(ids: ["a", "b"], line: 8) else { return fail() }
    #expect(ids == ["a", "b"] && Cancellation.ids(ids).site?.line == 8)
    #expect(Cancellation.all(of: String.self, line: 9).scoped(by: "s").site?.line == 9)
    #expect(Cancellation.everything.site == nil && Cancellation.id("a").site == nil)
  }

  private func predicate(_ cancellation: Cancellation) -> (EffectID) -> Bool {
    guard case .matching(let predicate, _) = cancellation else { return { _ in false } }
    return { predicate($0) }
  }

  private func fail(_ location: SourceLocation = #_sourceLocation) {
    Issue.record("another kind of cancellation", sourceLocation: location)
  }
}
