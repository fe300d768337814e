// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// Explorations that fail, in a child process only: `ElsewhereTests` compares the output of several processes.
@Suite(.enabled(if: FailOnPurpose.isAsked), .serialized)
struct ExploredElsewhere {
  private typealias Feature = Reduce<Int, Int>

  /// An actor with a state.
  private actor Disk {
    var number = 0
    func set(_ number: Int) { self.number = number }
  }

  /// The sleeper that is cancelled first sends first, and its action is dropped.
  private static func sleepers(_ cancel: Effect<Int>, onStreams: Bool = false) -> Feature {
    Feature { _, action in
      if action == 0 {
        return .merge(
          (1..<9).map { number in
            .run(id: EffectID("sleeper \(number)"), overlap: .concurrent) { send in
              if onStreams { for await _ in AsyncStream<Int>.makeStream().stream {} }
              do { try await send.sleep(for: .seconds(1)) } catch { send(number) }
            }
          })
      }
      return action == 9 ? cancel : .none
    }
  }

  private static let names = (1..<9).map { EffectID("sleeper \($0)") }

  @Test func cancelsASet() async {
    await explore(
      initialState: 0, reducer: Self.sleepers(.cancel(.ids(Set(Self.names)))), requiring: [.nothingDropped]
    ) { run in
      run.send(0)
      run.send(9)
    }
  }

  @Test func cancelsFromTheScript() async {
    await explore(
      initialState: 0, reducer: Self.sleepers(.none, onStreams: true), requiring: [.nothingDropped]
    ) { run in
      run.send(0)
      run.cancel("sleeper 5", "sleeper 3", "sleeper 1", "sleeper 8", "sleeper 2")
    }
  }

  @Test func losesAnUpdate() async {
    await explore { schedule in
      let disk = Disk()
      let run = schedule.store(
        initialState: 0,
        reducer: Feature { state, action in
          state = max(state, action)
          if action > 0 { return .none }
          let save = Effect<Int>.run(id: "save", overlap: .concurrent) { send in
            try await send.sleep(for: .seconds(1))
            await disk.set(disk.number + 1)
            send(await disk.number)
          }
          return .merge(save, save, save)
        }, finally: { $0 == 3 })
      run.send(0)
    }
  }

  @Test func failsInSomeRuns() async {
    await explore(
      initialState: Set<Int>(),
      reducer: Reduce<Set<Int>, Int> { state, action in
        state.insert(action)
        return action > 0
          ? .none : .merge((1..<5).map { number in .run(id: "load", overlap: .concurrent) { send in send(number) } })
      }, faults: .seeded(7, oneIn: 3, of: .hang("load"))
    ) { run in
      run.send(0)
    } finally: { state in
      state.count == 5
    }
  }
}
