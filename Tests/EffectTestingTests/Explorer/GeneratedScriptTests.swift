// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// Loads, and can be closed. The flag stays set if it is closed while it loads.
private struct Loader: Reducer {
  struct State: Equatable {
    var isOpen = true
    var isLoading = false
  }
  enum Action: Equatable, Sendable { case rename(String), load, close, loaded }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .rename: return .none
    case .load:
      state.isLoading = true
      return .run(id: "load", overlap: .restart) { send in send(.loaded) }
    case .close:
      state.isOpen = false
      return .cancel(id: "load")
    case .loaded:
      state.isLoading = false
      return .none
    }
  }
}

/// Scripts whose actions the search chooses.
@Suite struct GeneratedScriptTests {
  private static let actions: [Loader.Action] = [.rename("a"), .load, .close]

  private func body(_ schedule: Exploration.Schedule, upTo limit: Int = 4) {
    schedule.store(initialState: Loader.State(), reducer: Loader(), requiring: [.isRunning("load", while: \.isLoading)])
      .send(anyOf: Self.actions, upTo: limit)
  }

  @Test func `A script that is written again forgets which steps were generated before`() {
    let script = ScriptBook()
    script.note(nil)
    script.noteGenerated()
    script.omitNext(of: 0, now: .zero)
    #expect(script.isWhole(butFor: .generated))
    script.wipeBook()
    script.note(nil)
    script.omitNext(of: 0, now: .zero)
    #expect(!script.isWhole(butFor: .generated))
  }

  @Test func `Every sequence up to the limit is tried`() async {
    let log = Recorder<String>()
    let account = await Account(search: .full(.deliveries)) { schedule in
      schedule.store(
        initialState: "",
        reducer: Reduce<String, String> { state, action in
          state += action
          return .none
        },
        finally: {
          log.record($0); return true
        }
      ).send(anyOf: ["a", "b"], upTo: 2)
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel != nil)
    #expect(Set(log.events) == ["", "a", "b", "aa", "ab", "ba", "bb"])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `A fault is found from the actions alone, and the script has only those that are needed`(seed: UInt64) async {
    let account = await Account(schedules: 1_000, seed: seed) { body($0) }
    let script = account.text?.components(after: "Script:\n", before: "\n\nState:")
    #expect(script == "  script.send(.load)\n  script.send(.close)", "\(account.text ?? "nothing")")
  }

  @Test func `The failure is replayed by its line`() async {
    let found = await Account { body($0) }
    let replayed = await Account(replaying: found.result.failure) { body($0) }
    #expect(found.result.failure?.hasPrefix("c2 c3 c0 u") == true, "\(found.result.failure ?? "")")
    #expect(replayed.text?.hasPrefix("`.isRunning(\"load\", while:)` is violated") == true)
  }

  private enum Work: Hashable, Sendable { case load }

  @Test func `Steps of all kinds are written as code, and others as a comment`() async {
    struct Opaque: Sendable { var text = String(repeating: "long ", count: 20) }

    let account = await Account { schedule in
      let script = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Opaque> { state, action in
          state += 1
          return .merge(
            .run(id: "a", overlap: .restart) { _ in }, .run(id: EffectID(7), overlap: .restart) { _ in },
            .run(id: Work.load, overlap: .restart) { _ in },
            .run(id: "b", overlap: .restart) { _ in }.scoped("row") { $0 })
        }, finally: { $0 < 2 })
      script.send(anyOf: [Opaque()], upTo: 1)
      script.advance(by: .seconds(1))
      script.cancel("a", EffectID(7), EffectID("b").scoped(by: "row"))
      script.cancel(EffectID(Work.load))
      script.send(Opaque())
    }
    let lines = account.text?.components(after: "Script:\n", before: "\n\nState:")?.split(separator: "\n").map {
      $0.prefix(75)
    }
    #expect(
      lines == [
        #"  // script.send: Opaque(text: "long long long long long long long long lon"#,
        "  script.advance(by: .seconds(1))",
        #"  script.cancel("a", EffectID("b").scoped(by: EffectID("row")), EffectID(7)"#,
        "  script.cancel(EffectID(GeneratedScriptTests.Work.load))",
        #"  // script.send: Opaque(text: "long long long long long long long long lon"#,
      ], "\(account.text ?? "")")
  }

  @Test func `A script that the test has written is not repeated`() async {
    let account = await Account {
      let script = $0.store(
        initialState: Loader.State(), reducer: Loader(), requiring: [.isRunning("load", while: \.isLoading)])
      script.send(.load)
      script.send(.close)
    }
    #expect(account.text?.contains("Script:") == false)
  }

  @Test func `An empty choice, and a limit of zero, are mistakes that name the line`() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }) { $0.send(anyOf: [], upTo: 2) }
    }
    let text = String(decoding: none?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("GeneratedScriptTests.swift") && text.contains("there is no action to choose"), "\(text)")
    let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }) { $0.send(anyOf: [1], upTo: 0) }
    }
    let other = String(decoding: limit?.standardErrorContent ?? [], as: UTF8.self)
    #expect(other.contains("upTo is 0; it is at least 1"), "\(other)")
  }
}

extension String {
  /// The part between two texts.
  fileprivate func components(after start: String, before end: String) -> String? {
    guard let first = firstRange(of: start)?.upperBound else { return nil }
    let rest = self[first...]
    return String(rest.firstRange(of: end).map { rest[..<$0.lowerBound] } ?? rest)
  }
}
