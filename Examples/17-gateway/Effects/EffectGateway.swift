// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
public import GatewayCore
import Synchronization

/// A gateway that is one store.
public enum EffectGateway {
  /// Makes a gateway.
  ///
  /// - Parameters:
  ///   - configuration: what it promises.
  ///   - upstream: the service behind it.
  ///   - clock: the time of its deadlines and waits.
  ///   - onFailure: called with a mistake in the use of effects; see `Store`.
  /// - Returns: the gateway.
  public static func make(
    _ configuration: Configuration, _ upstream: UpstreamClient, clock: any Clock<Duration> = ContinuousClock(),
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) -> Gateway {
    let now = elapsed(on: clock)
    let store = Store(
      initialState: Requests.State(), reducer: Requests(upstream: upstream, configuration: configuration, now: now),
      clock: clock, onFailure: onFailure)
    let numbers = Numbers()
    return Gateway(
      get: { item in await get(Requests.Call(number: numbers.next(), item: item, arrived: now()), store) },
      counts: { await store.counts },
      changes: {
        let (changes, continuation) = AsyncStream<Counts>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task {
          for await counts in store.values(\.counts) { continuation.yield(counts) }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return changes
      },
      drain: { limit in
        store.send(.leave)
        await store.shutdown(.draining(within: limit))
        // What the limit has cancelled gets a moment to return.
        await store.shutdown(.cancelling(within: .seconds(5)))
      })
  }

  private static func get(_ call: Requests.Call, _ store: Store<Requests>) async -> Answer {
    // Also if the task was cancelled: then everything that the request has caused is cancelled, and cannot say so.
    defer { store.send(.left(call.number)) }
    do {
      return try await store.request(.arrived(call)) { state in
        state.answer(of: call.number) ?? .failed("The request has ended without an answer.")
      }
    } catch is RequestFailure {
      return .leaving
    } catch {
      return .gone
    }
  }

  private final class Numbers: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
  }
}

extension Store<Requests> {
  fileprivate var counts: Counts { state.counts }
}
