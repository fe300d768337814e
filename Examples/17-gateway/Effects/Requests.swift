// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import GatewayCore

/// The gateway. Start reading here: this is all the logic there is.
struct Requests: Reducer, Sendable {
  struct State: Equatable, Sendable {
    var token = Token.none
    /// From the arrival of a request until it has left.
    var calls: [Int: Phase] = [:]
    /// What the calls and the past add up to.
    var counts = Counts()
  }

  enum Token: Equatable, Sendable {
    case none
    case valid(AccessToken)
    /// The last sign-in has failed.
    case failed(Answer)
  }

  enum Phase: Equatable, Sendable {
    /// For a place, or for the token.
    case waiting
    case calling
    case answered(Answer)
  }

  /// A request for an item. The number is new for each.
  struct Call: Hashable, Sendable {
    let number: Int
    let item: String
    /// How many tokens were not accepted.
    var refusals = 0
  }

  enum Action: Equatable, Sendable {
    case arrived(Call)
    /// The sign-in has ended, for this call.
    case signedIn(Call)
    case token(AccessToken)
    case signInFailed(Answer)
    case began(Int)
    /// One upstream call. It may be tried again.
    case failed(Int)
    case notAccepted(AccessToken, Call)
    case answered(Int, Answer)
    case expired(Int)
    /// The client has its answer, or has closed its connection.
    case left(Int)
    case leave
  }

  enum Work: Hashable, Sendable {
    case signIn, upstream
    /// All work for a call, and the end of its time.
    case call(Int), deadline(Int)
  }

  var upstream: UpstreamClient
  var configuration: Configuration
  /// How sign-ins overlap. A test shows what another overlap does.
  var signIns = Overlap.join

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .arrived(let call):
      guard state.counts.active + state.counts.queued < configuration.mostOpen else {
        state.counts.refused += 1
        state.set(call.number, .answered(.refused(retryAfter: configuration.retryAfter)))
        return .none
      }
      state.set(call.number, .waiting)
      return .merge(serve(call, state), deadline(of: call))
    case .signedIn(let call):
      if case .failed(let answer) = state.token { return finish(call.number, answer, &state) }
      return serve(call, state)
    case .token(let token):
      state.token = .valid(token)
      state.counts.tokens += 1
    case .signInFailed(let answer):
      state.token = .failed(answer)
    case .began(let number):
      state.set(number, .calling)
    case .failed(let number):
      state.set(number, .waiting)
    case .notAccepted(let token, var call):
      // Others may have replaced it already.
      if state.token == .valid(token) { state.token = .none }
      call.refusals += 1
      guard call.refusals < configuration.attempts else {
        return finish(call.number, Answer(UpstreamFailure.unauthorized), &state)
      }
      return serve(call, state)
    case .answered(let number, let answer):
      return finish(number, answer, &state)
    case .expired(let number):
      state.set(number, .answered(.late))
      return .cancel(id: Work.call(number))
    case .left(let number):
      state.set(number, nil)
    case .leave:
      state.counts.isLeaving = true
    }
    return .none
  }

  private func finish(_ number: Int, _ answer: Answer, _ state: inout State) -> Effect<Action> {
    state.set(number, .answered(answer))
    return .cancel(id: Work.deadline(number))
  }

  /// The call of the upstream service, if need be behind a sign-in that it shares with other calls.
  private func serve(_ call: Call, _ state: State) -> Effect<Action> {
    let work =
      if case .valid(let token) = state.token { fetch(call, token) } else { signIn(for: call) }
    // Not `.drop`: the work that has found an expired token is still active when the next one begins.
    return work.cancellable(id: Work.call(call.number), overlap: .concurrent)
  }

  private func signIn(for call: Call) -> Effect<Action> {
    .concatenate(
      .run(id: Work.signIn, overlap: signIns) { [upstream] send in
        send(.token(try await upstream.signIn()))
      } catch: { error, send in
        send(.signInFailed(Answer(error)))
      }
      .retry(attempts: configuration.attempts, backoff: backoff),
      // For this call only: what the run itself sends belongs to all calls that share it.
      .send(.signedIn(call)))
  }

  private func fetch(_ call: Call, _ token: AccessToken) -> Effect<Action> {
    // Exclusive: a call that is cancelled keeps its place until its connection is closed, so that the service is never
    // asked for more at once.
    .run(id: Work.upstream, overlap: .enqueue(limit: configuration.limit, exclusive: true), input: call) {
      [upstream] call, send in
      send(.began(call.number))
      do {
        send(.answered(call.number, .item(try await upstream.item(call.item, token))))
      } catch {
        // Not in the `catch` below: there the run has left its place, and the next one may have begun.
        send(.failed(call.number))
        throw error
      }
    } catch: { error, send in
      send(
        error as? UpstreamFailure == .unauthorized
          ? .notAccepted(token, call) : .answered(call.number, Answer(error)))
    }
    .retry(attempts: configuration.attempts, backoff: backoff)
  }

  /// Not a `timeout`: that does not count the wait in a queue.
  private func deadline(of call: Call) -> Effect<Action> {
    guard let deadline = configuration.deadline else { return .none }
    return .run(id: Work.deadline(call.number), overlap: .drop) { send in send(.expired(call.number)) }
      .delay(for: deadline)
  }

  private var backoff: Backoff {
    Backoff { [configuration] error, attempt in configuration.wait(after: error, attempt: attempt) }
  }
}

extension Requests.State {
  /// Changes the phase of a call, or forgets it, and counts.
  mutating func set(_ number: Int, _ phase: Requests.Phase?) {
    count(calls[number], -1)
    count(phase, 1)
    calls[number] = phase
    if case .answered? = phase { counts.answered += 1 }
  }

  private mutating func count(_ phase: Requests.Phase?, _ change: Int) {
    switch phase {
    case .waiting: counts.queued += change
    case .calling: counts.active += change
    case .answered, nil: break
    }
  }

  func answer(of number: Int) -> Answer? {
    if case .answered(let answer)? = calls[number] { answer } else { nil }
  }
}
