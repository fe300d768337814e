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
