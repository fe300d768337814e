// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import TestSupport
import Testing

@testable import EffectRuntime

/// Everything comes and goes at once; most useful under the thread sanitizer.
@Suite struct TraceStressTests {
  private enum Action: Sendable { case add, run, follow }

  private struct Counter: Reducer {
    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      state += 1
      switch action {
      case .add: return .none
      case .follow: return .merge(.send(.add), .cancel(id: "x"))
      case .run: return .run(id: "x", overlap: .concurrent) { send in send(.add) }
      }
    }
  }

  private static let codec = RecordingCodec<Int, Action>(
    encodeState: { Array("\($0)".utf8) }, decodeState: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 },
    encodeAction: { Array("\($0)".utf8) }, decodeAction: { _ in .add })

  private final class Own: Sendable {
    let listening = Lock<TraceListening?>(nil)
  }

  /// What the threads leave behind.
  private final class Ground: Sendable {
    let listenings = Lock<[TraceListening]>([])
    let logs = Lock<[TraceLog<Action>]>([])
    let recorders = Lock<[StoreRecorder]>([])
    let tasks = Lock<[Task<Void, Never>]>([])
    let iterated = Lock<[[UInt64]]>([])
    /// Incremented by every listener, on the store's isolation.
    let told = Lock(0)
  }

  @Test func `Sixteen threads send, listen, leave, iterate, record and end the store (V2)`() async {
    for round in 0..<4 {
      let store = Store(initialState: 0, reducer: Counter(), onFailure: { _ in }, followUpLimit: 50, drainBudget: 8)
      let ground = Ground()
      await withTaskGroup { group in
        for thread in 0..<16 {
          group.addTask {
            await withCheckedContinuation { continuation in
              DispatchQueue(label: "\(thread)").async {
                var numbers = Numbers(seed: UInt64(100 * round + thread))
                for step in 0..<120 {
                  act(on: store, ground, numbers.next() % 12, isLast: round % 2 == 1 && thread == 0 && step == 100)
                }
                continuation.resume()
              }
            }
          }
        }
      }
      for listening in ground.listenings.withLock({ $0 }) { listening.cancel() }
      await store.shutdown(round % 2 == 0 ? .draining : .cancelling)
      for task in ground.tasks.withLock({ $0 }) { await task.value }
      let inOrder = ground.logs.withLock { $0 }.map { $0.events.map(\.number) } + ground.iterated.withLock { $0 }
      for numbers in inOrder {
        // A listener receives everything: no number is missing, none comes twice.
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
      }
      for recorder in ground.recorders.withLock({ $0 }) {
        let steps = (try? recorder.recording)?.steps
        #expect(steps != nil)
        let states = (steps ?? []).map { Int(String(decoding: $0.state ?? [], as: UTF8.self)) ?? -1 }
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 + 1 == $1 })
        #expect(recorder.failure == nil)
      }
      #expect(store.mailbox.isTraced == false)
    }
  }

  private func act(on store: Store<Counter>, _ ground: Ground, _ what: UInt64, isLast: Bool) {
    if isLast { return add(to: ground) { _ = await store.shutdown(.draining) } }
    switch what {
    case 0...3: store.send([.add, .run, .follow, .add][Int(what)], isolation: nil)
    case 4:
      let listening = store.trace.listen(timed: false) { _ in ground.told.withLock { $0 += 1 } }
      ground.listenings.withLock { $0.append(listening) }
    case 5:
      // Ends itself.
      let own = Own()
      let listening = store.trace.listen { _ in own.listening.withLock { $0 }?.cancel() }
      own.listening.withLock { $0 = listening }
    case 6, 7:
      let listening = ground.listenings.withLock { $0.popLast() }
      listening?.cancel()
    case 8:
      let log = store.trace.log(newest: 5_000)
      ground.logs.withLock { $0.append(log) }
      store.send(.add, isolation: nil)
    case 9:
      let log = ground.logs.withLock { $0.count > 4 ? $0.removeFirst() : $0.first }
      log?.clear()
      _ = log?.events
    case 10:
      let trace = store.trace
      add(to: ground) {
        var numbers: [UInt64] = []
        for await event in trace {
          numbers.append(event.number)
          if numbers.count == 60 { break }
        }
        ground.iterated.withLock { $0.append(numbers) }
      }
    default:
      add(to: ground) {
        guard let recorder = try? await store.record(with: Self.codec) else { return }
        let former = ground.recorders.withLock { recorders in
          recorders.append(recorder)
          return recorders.count > 3 ? recorders[recorders.count - 3] : nil
        }
        former?.stop()
      }
    }
  }

  private func add(to ground: Ground, _ body: @escaping @Sendable () async -> Void) {
    let task = Task.detached { await body() }
    ground.tasks.withLock { $0.append(task) }
  }
}
