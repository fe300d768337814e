// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A store, the recorder of its history, and what the page can do with it.
final class Inspected<R: Reducer & Sendable>: InspectedStore where R.State: Sendable {
  /// The store itself. One that was attached is not kept alive.
  enum Source: Sendable {
    case attached(Attached)
    case fork(Store<WithoutEffects<R>>, StoreSummary.Origin)
    case continued(Store<R>, StoreSummary.Origin)
  }

  final class Attached: Sendable {
    weak let store: Store<R>?

    init(_ store: Store<R>) {
      self.store = store
    }
  }

  let id: Int
  let name: String
  let source: Source
  let recorder: Recorder<R.State, R.Action>
  let reducer: R
  let codec: RecordingCodec<R.State, R.Action>
  let test: TestExpressions
  /// Examples of actions, which a fork has from the store it was forked from.
  let given: [String: String]

  init(
    id: Int, name: String, _ source: Source, _ recorder: Recorder<R.State, R.Action>, reducer: R,
    codec: RecordingCodec<R.State, R.Action>, test: TestExpressions, examples: [String: String] = [:]
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.recorder = recorder
    self.reducer = reducer
    self.codec = codec
    self.test = test
    given = examples
  }

  var isFork: Bool {
    if case .attached = source { false } else { true }
  }

  private var hasStore: Bool {
    if case .attached(let attached) = source { attached.store != nil } else { true }
  }

  func summary() -> StoreSummary {
    let book = recorder.present
    let (kind, origin): (String, StoreSummary.Origin?) =
      switch source {
      case .attached: ("attached", nil)
      case .fork(_, let origin): ("fork", origin)
      case .continued(_, let origin): ("continued", origin)
      }
    let active = hasStore ? book.active.all : []
    return StoreSummary(
      id: id, name: name, kind: kind, origin: origin, count: book.history.count, oldest: book.history.oldest,
      hasEnded: book.hasEnded || !hasStore,
      active: active.prefix(100).map { item in
        StoreSummary.Work(
          run: item.run.number, text: "\(item.run.description)", phase: item.phase,
          since: item.since / .milliseconds(1))
      },
      activeCount: active.count)
  }

  // MARK: - Forks

  func fork(at position: Int, as id: Int, named name: String) async throws -> any InspectedStore {
    let state = try states(at: position, in: recorder.history).after
    let store = Store(initialState: state, reducer: WithoutEffects(reducer))
    let recorder = await store.recordHistory()
    let origin = StoreSummary.Origin(store: self.id, name: self.name, position: position, actions: 0)
    return Inspected(
      id: id, name: name, .fork(store, origin), recorder, reducer: reducer, codec: codec, test: test,
      examples: examples)
  }

  func continued(as id: Int, named name: String) async throws -> any InspectedStore {
    guard case .fork(let fork, var origin) = source else { throw InspectorError.notAFork(self.name) }
    // Behind what was sent to it.
    let state = await fork.state
    origin.actions = recorder.history.count
    let store = Store(initialState: state, reducer: reducer)
    let recorder = await store.recordHistory()
    return Inspected(
      id: id, name: name, .continued(store, origin), recorder, reducer: reducer, codec: codec, test: test,
      examples: examples)
  }

  // MARK: - States

  func states(at position: Int, in history: History<R.State, R.Action>) throws -> (before: R.State, after: R.State) {
    let states = history.states(at: position) { state, action in
      _ = reducer.reduce(into: &state, action: action)
    }
    guard let states else {
      throw InspectorError.unknownPosition(position, oldest: history.oldest, newest: history.count)
    }
    return states
  }
}
