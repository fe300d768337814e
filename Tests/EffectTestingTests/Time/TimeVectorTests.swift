// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@Suite struct TimeVectorTests {
  /// Every overlap, or two of them: closures return at once, so the overlap must make no difference.
  private static let overlaps: [Overlap] =
    [.restart, .drop]
    + (TestSize.isLong
      ? [.concurrent, .enqueue, .keepLatest, .join, .restart(limit: 2), .restart(exclusive: true)] : [])

  @Test(arguments: overlaps)
  func `Every vector of the time table holds, to the millisecond (C2, C3)`(_ overlap: Overlap) async throws {
    let vectors = try TimeVector.all()
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let fires = try await fires(of: vector, overlap)
      // After a wrong line the rest proves nothing.
      try #require(fires == vector.fires, "\(vector.name): \(fires), expected \(vector.fires)")
    }
  }

  /// Runs one vector in a test store, and returns the times of its runs.
  private func fires(of vector: TimeVector, _ overlap: Overlap) async throws -> [TimeVector.Moment] {
    let fired = Fired()
    let modify = try modifier(of: vector)
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, String> { _, run in
        modify(
          .run(id: "vector", overlap: overlap, input: run) { run, send in
            fired.add(TimeVector.Moment(at: Int(send.now / .milliseconds(1)), run: run))
          })
      })
    for input in vector.inputs {
      store.advance(to: TestClock.Instant(offset: .milliseconds(input.at)))
      store.send(input.run)
    }
    store.runUntilIdle()
    await store.finish()
    return fired.moments
  }

  private func modifier(of vector: TimeVector) throws -> (Effect<String>) -> Effect<String> {
    let duration = Duration.milliseconds(vector.milliseconds)
    switch vector.operator {
    case "debounce":
      let maxWait = vector.maxWait.map { Duration.milliseconds($0) }
      return { $0.debounce(for: duration, maxWait: maxWait) }
    case "throttle":
      guard let trailing = vector.trailing else { throw TimeVector.Unknown(text: "throttle without trailing") }
      return { $0.throttle(for: duration, trailing: trailing) }
    default:
      throw TimeVector.Unknown(text: "operator \(vector.operator)")
    }
  }
}

private final class Fired: Sendable {
  private let log = Lock<[TimeVector.Moment]>([])

  var moments: [TimeVector.Moment] { log.withLock { $0 } }
  func add(_ moment: TimeVector.Moment) { log.withLock { $0.append(moment) } }
}
