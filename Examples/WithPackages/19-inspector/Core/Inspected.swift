// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A store, the recorder of its history, and what the page can do with it.
final class Inspected<R: Reducer & Sendable>: InspectedStore where R.State: Sendable {
  /// The store itself. One that was attached is not kept alive.
  enum Source: Sendable {
    case attached(Attached)
    case fork(Store<WithoutEffects<R>>, parent: Int)
    case continued(Store<R>, parent: Int)
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

  init(
    id: Int, name: String, _ source: Source, _ recorder: Recorder<R.State, R.Action>, reducer: R,
    codec: RecordingCodec<R.State, R.Action>, test: TestExpressions
  ) {
    self.id = id
    self.name = name
    self.source = source
    self.recorder = recorder
    self.reducer = reducer
    self.codec = codec
    self.test = test
  }

  var isFork: Bool {
    if case .attached = source { false } else { true }
  }

  private var hasStore: Bool {
    if case .attached(let attached) = source { attached.store != nil } else { true }
  }

  func summary() -> StoreSummary {
    let book = recorder.present
    let (kind, parent): (String, Int?) =
      switch source {
      case .attached: ("attached", nil)
      case .fork(_, let parent): ("fork", parent)
      case .continued(_, let parent): ("continued", parent)
      }
    let active = hasStore ? book.active.all : []
    return StoreSummary(
      id: id, name: name, kind: kind, parent: parent, count: book.history.count, oldest: book.history.oldest,
      hasEnded: book.hasEnded || !hasStore,
      active: active.prefix(100).map { item in
        StoreSummary.Work(
          run: item.run.number, text: "\(item.run.description)", phase: item.phase,
          since: item.since / .milliseconds(1))
      },
      activeCount: active.count)
  }

  // MARK: - Sending

  func send(_ bytes: [UInt8]) throws {
    let action: R.Action
    do {
      action = try codec.decodeAction(bytes)
    } catch {
      throw InspectorError.undecodable("\(error)")
    }
    let task: StoreTask? =
      switch source {
      case .attached(let attached): attached.store?.send(action)
      case .fork(let store, _): store.send(action)
      case .continued(let store, _): store.send(action)
      }
    guard let task, !task.isRefused else { throw InspectorError.storeEnded(name) }
  }

  // MARK: - Forks

  func fork(at position: Int, as id: Int, named name: String) async throws -> any InspectedStore {
    let state = try states(at: position, in: recorder.history).after
    let store = Store(initialState: state, reducer: WithoutEffects(reducer))
    let recorder = await store.recordHistory()
    return Inspected(
      id: id, name: name, .fork(store, parent: self.id), recorder, reducer: reducer, codec: codec, test: test)
  }

  func continued(as id: Int, named name: String) async throws -> any InspectedStore {
    guard case .fork(let fork, _) = source else { throw InspectorError.notAFork(self.name) }
    let store = Store(initialState: await fork.state, reducer: reducer)
    let recorder = await store.recordHistory()
    return Inspected(
      id: id, name: name, .continued(store, parent: self.id), recorder, reducer: reducer, codec: codec, test: test)
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
