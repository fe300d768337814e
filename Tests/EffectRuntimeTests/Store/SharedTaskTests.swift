// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Failed: Error {}

/// Calls back when it is released.
private final class Releasing: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

private func cancelOwnTask() { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
private func escalateOwnTask() { unsafe withUnsafeCurrentTask { unsafe $0?.escalatePriority(to: .high) } }

/// What user code does to the task it is called in never reaches another run, although runs share tasks.
@Suite(.timeLimit(.minutes(5))) struct SharedTaskTests {
  /// What the second run of each pair has read of its task.
  private struct Seen: Equatable, Sendable {
    var isCancelled = false
    var priority = TaskPriority.medium
  }

  /// A sequence of pairs: the first run does something to its task, the second sends what it reads of its own task.
  private func expectFreshTasks(
    of count: Int = 200, onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    harm: @escaping @Sendable () -> Effect<Seen?>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let store = Store(
      initialState: [Seen](),
      reducer: Reduce<[Seen], Seen?> { @Sendable state, action in
        guard let action else {
          return .concatenate(
            (0..<count).map { _ in
              .concatenate(
                harm(), .run { send in send(Seen(isCancelled: Task.isCancelled, priority: Task.currentPriority)) })
            })
        }
        state.append(action)
        return .none
      }, onFailure: onFailure)
    await store.send(nil).finish()
    let seen = await store.state
    #expect(seen.count == count, sourceLocation: sourceLocation)
    #expect(seen.allSatisfy { $0 == Seen() }, sourceLocation: sourceLocation)
  }

  @Test func `A run that escalates its own task harms no other (E1, L6)`() async {
    await expectFreshTasks { .run { _ in escalateOwnTask() } }
  }

  @Test func `Runs at the same time have their own priority, also if one escalates its own (L6)`() async {
    let harmed = Tally()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in
        .merge(
          (0..<50).map { index in
            .run { _ in
              if index == 0 { escalateOwnTask() } else if Task.currentPriority != .medium { harmed.increment() }
            }
          })
      })
    for _ in 0..<200 { await store.send(0).finish() }
    #expect(harmed.value == 0)
  }

  @Test func `A catch that cancels or escalates its own task harms no other (E5)`() async {
    await expectFreshTasks {
      .run { _ in
        throw Failed()
      } catch: { _, _ in
        cancelOwnTask()
        escalateOwnTask()
      }
    }
  }

  @Test(arguments: [false, true])
  func `A handler of failures that cancels or escalates the task it is called in harms no run (E5)`(
    cancels: Bool
  ) async {
    await expectFreshTasks(onFailure: { _ in cancels ? cancelOwnTask() : escalateOwnTask() }) {
      .run { _ in throw Failed() }
    }
  }

  @Test func `A reducer that cancels the task it is called in harms no run (L6)`() async {
    await expectFreshTasks {
      cancelOwnTask()
      return .run { _ in escalateOwnTask() }
    }
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        cancelOwnTask()
        escalateOwnTask()
        switch action {
        case 0..<500:
          return .run { send in
            if Task.isCancelled || Task.currentPriority != .medium { send(1_000) }
            send(action + 1)
          }
        case 1_000: state += 1
        default: break
        }
        return .none
      })
    await store.send(0).finish()
    #expect(await store.state == 0)
  }

  @Test func `Each attempt begins in a task that the one before has not harmed (C2)`() async {
    let (attempts, harmed) = (Tally(), Tally())
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, _ in
        .run { _ in
          if Task.isCancelled || Task.currentPriority != .medium { harmed.increment() }
          cancelOwnTask()
          escalateOwnTask()
          attempts.increment()
          throw Failed()
        } catch: { _, _ in
        }.retry(attempts: 5)
      })
    for _ in 0..<100 { await store.send(0).finish() }
    #expect(attempts.value == 500)
    #expect(harmed.value == 0)
  }

  @Test func `What a run has captured may cancel or escalate the task that releases it (E8)`() async {
    await expectFreshTasks {
      let (first, second) = (Releasing(cancelOwnTask), Releasing(escalateOwnTask))
      return .run { _ in withExtendedLifetime((first, second)) {} }
    }
  }

  @Test func `An error that cancels the task that releases it harms no run (E8)`() async {
    struct Heavy: Error { let releasing = Releasing(cancelOwnTask) }
    await expectFreshTasks(onFailure: { _ in }) { .run { _ in throw Heavy() } }
  }
}
