// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

@testable import EffectTesting

/// The mocks that the runs of one execution of a ``RandomFeature`` share, and the values that they have recorded.
final class ComparedMocks: Sendable {
  /// The observable difference between one execution and another.
  struct Outcome: Hashable, Sendable, CustomStringConvertible {
    var reduced: [Int]
    var asked: [Int]
    /// For each run: that its closure was called, and the values that it has noted.
    var notes: [Int: [String]]

    var description: String {
      let notes = notes.keys.sorted().map { "\($0): \(self.notes[$0, default: []].joined(separator: " "))" }
      return "reduced \(reduced), asked \(asked), noted \(notes.joined(separator: "; "))"
    }
  }

  /// A server that answers one request after another.
  private actor Server {
    private let asked: Diary<Int>

    init(_ asked: Diary<Int>) {
      self.asked = asked
    }

    func ask(_ run: Int) { asked.write(run) }
  }

  private let asked = Diary<Int>()
  private let notes = Lock<[Int: [String]]>([:])
  private let server: Server
  private let streams: [Int: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)]
  /// Called before each act: represents any delay on a real machine.
  private let pause: @Sendable () async -> Void
  /// The same, for an act that follows without a suspension.
  private let work: @Sendable () -> Void

  init(
    _ feature: RandomFeature, pause: @escaping @Sendable () async -> Void = {},
    work: @escaping @Sendable () -> Void = {}
  ) {
    self.work = work
    server = Server(asked)
    self.pause = pause
    var streams: [Int: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)] = [:]
    for run in feature.effects.values.flatMap(\.runs) {
      for case .wait(let number) in run.acts { streams[number] = AsyncStream.makeStream() }
    }
    self.streams = streams
  }

  func outcome(_ reduced: [Int]) -> Outcome {
    Outcome(reduced: reduced, asked: asked.all, notes: notes.withLock { $0 })
  }

  /// No code reads it before the end, and each run writes only its own notes. So it is not an act.
  private func note(_ text: String, of run: Int) {
    notes.withLock { $0[run, default: []].append(text) }
  }

  func execute(
    _ acts: [RandomFeature.Act], joined: Set<Int> = [], of run: Int, as part: String, _ send: Send<Int>
  ) async {
    note(part, of: run)
    for (index, act) in acts.enumerated() {
      if joined.contains(index) {
        work()
      } else {
        if index > 0 { await Task.yield() }
        await pause()
      }
      switch act {
      case .send(let action): send(action)
      case .deliver(let action): note(await send.delivered(action) ? "delivered" : "refused", of: run)
      case .ask: await server.ask(run)
      case .check: note(Task.isCancelled ? "cancelled" : "goes on", of: run)
      case .wait(let number):
        guard let stream = streams[number]?.stream else { break }
        for await _ in stream { break }
      case .feed(let number): streams[number]?.continuation.yield()
      }
    }
    await pause()
  }
}

/// The feature itself.
struct ComparedFeature: Reducer {
  let feature: RandomFeature
  let mocks: ComparedMocks

  struct Outage: Error {}

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(action)
    return feature.effects[action].map(effect) ?? .none
  }

  private func effect(of tree: RandomFeature.Tree) -> Effect<Int> {
    switch tree {
    case .run(let run): effect(of: run)
    case .send(let action): .send(action)
    case .cancel(let id): .cancel(id: EffectID(id))
    case .merge(let parts): .merge(parts.map(effect))
    case .concatenate(let parts): .concatenate(parts.map(effect))
    case .cancellable(let content, let id):
      effect(of: content).cancellable(id: EffectID(id), overlap: feature.overlaps[id] ?? .concurrent)
    }
  }

  private func effect(of run: RandomFeature.Run) -> Effect<Int> {
    let overlap = run.id.flatMap { feature.overlaps[$0] } ?? .concurrent
    guard let recovery = run.recovery else {
      return .run(id: run.id, overlap: overlap) { [mocks] send in
        await mocks.execute(run.acts, joined: run.joined, of: run.number, as: "called", send)
      }
    }
    return .run(id: run.id, overlap: overlap) { [mocks] send in
      await mocks.execute(run.acts, joined: run.joined, of: run.number, as: "called", send)
      throw Outage()
    } catch: { [mocks] _, send in
      await mocks.execute(recovery, of: run.number, as: "caught", send)
    }
  }
}
