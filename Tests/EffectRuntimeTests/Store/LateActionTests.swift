// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[String], String>

/// What a test keeps.
private final class Kept: Sendable {
  let sends = Lock<[Send<String>]>([])
  let failures = Lock<[EffectFailure]>([])

  func keep(_ send: Send<String>) { sends.withLock { $0.append(send) } }
}

/// Sends after the closure of a run has returned.
@Suite(.timeLimit(.minutes(5))) struct LateActionTests {
  private let kept = Kept()
  private let gate = Gate()

  private func makeStore(_ effect: @escaping @Sendable () -> Effect<String>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { state, action in
        state.append(action)
        return action == "start" ? effect() : action == "stop" ? .cancel(id: "run") : .none
      }, onFailure: { [kept] failure in kept.failures.withLock { $0.append(failure) } })
  }

  @Test func `An action of a run that has ended by itself is reported once for the run, with its line (E1)`() async {
    let store = makeStore { [kept] in
      .run(id: "run", overlap: .restart) { send in kept.keep(send) }
    }
    let line = #line - 2
    for _ in 1...200 { await store.send("start").finish() }
    for send in kept.sends.withLock({ $0 }) {
      #expect(send("late"))
      #expect(await !send.delivered("late"))
    }
    #expect(await store.state == Array(repeating: "start", count: 200))
    let found = kept.failures.withLock { $0 }
    #expect(found.map(\.run.site.line) == Array(repeating: line, count: 200))
    #expect(found.allSatisfy { $0.kind == .sentAfterReturn && $0.run.id == "run" && $0.run.overlap == .restart })
    await store.shutdown(.cancelling)
    let first = kept.sends.withLock { $0[0] }
    #expect(!first("later"))
    #expect(kept.failures.withLock { $0.count } == 200)
  }

  @Test(arguments: ["stop", "start"])
  func `An action of a run that was cancelled or replaced is dropped in silence (E1)`(stop: String) async {
    let begun = Recorder<String>()
    let store = makeStore { [kept, gate] in
      .run(id: "run", overlap: .restart) { send in
        kept.keep(send)
        begun.record("begun")
        await gate.pass()
      }
    }
    let first = store.send("start")
    await begun.wait(for: "begun")
    let second = store.send(stop)
    // It is reduced before the closure can return.
    _ = await store.state
    gate.open()
    await first.finish()
    await second.finish()
    let late = kept.sends.withLock { $0[0] }
    late("late")
    await store.shutdown(.cancelling)
    #expect(await store.state == ["start", stop])
    #expect(kept.failures.withLock { $0.isEmpty })
  }

  @Test func `A Send that is kept does not keep the closure of its run (E7)`() async {
    let log = Recorder<String>()
    let store = makeStore { [kept] in
      let farewell = Farewell { log.record("released") }
      return .run(id: "run", overlap: .restart) { send in
        kept.keep(send)
        withExtendedLifetime(farewell) {}
      }
    }
    await store.send("start").finish()
    await log.wait(for: "released")
    #expect(kept.sends.withLock { $0.count } == 1)
    await store.shutdown(.cancelling)
  }

  @Test func `Delivered says whether the action was reduced, also if its turn cancels the run (E1)`() async {
    let answers = Recorder<String>()
    let store = makeStore {
      .run(id: "run", overlap: .restart) { send in
        answers.record("\(await send.delivered("stop")), cancelled: \(Task.isCancelled)")
        answers.record("\(await send.delivered("late"))")
      }
    }
    store.send("start")
    await answers.wait(for: "false")
    #expect(answers.events == ["true, cancelled: true", "false"])
    #expect(await store.state == ["start", "stop"])
    await store.shutdown(.cancelling)
  }

  @Test func `An action whose sender was cancelled before its turn is not reduced (E1)`() async {
    let answers = Recorder<String>()
    let store = makeStore {
      .run(id: "run", overlap: .restart) { send in
        let task = Task { () -> Bool in
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return await send.delivered("withdrawn")
        }
        answers.record("\(await task.value)")
        send("end")
      }
    }
    await store.send("start").finish()
    #expect(answers.events == ["false"])
    #expect(await store.state == ["start", "end"])
    await store.shutdown(.cancelling)
  }
}
