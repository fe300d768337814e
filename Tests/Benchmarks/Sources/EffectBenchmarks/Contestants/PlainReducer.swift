// This source file is part of swift-effects. License: Apache-2.0.

/// A typical reducer without a framework; the two hand-written contestants run these.
protocol PlainReducer<State, Action>: SendableMetatype {
  associatedtype State
  associatedtype Action: Sendable
  func reduce(into state: inout State, action: Action) -> PlainEffect<Action>
}

/// The effects of such a reducer. An id is a small number, which is the index of a task in an array: the cheapest
/// possible id.
enum PlainEffect<Action: Sendable>: Sendable {
  case none
  case send(Action)
  case run(PlainRun<Action>)
  case merge([PlainRun<Action>])
  case concatenate([PlainRun<Action>])
  /// A run that can be cancelled; it replaces the run that has its id.
  case restart(Int, PlainRun<Action>)
  case cancel(Int)
  case cancelAll
}

/// The closure of a run. It runs off the store's executor, as the framework's do.
typealias PlainRun<Action: Sendable> = @concurrent @Sendable (PlainSend<Action>) async -> Void
typealias PlainSend<Action> = @Sendable (Action) -> Void

/// The tasks that can be cancelled, by id.
struct PlainTasks {
  private var tasks: [Task<Void, Never>?] = []

  mutating func restart(_ id: Int, _ start: () -> Task<Void, Never>) {
    while tasks.count <= id { tasks.append(nil) }
    tasks[id]?.cancel()
    tasks[id] = start()
  }

  mutating func cancelAll() {
    for task in tasks { task?.cancel() }
    tasks = []
  }

  mutating func cancel(_ id: Int) {
    guard id < tasks.count else { return }
    tasks[id]?.cancel()
    tasks[id] = nil
  }
}
