// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime
@testable import EffectTesting

/// The kind of store that a program runs in.
enum Shell: CaseIterable, Sendable {
  case store, storeOnMainActor, storeOnActor, testStore, testStoreOnMainActor

  private actor Home {}

  /// The result of each step, in the form of a program's script.
  func run(_ program: Program) async -> [String] {
    switch self {
    case .store: await live(program, OwnIsolation())
    case .storeOnMainActor: await live(program, MainActor.shared)
    case .storeOnActor: await live(program, Home())
    case .testStore: await tested(program)
    case .testStoreOnMainActor: await testedOnMainActor(program)
    }
  }

  // MARK: - A store

  private func live(_ program: Program, _ isolation: any Actor) async -> [String] {
    let (kit, clock) = (Kit(), ManualClock())
    let store = Store(
      initialState: [], reducer: program.reducer(kit), isolation: isolation, clock: clock,
      onFailure: { if !($0.error is SelfCancellation) { kit.trace.reduced("!\($0.run.name ?? "")") } })
    var (lines, sent, reduced): ([String], [StoreTask], [String]) = ([], [], [])
    for (step, expected) in program.script {
      switch step {
      case .send(let action): sent.append(store.send(action))
      case .open(let name): kit.open(name)
      case .advance(let milliseconds, let sleepers):
        let now = clock.now.offset + .milliseconds(milliseconds)
        await clock.hasSleepers(sleepers, dueBy: now)
        clock.advance(by: .milliseconds(milliseconds))
      case .cancel(let number): sent[number].cancel()
      case .finish(let number): await sent[number].finish()
      }
      let expected = Program.Expected(expected)
      // Expected events are waited for. An unexpected event would appear in a later line.
      await kit.trace.reaches(reduced: expected.reduced, runs: expected.runs)
      var statuses: [EffectStatus] = []
      for (id, wanted) in zip(program.ids, expected.statuses) {
        for await status in store.statuses(of: id) where Program.text(of: status) == wanted {
          statuses.append(status)
          break
        }
      }
      let look = kit.trace.look()
      reduced += look.reduced.filter { !$0.hasPrefix("!") }
      #expect(await store.state == reduced, "the state after \(step)")
      lines.append(Program.line(look.reduced, look.runs, statuses))
    }
    #expect(await store.shutdown(.draining).isEmpty)
    #expect(await store.effects == LiveEffects())
    let rest = kit.trace.look()
    #expect(rest.reduced.isEmpty && rest.runs.isEmpty)
    return lines
  }

  // MARK: - A test store

  @MainActor private func testedOnMainActor(_ program: Program) async -> [String] { await tested(program) }

  private func tested(_ program: Program, isolation: isolated (any Actor)? = #isolation) async -> [String] {
    let kit = Kit()
    let lines = Lock<[String]>([])
    await knownIssue {
      await tested(program, kit) { line in lines.withLock { $0.append(line) } }
    } matching: { text in
      // The program tests what such a cancel does.
      if text.hasPrefix("A `cancel` reached a tree that it is a part of") { return true }
      guard text.split(separator: "\n").first?.contains("and has no `catch`") == true else { return false }
      kit.trace.reduced(
        "!" + (text.split(separator: "name: \"").dropFirst().first?.split(separator: "\"").first.map(String.init) ?? "")
      )
      return true
    }
    return lines.withLock { $0 }
  }

  private func tested(
    _ program: Program, _ kit: Kit, isolation: isolated (any Actor)? = #isolation, _ note: (String) -> Void
  ) async {
    let store = TestStore(initialState: [], reducer: program.reducer(kit))
    store.externalWait = .zero
    var (sent, reduced): ([SentAction<Reduce<[String], String>>], [String]) = ([], [])
    for (step, _) in program.script {
      switch step {
      case .send(let action): sent.append(store.send(action) { $0.append(action) })
      case .open(let name):
        kit.open(name)
        // Work that has come back is executed. It is part of any step, and not a step itself.
        store.goOn()
      case .advance(let milliseconds, _): store.advance(by: .milliseconds(milliseconds))
      case .cancel(let number): sent[number].cancel()
      case .finish(let number): await sent[number].finish()
      }
      if store.held != nil { store.skipReceived() }
      let look = kit.trace.look()
      reduced += look.reduced.filter { !$0.hasPrefix("!") }
      #expect(store.state == reduced, "the state after \(step)")
      note(Program.line(look.reduced, look.runs, program.ids.map { store.scheduler.status(of: EffectID($0)) }))
    }
    await store.finish()
    let isIdle = store.scheduler.isIdle
    #expect(isIdle)
    let rest = kit.trace.look()
    #expect(rest.reduced.isEmpty && rest.runs.isEmpty)
  }
}
