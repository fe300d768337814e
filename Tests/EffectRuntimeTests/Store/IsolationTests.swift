// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

/// What a sender has and no run may inherit (rule L6).
private enum Sender {
  @TaskLocal static var name = "none"
}

/// A user's actor whose store runs on it.
private actor Player {
  private var store: Store<Feature>?
  private let released: Tally

  init(_ released: Tally) {
    self.released = released
  }

  func begin(_ effect: @escaping @Sendable (Int) -> Effect<Int> = { _ in .none }) {
    let reducer = Feature { @Sendable [unowned self] state, action in
      self.preconditionIsolated()
      state.append(action)
      return effect(action)
    }
    store = Store(initialState: [], reducer: reducer, isolation: self)
  }

  /// Sends and reads, without suspending in between. It does not read `state`, which first reduces what waits.
  func sendAndLook(_ action: Int) -> [Int] {
    store?.send(action)
    return store?.assumeIsolated { $0.present } ?? []
  }

  func outsider() -> Store<Feature>? { store }

  func end() { store = nil }

  deinit { released.increment() }
}

extension Store {
  /// Sends and reads, on the store's own isolation.
  fileprivate func sendAndLook(_ action: R.Action) -> R.State where R.State: Sendable {
    send(action)
    // Not `state`, which first reduces what waits.
    return present
  }
}

@Suite struct IsolationTests {
  @Test func `A store on its own executor reduces inline for callers on its isolation (L5, L1)`() async {
    let store = Store(
      initialState: [],
      reducer: Feature { state, action in
        state.append(action)
        return action == 1 ? .send(2) : .none
      })
    #expect(await store.sendAndLook(1) == [1, 2])
  }

  @Test func `A store may run on any given executor (L5)`() async {
    let isolation = QueueIsolation()
    let log = Recorder<Int>()
    let store = Store(
      initialState: [],
      reducer: Feature { _, action in
        isolation.preconditionIsolated()
        log.record(action)
        return action == 1 ? .run { send in send(2) } : .none
      }, isolation: isolation)
    await store.send(1).finish()
    #expect(log.events == [1, 2])
  }

  @Test func `A store on the main actor reduces there, for any sender (L5)`() async {
    let log = Recorder<Int>()
    let store = Store(
      initialState: [],
      reducer: Feature { _, action in
        MainActor.preconditionIsolated()
        log.record(action)
        return action == 1 ? .run { send in send(2) } : .none
      }, isolation: MainActor.shared)
    await Task.detached { await store.send(1).finish() }.value
    #expect(log.events == [1, 2])
  }

  @Test func `A store of a user's actor reduces there, inline for the actor (L5, L1)`() async throws {
    let player = Player(Tally())
    await player.begin { action in
      switch action {
      case 1: .send(2)
      case 3: .run { send in send(4) }
      default: .none
      }
    }
    #expect(await player.sendAndLook(1) == [1, 2])
    let store = try #require(await player.outsider())
    await store.send(3).finish()
    #expect(await store.state == [1, 2, 3, 4])
    #expect(await player.sendAndLook(5) == [1, 2, 3, 4, 5])
    await player.end()
  }

  @Test func `An actor that keeps a store on itself is a cycle, until it releases the store (L5, E7)`() async {
    let released = Tally()
    var player: Player? = Player(released)
    weak let weakPlayer = player
    await player?.begin()
    player = nil
    // Only its own store keeps it.
    #expect(weakPlayer != nil)
    #expect(released.value == 0)
    await weakPlayer?.end()
    await released.reaches(1)
    #expect(weakPlayer == nil)
  }

  @Test func `An actor that keeps a store with its own isolation is no cycle (L5, E7)`() async {
    actor Owner {
      let store = Store(initialState: [], reducer: Feature { _, _ in .none })
      private let released: Tally
      init(_ released: Tally) { self.released = released }
      deinit { released.increment() }
    }
    let released = Tally()
    var owner: Owner? = Owner(released)
    await owner?.store.send(1).finish()
    owner = nil
    await released.reaches(1)
  }

  // MARK: - What a run inherits

  /// A store whose runs, and their catches, record what they inherit from the sender.
  private func makeStore(_ seen: Recorder<String>, isolation: any Actor) -> Store<Feature> {
    @Sendable func note(_ name: String) {
      seen.record("\(name): \(Sender.name), \(Task.basePriority == .medium ? "medium" : "\(Task.basePriority as Any)")")
    }
    return Store(
      initialState: [],
      reducer: Feature { _, _ in
        .concatenate(
          .run { _ in
            note("run")
            throw CancellationError()
          } catch: { _, _ in
            note("catch")
          },
          .run(priority: .low) { _ in seen.record("asked for: \(Task.basePriority == .low)") })
      }, isolation: isolation)
  }

  private let inheritsNothing = ["run: none, medium", "catch: none, medium", "asked for: true"]

  @Test(arguments: [TaskPriority.background, .high])
  func `A run inherits nothing of a sender elsewhere (L6)`(priority: TaskPriority) async {
    let seen = Recorder<String>()
    let store = makeStore(seen, isolation: OwnIsolation())
    await Task(priority: priority) {
      await Sender.$name.withValue("sender") { await store.send(1).finish() }
    }.value
    #expect(seen.events == inheritsNothing)
  }

  @MainActor
  @Test(arguments: [TaskPriority.background, .high])
  func `A run inherits nothing of a sender that drains inline (L6, L1)`(priority: TaskPriority) async {
    let seen = Recorder<String>()
    let store = makeStore(seen, isolation: MainActor.shared)
    await Task(priority: priority) { @MainActor in
      await Sender.$name.withValue("sender") { await store.send(1).finish() }
    }.value
    #expect(seen.events == inheritsNothing)
  }

  @Test(arguments: [TaskPriority.background, .high])
  func `A scheduled drain has one priority and no task-locals, for any sender (L6)`(priority: TaskPriority) async {
    let seen = Recorder<String>()
    let store = Store(
      initialState: [],
      reducer: Feature { _, _ in
        seen.record("\(Sender.name) \(Task.basePriority == .ofDrains)")
        return .none
      })
    await Task(priority: priority) {
      await Sender.$name.withValue("sender") { await store.send(1).finish() }
    }.value
    #expect(seen.events == ["none true"])
  }
}
