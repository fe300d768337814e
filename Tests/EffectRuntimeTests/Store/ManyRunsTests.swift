// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

@Suite struct ManyRunsTests {
  @Test func `An error in one of 1,000 merged runs leaves 999 results delivered (E5)`() async {
    let failures = Recorder<String>()
    let store = Store(
      initialState: Set<Int>(),
      reducer: Reduce<Set<Int>, Int> { state, action in
        guard action < 0 else {
          state.insert(action)
          return .none
        }
        return .merge(
          (0..<1_000).map { number in
            .run(id: number, overlap: .concurrent, input: number) { number, send in
              if number == 500 { throw Broken() }
              send(number)
            }
          })
      }, onFailure: { failures.record("\($0.run): \($0.error)") })
    await store.send(-1).finish()
    #expect(await store.state == Set(0..<1_000).subtracting([500]))
    #expect(failures.events == ["run(500, input: 500): Broken()"])
    #expect(await store.isEmpty)
  }

  @Test func `The memory of many runs is released when few remain, and a run that remains goes on`() async {
    let (gate, inbox) = (Gate(), AsyncStream.makeStream(of: Int.self))
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        switch action {
        case -1:
          return .run(id: "inbox", overlap: .concurrent) { [inbox = inbox.stream] send in
            for await number in inbox { send(number) }
          }
        case -2:
          return .merge(
            (0..<3_000).map { number in .run(id: number, overlap: .concurrent) { _ in await gate.pass() } })
        default:
          state.append(action)
          return .none
        }
      })
    let one = store.send(-1)
    let many = store.send(-2)
    #expect(await store.isRunning(2_999))
    #expect(await store.core.value.running.elements.count > 3_000)
    gate.open()
    await many.finish()
    // One run remains. The search for free slots may have found few before, and so it waits.
    var sent = 0
    while await store.core.value.running.elements.count > 2 * SparseBlock.size, sent < 1_000 {
      await store.send(7).finish()
      sent += 1
    }
    #expect(sent < 1_000)
    inbox.continuation.yield(8)
    inbox.continuation.finish()
    await one.finish()
    #expect(await store.state == Array(repeating: 7, count: sent) + [8])
    #expect(await store.isEmpty)
  }

  @Test func `A run that ignores its cancel blocks only exclusive runs of its own id (E2, O2)`() async {
    let (gate, log) = (Gate(), Recorder<String>())
    let slow: @Sendable (EffectID, Bool) -> Effect<String> = { id, isExclusive in
      .run(id: id, overlap: .restart(exclusive: isExclusive)) { send in
        log.record("\(id) executes")
        await gate.pass()
        send("\(id) is late")
      }
    }
    let store = Store(
      initialState: [String](),
      reducer: Reduce<[String], String> { state, action in
        state.append(action)
        return switch action {
        case "slow": .merge(slow("plain", false), slow("exclusive", true))
        case "same ids":
          .merge(
            .run(id: "plain", overlap: .restart) { send in send("plain goes on") },
            .run(id: "exclusive", overlap: .restart(exclusive: true)) { send in send("exclusive goes on") })
        case "others":
          .merge(
            .run { send in send("nameless") }, .run(id: "other", overlap: .enqueue) { send in send("other") },
            .concatenate(.cancel(id: "plain"), .run { send in send("behind") }))
        default: .none
        }
      })
    store.send("slow")
    await log.wait(for: #""plain" executes"#)
    await log.wait(for: #""exclusive" executes"#)
    let same = store.send("same ids")
    await store.send("others").finish()
    let before = await store.state
    #expect(Set(before).isSuperset(of: ["nameless", "other", "behind"]))
    // Its slot is kept until the closure returns; so its newer run has not begun.
    #expect(!before.contains("exclusive goes on"))
    #expect(await store.counts(of: "exclusive") == #""exclusive" 0/1/1"#)
    gate.open()
    await same.finish()
    let after = await store.state
    #expect(after.contains("exclusive goes on"))
    #expect(!after.contains { $0.hasSuffix("is late") })
    await store.shutdown(.draining)
    #expect(await store.isEmpty)
  }
}
