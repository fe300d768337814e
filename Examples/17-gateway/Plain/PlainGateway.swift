// This source file is part of swift-effects. License: Apache-2.0.

public import GatewayCore

/// The same gateway with an actor and tasks.
public actor PlainGateway {
  private struct Call {
    let answer: CheckedContinuation<Answer, Never>
    let work: Task<Void, Never>
    let deadline: Task<Void, Never>
    var isCalling = false
  }

  private struct Waiter {
    let number: Int
    let place: CheckedContinuation<Void, any Error>
  }

  private let configuration: Configuration
  private let upstream: UpstreamClient
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration

  private var token: AccessToken?
  private var uses = TokenUses()
  /// The service has asked for no sign-in before this time.
  private var pause = Duration.zero
  private var signingIn: Task<AccessToken, any Error>?
  private var calls: [Int: Call] = [:]
  private var lastNumber = 0
  /// Places that are taken; a call that was cancelled keeps its place until it has returned.
  private var taken = 0
  private var waiters: [Waiter] = []
  private var drains: [CheckedContinuation<Void, Never>] = []
  private var counts = Counts()
  private var listeners: [Int: AsyncStream<Counts>.Continuation] = [:]

  /// A gateway that promises this.
  public init(
    _ configuration: Configuration, _ upstream: UpstreamClient, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    self.upstream = upstream
    self.clock = clock
    now = elapsed(on: clock)
  }

  /// The gateway as the front end sees it.
  public nonisolated var gateway: Gateway {
    Gateway(
      get: { await self.get($0) },
      counts: { await self.counts },
      changes: {
        let (changes, continuation) = AsyncStream<Counts>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Task { await self.listen(continuation) }
        return changes
      },
      drain: { await self.drain(within: $0) })
  }

  // MARK: - Requests

  private func get(_ item: String) async -> Answer {
    guard !counts.isLeaving else { return .leaving }
    guard calls.count < configuration.mostOpen else {
      counts.refused += 1
      counts.answered += 1
      changed()
      return .refused(retryAfter: configuration.retryAfter)
    }
    lastNumber += 1
    let number = lastNumber
    let arrived = now()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        let work = Task { finish(number, await fetch(item, for: number, arrived)) }
        let deadline = Task { [clock, configuration] in
          guard let deadline = configuration.deadline else { return }
          do { try await clock.sleep(for: deadline) } catch { return }
          finish(number, .late)
        }
        calls[number] = Call(answer: answer, work: work, deadline: deadline)
        changed()
      }
    } onCancel: {
      Task { await self.finish(number, .gone) }
    }
  }

  /// The only end of a request. What comes later, or a second time, is ignored.
  private func finish(_ number: Int, _ answer: Answer) {
    guard let call = calls.removeValue(forKey: number) else { return }
    call.work.cancel()
    call.deadline.cancel()
    if answer != .gone { counts.answered += 1 }
    changed()
    uses.end(number)
    call.answer.resume(returning: answer)
    guard calls.isEmpty else { return }
    // The next requests have all their attempts.
    uses = TokenUses()
    for drain in drains { drain.resume() }
    drains = []
  }

  private func fetch(_ item: String, for number: Int, _ arrived: Duration) async -> Answer {
    var failures = 0
    while true {
      do {
        let token = try await validToken()
        do {
          return .item(try await fetch(item, token, number))
        } catch UpstreamFailure.unauthorized {
          // Others may have replaced it already.
          if self.token == token { self.token = nil }
          guard uses.refused(number, most: configuration.attempts) else { throw UpstreamFailure.unauthorized }
        }
      } catch {
        uses.end(number)
        failures += 1
        let failure = UpstreamFailure(error)
        guard !Task.isCancelled,
          let wait = configuration.wait(after: failure, attempt: failures, passed: now() - arrived)
        else { return Answer(failure) }
        // Without a place. The answer of a request that is cancelled meanwhile has been given.
        do { try await clock.sleep(for: wait) } catch { return .gone }
      }
    }
  }

  // MARK: - Token

  private func validToken() async throws -> AccessToken {
    if let token { return token }
    if let signingIn { return try await signingIn.value }
    let rest = pause - now()
    if rest > .zero { throw UpstreamFailure.busy(retryAfter: rest) }
    // A task of its own: the request that needs the token first may be cancelled, and the others still need it.
    let task = Task {
      defer { signingIn = nil }
      do {
        let token = try await upstream.signIn()
        self.token = token
        counts.tokens += 1
        changed()
        return token
      } catch UpstreamFailure.busy(let retryAfter?) {
        pause = now() + retryAfter
        throw UpstreamFailure.busy(retryAfter: retryAfter)
      }
    }
    signingIn = task
    return try await task.value
  }

  // MARK: - Places

  private func fetch(_ item: String, _ token: AccessToken, _ number: Int) async throws -> String {
    uses.begin(number, token)
    try await takePlace(number)
    defer { leavePlace() }
    calls[number]?.isCalling = true
    changed()
    defer {
      calls[number]?.isCalling = false
      changed()
    }
    let text = try await upstream.item(item, token)
    uses.accepted(number)
    return text
  }

  private func takePlace(_ number: Int) async throws {
    try Task.checkCancellation()
    guard taken >= configuration.limit else {
      taken += 1
      return
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiters.append(Waiter(number: number, place: $0)) }
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func stopWaiting(_ number: Int) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).place.resume(throwing: CancellationError())
  }

  private func leavePlace() {
    guard waiters.isEmpty else { return waiters.removeFirst().place.resume() }
    taken -= 1
  }

  // MARK: - Life

  private func drain(within limit: Duration) async {
    counts.isLeaving = true
    changed()
    let cut = Task { [clock] in
      do { try await clock.sleep(for: limit) } catch { return }
      for number in calls.keys { finish(number, .leaving) }
    }
    if !calls.isEmpty { await withCheckedContinuation { drains.append($0) } }
    cut.cancel()
    for listener in listeners.values { listener.finish() }
  }

  private func listen(_ continuation: AsyncStream<Counts>.Continuation) {
    lastNumber += 1
    let number = lastNumber
    listeners[number] = continuation
    continuation.onTermination = { _ in Task { await self.forget(number) } }
    continuation.yield(counts)
  }

  private func forget(_ listener: Int) { listeners[listener] = nil }

  private func changed() {
    counts.active = calls.values.count { $0.isCalling }
    counts.queued = calls.count - counts.active
    for listener in listeners.values { listener.yield(counts) }
  }
}
