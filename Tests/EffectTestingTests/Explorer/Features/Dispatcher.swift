// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// Runs jobs of several tenants: a limit of running jobs for each tenant, retries, a deadline for each job,
/// and a circuit breaker that stops all calls while the worker service is down.
struct Dispatcher: Reducer {
  struct Job: Hashable, Sendable {
    var id: Int
    var tenant: String
  }

  enum Outcome: Hashable, Sendable { case done, failed, expired, refused }

  enum Circuit: Hashable, Sendable {
    case closed(failures: Int)
    case open
    case halfOpen
  }

  struct State: Hashable, Sendable {
    var waiting: [Job] = []
    var running: [Job] = []
    var outcomes: [Int: Outcome] = [:]
    var circuit = Circuit.closed(failures: 0)
    var isShuttingDown = false

    func running(of tenant: String) -> Int {
      running.count { $0.tenant == tenant }
    }
  }

  enum Action: Hashable, Sendable {
    case submitted(Job)
    case succeeded(Job)
    case failed(Job)
    case deadlinePassed(Job)
    case circuitRested
    case shutdownRequested
    case graceEnded
  }

  enum Work: Hashable, Sendable {
    case job(Int)
    case deadline(Int)
    case circuit
    case grace
  }

  var perform: @Sendable (Job) async throws -> Void

  var jobsPerTenant = 1
  var failuresUntilOpen = 2
  var attempts = 2
  var attemptTimeout = Duration.seconds(5)
  var jobDeadline = Duration.seconds(30)
  var circuitRest = Duration.seconds(20)
  var shutdownGrace = Duration.seconds(10)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .submitted(let job):
      guard !state.isShuttingDown else {
        state.outcomes[job.id] = .refused
        return .none
      }
      state.waiting.append(job)
      return .merge(deadline(of: job), startNext(&state))

    case .succeeded(let job):
      settle(job, .done, &state)
      state.circuit = .closed(failures: 0)
      return .merge(.cancel(ids: [Work.deadline(job.id), Work.circuit]), startNext(&state), endGraceIfIdle(&state))

    case .failed(let job):
      settle(job, .failed, &state)
      return .merge(
        .cancel(id: Work.deadline(job.id)), countFailure(&state), startNext(&state), endGraceIfIdle(&state))

    case .deadlinePassed(let job):
      settle(job, .expired, &state)
      return .merge(.cancel(id: Work.job(job.id)), startNext(&state), endGraceIfIdle(&state))

    case .circuitRested:
      state.circuit = .halfOpen
      return startNext(&state)

    case .shutdownRequested:
      guard !state.isShuttingDown else { return .none }
      state.isShuttingDown = true
      let refused = state.waiting
      for job in refused { settle(job, .refused, &state) }
      return .merge(
        .cancel(ids: refused.map { Work.deadline($0.id) }),
        .cancel(id: Work.circuit),
        .send(.graceEnded).cancellable(id: Work.grace, overlap: .restart).delay(for: shutdownGrace),
        endGraceIfIdle(&state))

    case .graceEnded:
      for job in state.running { settle(job, .expired, &state) }
      return .cancel(.everything)
    }
  }

  /// Starts as many waiting jobs as the circuit and the limits of their tenants allow.
  private func startNext(_ state: inout State) -> Effect<Action> {
    var started: [Effect<Action>] = []
    for job in state.waiting {
      switch state.circuit {
      case .open: return .merge(started)
      case .halfOpen where !state.running.isEmpty: return .merge(started)
      case .halfOpen, .closed: break
      }
      guard state.running(of: job.tenant) < jobsPerTenant else { continue }
      state.waiting.removeAll { $0 == job }
      state.running.append(job)
      started.append(run(job))
    }
    return .merge(started)
  }

  private func run(_ job: Job) -> Effect<Action> {
    .run(id: Work.job(job.id), overlap: .drop, input: job) { [perform] job, send in
      try await perform(job)
      send(.succeeded(job))
    } catch: { _, send in
      send(.failed(job))
    }
    .timeout(after: attemptTimeout)
    .retry(attempts: attempts, backoff: .exponential(from: .seconds(1), upTo: .seconds(8)))
  }

  private func deadline(of job: Job) -> Effect<Action> {
    .send(.deadlinePassed(job)).cancellable(id: Work.deadline(job.id), overlap: .restart).delay(for: jobDeadline)
  }

  private func settle(_ job: Job, _ outcome: Outcome, _ state: inout State) {
    state.waiting.removeAll { $0 == job }
    state.running.removeAll { $0 == job }
    state.outcomes[job.id] = outcome
  }

  private func countFailure(_ state: inout State) -> Effect<Action> {
    switch state.circuit {
    case .closed(let failures) where failures + 1 < failuresUntilOpen:
      state.circuit = .closed(failures: failures + 1)
      return .none
    case .closed, .halfOpen:
      state.circuit = .open
      return .send(.circuitRested).cancellable(id: Work.circuit, overlap: .restart).delay(for: circuitRest)
    case .open:
      return .none
    }
  }

  private func endGraceIfIdle(_ state: inout State) -> Effect<Action> {
    guard state.isShuttingDown, state.running.isEmpty else { return .none }
    return .cancel(.everything)
  }
}
