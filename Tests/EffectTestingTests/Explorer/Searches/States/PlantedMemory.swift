// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Synchronization

@testable import EffectTesting

/// A feature whose closures share memory that no state shows, or capture what their actions do not show.
struct PlantedMemory: Sendable {
  enum Action: Sendable { case go(Int), note(Int), box(Shared<Int>), read(Shared<Int>) }

  typealias Seen = Shared<Set<String>>
  typealias Body = @Sendable (Exploration.Schedule, Seen) -> Void

  let name: String
  /// Makes the memory and the store, and notes at the end what can be seen.
  let body: Body

  init(_ name: String, _ body: @escaping Body) { (self.name, self.body) = (name, body) }

  /// A feature, and what is noted at its end.
  private static func play<State>(
    _ schedule: Exploration.Schedule, _ seen: Seen, _ initial: State, _ script: [Action],
    _ reduce: @escaping (inout State, Action) -> Effect<Action>, _ look: @escaping (State) -> String
  ) {
    let store = schedule.store(
      initialState: initial, reducer: Reduce<State, Action>(reduce),
      finally: { state in
        seen.value.insert(look(state))
        return true
      })
    for action in script { store.send(action) }
  }

  /// Runs that share what the closure refers to; their notes are a part of the state, in any order.
  private static func runs(
    _ count: Int, _ schedule: Exploration.Schedule, _ seen: Seen,
    _ run: @escaping @concurrent @Sendable (Int, Send<Action>) async -> Void, _ look: @escaping () -> String = { "" }
  ) {
    play(
      schedule, seen, [Int](), (1...count).map(Action.go),
      { state, action in
        switch action {
        case .go(let number): return .run { send in await run(number, send) }
        case .note(let number): state = (state + [number]).sorted()
        case .box, .read: break
        }
        return .none
      }, { "\($0) \(look())" })
  }

  /// Effects that are made of an action and the state; their notes are a part of the state, in order. In the form of `explore` whose
  /// closures share nothing, as far as the search knows.
  private static func made(
    _ script: [Action], _ schedule: Exploration.Schedule, _ seen: Seen,
    _ effect: @escaping (Int, [Int]) -> Effect<Action>
  ) {
    schedule.sharesNothing()
    play(
      schedule, seen, [Int](), script,
      { state, action in
        switch action {
        case .go(let number): return effect(number, state)
        case .note(let number): state.append(number)
        case .box, .read: break
        }
        return .none
      }, { "\($0)" })
  }

  // MARK: - Made by the body

  static let ofBodies = [
    PlantedMemory("a lock, written last") { schedule, seen in
      let memory = Shared(0)
      runs(
        2, schedule, seen,
        { number, _ in
          await Task.yield(); memory.value = number
        }, { "\(memory.value)" })
    },
    PlantedMemory("a lock, a lost update") { schedule, seen in
      let memory = Shared(0)
      runs(2, schedule, seen, { number, _ in await update(memory, number) }, { "\(memory.value)" })
    },
    PlantedMemory("a lock that decides what is sent") { schedule, seen in
      let memory = Shared(0)
      runs(
        2, schedule, seen,
        { number, send in
          memory.value += 1
          let read = memory.value
          await Task.yield()
          send(.note(read * 10 + number))
        })
    },
    PlantedMemory("a diary around an action that is delivered") { schedule, seen in
      let diary = Diary<Int>()
      runs(
        2, schedule, seen,
        { number, send in
          diary.write(number)
          _ = await send.delivered(.note(number))
          diary.write(-number)
        }, { "\(diary.all)" })
    },
    PlantedMemory("numbers of an actor") { schedule, seen in
      let (counter, numbers) = (Counter(), Shared([Int](repeating: 0, count: 3)))
      runs(2, schedule, seen, { number, _ in numbers.value[number] = await counter.next() }, { "\(numbers.value)" })
    },
    PlantedMemory("an actor that others enter while it waits") { schedule, seen in
      let counter = Counter()
      runs(
        2, schedule, seen,
        { _, send in
          await counter.addSlowly()
          send(.note(await counter.value))
        })
    },
    PlantedMemory("the buffer of a stream that keeps the newest") { schedule, seen in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
      runs(
        3, schedule, seen,
        { number, send in
          if number < 3 { return _ = continuation.yield(number) }
          for await value in stream.prefix(1) { send(.note(value)) }
        })
    },
    PlantedMemory("the order in a stream") { schedule, seen in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let diary = Diary<Int>()
      runs(
        3, schedule, seen,
        { number, _ in
          if number < 3 { return _ = continuation.yield(number) }
          for await value in stream.prefix(2) { diary.write(value) }
        }, { "\(diary.all)" })
    },
    PlantedMemory("a lock that `always` reads") { schedule, seen in
      let diary = Diary<Int>()
      let store = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 0 {
            state += 1
            return .none
          }
          return .run { send in
            diary.write(action)
            send(0)
          }
        },
        always: { _ in
          seen.value.insert("\(diary.all)")
          return true
        })
      store.send(1)
      store.send(2)
    },
    PlantedMemory("a task-local value") { schedule, seen in
      let memory = Shared(0)
      runs(
        2, schedule, seen,
        { number, _ in
          await Local.$memory.withValue(memory) { if let memory = Local.memory { await update(memory, number) } }
        }, { "\(memory.value)" })
    },
    PlantedMemory("a cache that is filled once") { schedule, seen in
      let cache = Shared<Int?>(nil)
      runs(
        2, schedule, seen,
        { number, send in
          if let known = cache.value { return _ = send(.note(known)) }
          await Task.yield()
          cache.value = number
          send(.note(number))
        })
    },
    PlantedMemory("an atomic number") { schedule, seen in
      let number = AtomicNumber()
      runs(
        2, schedule, seen,
        { added, _ in
          let read = number.value.load(ordering: .relaxed)
          await Task.yield()
          number.value.store(read * 3 + added, ordering: .relaxed)
        }, { "\(number.value.load(ordering: .relaxed))" })
    },
    PlantedMemory("a generator of numbers") { schedule, seen in
      let last = Shared(1)
      runs(
        3, schedule, seen,
        { number, send in
          last.value = last.value * 7 + 1
          send(.note(last.value % 5 + 100 * number))
        })
    },
    PlantedMemory("memory of the reducer") { schedule, seen in
      let memory = Shared(0)
      play(
        schedule, seen, 0, [.go(1), .go(2)],
        { _, action in
          if case .go(let number) = action { return .run { send in send(.note(number)) } }
          if case .note(let number) = action { memory.value = memory.value * 3 + number }
          return .none
        }, { _ in "\(memory.value)" })
    },
    PlantedMemory("a lock that a run writes and the reducer reads") { schedule, seen in
      let memory = Shared(0)
      play(
        schedule, seen, 0, [.go(1), .note(0)],
        { state, action in
          if case .note = action { state = memory.value }
          guard case .go = action else { return .none }
          return .run { _ in
            memory.value = 7
            await Task.yield()
          }
        }, { "\($0)" })
    },
    PlantedMemory("a handle of a task") { schedule, seen in
      let (tasks, diary) = (Shared([Task<Void, Never>]()), Diary<Int>())
      runs(
        2, schedule, seen,
        { number, _ in
          if number == 1 {
            tasks.value.append(
              Task {
                await Task.yield()
                diary.write(1)
              })
          } else {
            for task in tasks.value { await task.value }
            diary.write(2)
          }
        }, { "\(diary.all)" })
    },
    PlantedMemory("a hash that leaves out a part") { schedule, seen in
      play(
        schedule, seen, PartlyEqual(), [.go(1), .go(2)],
        { state, action in
          if case .go(let number) = action { return .run { send in send(.note(number)) } }
          if case .note(let number) = action { state.secret = state.secret * 3 + number }
          return .none
        }, { "\($0.secret)" })
    },
    PlantedMemory("what cancellation handlers write") { schedule, seen in
      let diary = Diary<Int>()
      play(
        schedule, seen, 0, [.go(1), .go(2), .note(0)],
        { _, action in
          guard case .go(let number) = action else { return .cancel(.everything) }
          return .run { send in
            await withTaskCancellationHandler {
              try? await send.sleep(for: .seconds(1))
              diary.write(10 + number)
            } onCancel: {
              diary.write(-number)
            }
          }
        }, { _ in "\(diary.all)" })
    },
    PlantedMemory("what the end of an object writes") { schedule, seen in
      let diary = Diary<Int>()
      play(
        schedule, seen, 0, [.go(1), .go(2)],
        { _, action in
          guard case .go(let number) = action else { return .none }
          let life = Life { diary.write(number) }
          return .run(id: "life", overlap: .restart) { _ in
            await Task.yield()
            withExtendedLifetime(life) {}
          }
        }, { _ in "\(diary.all)" })
    },
    PlantedMemory("a weak reference") { schedule, seen in
      let owner = Shared<Shared<Int>?>(Shared(1))
      let weak = WeakBox(owner.value)
      runs(
        2, schedule, seen,
        { number, send in
          if number == 1 { owner.value = nil } else { send(.note(weak.isEmpty ? 0 : 1)) }
        })
    },
    PlantedMemory("what cancelled runs write") { schedule, seen in
      let memory = Shared(0)
      play(
        schedule, seen, 0, [.go(1), .go(2), .note(0)],
        { _, action in
          guard case .go(let number) = action else { return .cancel(id: "a") }
          return .run(id: "a", overlap: .restart) { _ in
            await Task.yield()
            memory.value = memory.value * 3 + number
          }
        }, { _ in "\(memory.value)" })
    },
    PlantedMemory("what child tasks share") { schedule, seen in
      runs(
        1, schedule, seen,
        { _, send in
          let memory = Shared(0)
          await withTaskGroup { group in
            for number in 1...2 { group.addTask { await update(memory, number) } }
          }
          send(.note(memory.value))
        })
    },
    PlantedMemory("what a part of a sequence writes") { schedule, seen in
      let memory = Shared(0)
      play(
        schedule, seen, 0, [.go(1), .go(2)],
        { state, action in
          switch action {
          case .go(1): return .concatenate(.run { _ in memory.value = 1 }, .run { _ in memory.value *= 2 })
          case .go: return .run { send in if memory.value > 0 { send(.note(memory.value)) } else { memory.value = 5 } }
          case .note(let number): state = number
          case .box, .read: break
          }
          return .none
        }, { "\($0) \(memory.value)" })
    },
  ]

  // MARK: - Made by reductions

  static let ofReductions = [
    PlantedMemory("an object in an action") { schedule, seen in
      schedule.sharesNothing()
      let memory = Shared(0)
      play(
        schedule, seen, [Int](), [.box(memory), .box(memory)],
        { state, action in
          if case .read(let memory) = action { state.append(memory.value) }
          guard case .box(let memory) = action else { return .none }
          return .run { send in
            await update(memory, 1)
            send(.read(memory))
          }
        }, { "\($0)" })
    },
    PlantedMemory("an object in the state") { schedule, seen in
      schedule.sharesNothing()
      play(
        schedule, seen, Shared(0), [.go(1), .go(2)],
        { memory, action in
          guard case .go(let number) = action else { return .none }
          return .run { [memory] _ in await update(memory, number) }
        }, { "\($0.value)" })
    },
    PlantedMemory("a lock of one reduction") { schedule, seen in
      made([.go(1)], schedule, seen) { number, _ in
        let memory = Shared(0)
        return .merge(
          .run { _ in
            await Task.yield()
            memory.value = number
          },
          .run { send in
            await Task.yield()
            send(.note(memory.value))
          })
      }
    },
    PlantedMemory("a lock of each of two reductions") { schedule, seen in
      made([.go(1), .go(2)], schedule, seen) { number, _ in
        let memory = Shared(0)
        return .merge(.run { _ in memory.value = number }, .run { send in send(.note(memory.value)) })
      }
    },
    PlantedMemory("a stream of a reduction") { schedule, seen in
      made([.go(1)], schedule, seen) { number, _ in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        return .merge(
          .run { _ in continuation.yield(number) }, .run { _ in continuation.yield(number + 1) },
          .run { send in for await value in stream.prefix(1) { send(.note(value)) } })
      }
    },
    PlantedMemory("an actor of a reduction") { schedule, seen in
      made([.go(1)], schedule, seen) { _, _ in
        let counter = Counter()
        return .merge(
          .run { _ in _ = await counter.next() },
          .run { send in send(.note(await counter.next())) })
      }
    },
    PlantedMemory("what a run writes that is cancelled while it sleeps") { schedule, seen in
      made([.go(1), .go(-1)], schedule, seen) { number, _ in
        if number < 0 { return .cancel(id: "writer") }
        let memory = Shared(0)
        return .merge(
          .run(id: "writer", overlap: .concurrent) { send in
            try? await send.sleep(for: .seconds(1))
            memory.value = number
          },
          .run { send in
            try? await send.sleep(for: .seconds(1))
            send(.note(memory.value))
          })
      }
    },
    PlantedMemory("a weak reference of a reduction") { schedule, seen in
      made([.go(1)], schedule, seen) { number, _ in
        let object = Shared(number)
        let weak = WeakBox(object)
        return .merge(
          .run { _ in
            await Task.yield()
            withExtendedLifetime(object) {}
          },
          .run { send in
            await Task.yield()
            send(.note(weak.isEmpty ? 0 : 1))
          })
      }
    },
    PlantedMemory("a captured state that is sent") { schedule, seen in
      made([.go(1), .go(2)], schedule, seen) { number, state in .run { send in send(.note(state.count * 10 + number)) }
      }
    },
    PlantedMemory("a captured state that is slept for") { schedule, seen in
      made([.go(1), .go(2)], schedule, seen) { number, state in
        .run { send in
          try await send.sleep(for: .seconds(state.count))
          send(.note(number))
        }
      }
    },
    PlantedMemory("a captured state that is thrown") { schedule, seen in
      made([.go(1), .go(2)], schedule, seen) { _, state in
        .run { _ in
          await Task.yield()
          throw Thrown(number: state.count)
        } catch: { error, send in
          send(.note((error as? Thrown)?.number ?? -1))
        }
      }
    },
  ]

  // MARK: - Memory

  private static func update(_ memory: Shared<Int>, _ number: Int) async {
    let read = memory.value
    await Task.yield()
    memory.value = read * 3 + number
  }

  private enum Local {
    @TaskLocal static var memory: Shared<Int>?
  }

  private actor Counter {
    private(set) var value = 0

    func next() -> Int {
      value += 1
      return value
    }

    func addSlowly() async {
      let read = value
      await Task.yield()
      value = read + 1
    }
  }

  private final class AtomicNumber: Sendable {
    let value = Atomic(0)
  }

  private final class Life: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
  }

  private final class WeakBox: Sendable {
    private weak let object: Shared<Int>?

    init(_ object: Shared<Int>?) { self.object = object }

    var isEmpty: Bool { object == nil }
  }

  private struct Thrown: Error { let number: Int }

  /// Equal to others whatever its secret is.
  private struct PartlyEqual: Hashable {
    var secret = 0

    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}
