// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

/// Every way to write a run, a cancel and a name compiles, has the intended meaning, and is not ambiguous.
@Suite struct `Ways to write effects` {
  private enum Work: Hashable { case search, page(Int) }
  private typealias Strings = Effect<String>

  private let stored = EffectID("stored")
  private let absent: EffectID? = nil

  @Test func `The run of the design`() {
    let find: @Sendable (String) async throws -> [String] = { [$0] }
    let query = "swift"
    let effect: Strings = .run(id: "search", overlap: .restart, input: query) { [find] query, send in
      try await send.sleep(for: .milliseconds(300))
      send("\(try await find(query))")
    } catch: { error, send in
      send("\(error)")
    }
    #expect(effect.runs == [EffectRun(id: "search", overlap: .restart, input: "swift")])
  }

  @Test func `Runs without input`() {
    let effects: [Strings] = [
      .run { send in send("a") },
      .run { send in
        send("a")
      } catch: { error, send in
        send("\(error)")
      },
      .run { _ in },
      .run(id: Int?.none, overlap: .concurrent) { _ in },
      .run(id: "literal", overlap: .concurrent) { _ in },
      .run(id: Work.search, overlap: .concurrent) { _ in },
      .run(id: stored, overlap: .concurrent) { _ in },
      .run(id: absent, overlap: .concurrent) { _ in },
      .run(id: 7, overlap: .concurrent) { _ in },
      .run(id: EffectID(type: Self.self), overlap: .concurrent) { _ in },
      .run(id: Work.page(1), overlap: .drop, name: "n", priority: .low) { _ in
      } catch: { _, _ in
      },
      .run(id: "literal", overlap: .drop(limit: 2)) { send in
        send("a")
      } catch: { error, send in
        send("\(error)")
      },
      .run(name: "n") { _ in },
    ]
    #expect(
      effects.flatMap(\.runs) == [
        EffectRun(), EffectRun(), EffectRun(), EffectRun(), EffectRun(id: "literal", overlap: .concurrent),
        EffectRun(id: EffectID(Work.search), overlap: .concurrent), EffectRun(id: stored, overlap: .concurrent),
        EffectRun(), EffectRun(id: EffectID(7), overlap: .concurrent),
        EffectRun(id: EffectID(type: Self.self), overlap: .concurrent),
        EffectRun(id: EffectID(Work.page(1)), overlap: .drop, name: "n"),
        EffectRun(id: "literal", overlap: .drop(limit: 2)), EffectRun(name: "n"),
      ])
    #expect(
      effects.flatMap(\.operations).map { $0.failure != nil }
        == [false, true, false, false, false, false, false, false, false, false, true, true, false])
    #expect(effects.flatMap(\.operations).compactMap(\.priority) == [.low])
  }

  @Test func `Runs with an input`() {
    let effects: [Strings] = [
      .run(input: 1) { input, send in send("\(input + 1)") },
      .run(input: 1) { input, send in
        send("\(input + 1)")
      } catch: { error, send in
        send("\(error)")
      },
      .run(input: 1) { _, _ in },
      .run(id: Int?.none, overlap: .concurrent, input: 1) { _, _ in },
      .run(id: "literal", overlap: .concurrent, input: 1) { _, _ in },
      .run(id: Work.search, overlap: .concurrent, input: 1) { _, _ in },
      .run(id: stored, overlap: .concurrent, input: 1) { _, _ in },
      .run(id: absent, overlap: .concurrent, input: 1) { _, _ in },
      .run(id: Work.page(1), overlap: .join, input: Work.page(2), name: "n", priority: .low) { page, _ in
        _ = page == .search
      } catch: { _, _ in
      },
    ]
    #expect(
      effects.flatMap(\.runs) == [
        EffectRun(input: 1), EffectRun(input: 1), EffectRun(input: 1), EffectRun(input: 1),
        EffectRun(id: "literal", overlap: .concurrent, input: 1),
        EffectRun(id: EffectID(Work.search), overlap: .concurrent, input: 1),
        EffectRun(id: stored, overlap: .concurrent, input: 1), EffectRun(input: 1),
        EffectRun(id: EffectID(Work.page(1)), overlap: .join, input: Work.page(2), name: "n"),
      ])
    #expect(
      effects.flatMap(\.operations).map { $0.failure != nil }
        == [false, true, false, false, false, false, false, false, true])
    #expect(effects.flatMap(\.operations).compactMap(\.priority) == [.low])
  }

  @Test func `A closure and a catch passed by name`() {
    let body: @concurrent @Sendable (Send<String>) async throws -> Void = { send in send("a") }
    let failure: @concurrent @Sendable (any Error, Send<String>) async -> Void = { _, _ in }
    let effects: [Strings] = [
      .run(body), .run(id: Work.search, overlap: .concurrent, body, catch: failure),
      .run(id: "a", overlap: .concurrent, body, catch: nil),
    ]
    #expect(
      effects.flatMap(\.runs) == [
        EffectRun(), EffectRun(id: EffectID(Work.search), overlap: .concurrent),
        EffectRun(id: "a", overlap: .concurrent),
      ])
    #expect(effects.flatMap(\.operations).map { $0.failure != nil } == [false, true, false])
  }

  @Test func `Streams`() {
    let effects: [Strings] = [
      .stream(sequence: { Values([1]) }) { "\($0)" },
      .stream(id: "literal", overlap: .concurrent, sequence: { Values([1]) }) {
        "\($0)"
      } catch: { error, send in
        send("\(error)")
      },
      .stream(id: stored, overlap: .restart, name: "n", sequence: { Values([1]) }, transform: { "\($0)" }),
    ]
    #expect(
      effects.flatMap(\.runs)
        == [
          EffectRun(), EffectRun(id: "literal", overlap: .concurrent),
          EffectRun(id: stored, overlap: .restart, name: "n"),
        ])
    #expect(effects.flatMap(\.operations).map { $0.failure != nil } == [false, true, false])
  }

  @Test func `Cancels`() {
    let effects: [Strings] = [
      .cancel(id: "literal"), .cancel(id: Work.search), .cancel(id: stored), .cancel(id: 7),
      .cancel(.id("literal")), .cancel(.ids(["a", stored])), .cancel(.scope("row")), .cancel(.everything),
      .cancel(.all(of: Work.self)), .cancel(.all(of: Work.self) { $0 == .search }),
      .cancel(scope: Work.page(1)), .cancel(scope: "row"), .cancel(scope: stored), .cancel(ids: [Work.search]),
      .cancel(ids: ["b", "a"]),
    ]
    #expect(
      effects.map(\.description) == [
        #"cancel("literal")"#, "cancel(search)", #"cancel("stored")"#, "cancel(7)", #"cancel("literal")"#,
        #"cancel(["a", "stored"])"#, #"cancel(scope: "row")"#, "cancel(everything)", "cancel(all of Work)",
        "cancel(all of Work)", "cancel(scope: page(1))", #"cancel(scope: "row")"#, #"cancel(scope: "stored")"#,
        "cancel([search])", #"cancel(["a", "b"])"#,
      ])
  }

  @Test func `Names for trees`() {
    let run = Strings.run { _ in }
    let effects: [Strings] = [
      run.cancellable(id: "literal", overlap: .concurrent), run.cancellable(id: Work.search, overlap: .concurrent),
      run.cancellable(id: stored, overlap: .concurrent),
      run.cancellable(id: "literal", overlap: .restart), run.cancellable(id: Work.search, overlap: .drop(limit: 2)),
      run.cancellable(id: stored, overlap: .enqueue),
    ]
    #expect(
      effects.flatMap(\.runs) == [
        EffectRun(id: "literal", overlap: .concurrent), EffectRun(id: EffectID(Work.search), overlap: .concurrent),
        EffectRun(id: stored, overlap: .concurrent),
        EffectRun(id: "literal", overlap: .restart), EffectRun(id: EffectID(Work.search), overlap: .drop(limit: 2)),
        EffectRun(id: stored, overlap: .enqueue),
      ])
    #expect(
      Strings.send("a").cancellable(id: Work.page(1), overlap: .concurrent).description
        == #"cancellable(page(1), send("a"))"#)
  }

  @Test func `An optional id is the id in it, or none`() {
    let work: Work? = .page(1)
    let none: Work? = nil
    let runs: [Strings] = [
      .run(id: work, overlap: .concurrent) { _ in }, .run(id: none, overlap: .concurrent) { _ in },
      .run(id: work, overlap: .concurrent, input: 1) { _, _ in },
      .run(id: none, overlap: .concurrent, input: 1) { _, _ in },
      .stream(id: work, overlap: .concurrent, sequence: { Values([1]) }) { "\($0)" },
      .run { _ in }.cancellable(id: work, overlap: .concurrent),
      .run { _ in }.cancellable(id: none, overlap: .concurrent),
      .run(id: Optional(stored), overlap: .concurrent) { _ in },
    ]
    let page = EffectID(Work.page(1))
    #expect(
      runs.flatMap(\.runs) == [
        EffectRun(id: page, overlap: .concurrent), EffectRun(), EffectRun(id: page, overlap: .concurrent, input: 1),
        EffectRun(input: 1), EffectRun(id: page, overlap: .concurrent),
        EffectRun(id: page, overlap: .concurrent), EffectRun(), EffectRun(id: stored, overlap: .concurrent),
      ])
    let cancels: [Strings] = [.cancel(id: work), .cancel(id: none), .cancel(id: absent), .cancel(id: Optional(stored))]
    #expect(cancels.map(\.description) == ["cancel(page(1))", "none", "none", #"cancel("stored")"#])
  }

  @Test func `Branches of lists and of parts`() {
    let parts: [Strings] = [.send("a"), .send("b")]
    #expect(Strings.merge(parts).description == Strings.merge(.send("a"), .send("b")).description)
    #expect(Strings.concatenate(parts).description == Strings.concatenate(.send("a"), .send("b")).description)
    #expect(Strings.merge().isNone)
    #expect(Strings.concatenate().isNone)
  }

  @Test func `An effect can be switched over`() {
    func kind(_ effect: Strings) -> String {
      switch effect {
      case .none: "none"
      case .send(let action): "send \(action)"
      case .run(let operation): "run \(operation.id.map { "\($0)" } ?? "-")"
      case .merge(let parts): "merge of \(parts.count): " + parts.map(kind).joined(separator: ", ")
      case .concatenate(let parts): "concatenate of \(parts.count): " + parts.map(kind).joined(separator: ", ")
      case .cancel(.id(let id)): "cancel \(id)"
      case .cancel(let other): "cancel of another kind \(other)"
      case .cancellable(let tree): "\(tree.id) \(tree.overlap) over " + kind(tree.content)
      }
    }
    let effect: Strings = .merge(
      .run(id: 1, overlap: .concurrent) { _ in },
      .concatenate(.send("a"), .cancel(id: 2)).cancellable(id: 3, overlap: .drop), .run { _ in },
      .cancel(.everything))
    #expect(
      kind(effect) == """
        merge of 4: run 1, 3 drop over concatenate of 2: send a, cancel 2, run -, \
        cancel of another kind everything
        """)
    #expect(kind(.none) == "none")
  }
}
