// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import GatewayCore

/// The gateway. Start reading here: this is all the logic there is.
struct Requests: Reducer, Sendable {
  struct State: Equatable, Sendable {
    var token = Token.none
    var uses = TokenUses()
    /// From the arrival of a request until it has left.
    var calls: [Int: Phase] = [:]
    /// What the calls and the past add up to.
    var counts = Counts()
  }

  enum Token: Equatable, Sendable {
    case none
    case valid(AccessToken)
    /// The last sign-in has failed, at this time.
    case failed(UpstreamFailure, at: Duration)
  }

  enum Phase: Equatable, Sendable {
    /// For a place, for the token, or for the next attempt.
    case waiting
    case calling
    case answered(Answer)
  }

  /// A request for an item. The number is new for each.
  struct Call: Hashable, Sendable {
    let number: Int
    let item: String
    var arrived = Duration.zero
    /// How many attempts have failed.
    var failures = 0
  }

  enum Action: Equatable, Sendable {
    case arrived(Call)
    /// The sign-in has ended, for this call.
    case signedIn(Call)
    case token(AccessToken)
    case signInFailed(UpstreamFailure, at: Duration)
    case began(Int)
    /// One upstream call. It may be tried again.
    case failed(Call, UpstreamFailure, at: Duration)
    /// The wait before another attempt is over.
    case again(Call)
    case received(Int, item: String)
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
  /// The time since the gateway was made. Not `send.now`, which the explorer could not control.
  var now: @Sendable () -> Duration = { .zero }
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
      return .merge(arrive(call, &state), deadline(of: call))
    case .signedIn(let call):
      if case .failed(let failure, let time) = state.token { return retry(call, failure, at: time, &state) }
      return serve(call, &state)
    case .token(let token):
      state.token = .valid(token)
      state.counts.tokens += 1
    case .signInFailed(let failure, let time):
      state.token = .failed(failure, at: time)
    case .began(let number):
      state.set(number, .calling)
    case .failed(let call, .unauthorized, _):
      state.set(call.number, .waiting)
      // Others may have replaced it already.
      if state.token == state.uses.token(of: call.number).map(Token.valid) { state.token = .none }
      guard state.uses.refused(call.number, most: configuration.attempts) else {
        return finish(call.number, Answer(.unauthorized), &state)
      }
      return serve(call, &state)
    case .failed(let call, let failure, let time):
      state.set(call.number, .waiting)
      return retry(call, failure, at: time, &state)
    case .again(let call):
      return serve(call, &state)
    case .received(let number, let item):
      state.uses.accepted(number)
      return finish(number, .item(item), &state)
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

  /// If the service has asked for a pause before the next sign-in, it is for this call, too.
  private func arrive(_ call: Call, _ state: inout State) -> Effect<Action> {
    if case .failed(.busy(let retryAfter?), let time) = state.token, call.arrived < time + retryAfter {
      return retry(call, .busy(retryAfter: time + retryAfter - call.arrived), at: call.arrived, &state)
    }
    return serve(call, &state)
  }

  /// Another attempt some time later, in which the call has no place.
  private func retry(_ call: Call, _ failure: UpstreamFailure, at time: Duration, _ state: inout State) -> Effect<
    Action
  > {
    state.uses.end(call.number)
    var call = call
    call.failures += 1
    guard let wait = configuration.wait(after: failure, attempt: call.failures, passed: time - call.arrived) else {
      return finish(call.number, Answer(failure), &state)
    }
    return .send(.again(call)).delay(for: wait).cancellable(id: Work.call(call.number), overlap: .concurrent)
  }

  /// The call of the upstream service, if need be behind a sign-in that it shares with other calls.
  private func serve(_ call: Call, _ state: inout State) -> Effect<Action> {
    let work: Effect<Action>
    if case .valid(let token) = state.token {
      state.uses.begin(call.number, token)
      work = fetch(call, token)
    } else {
      work = signIn(for: call)
    }
    // Not `.drop`: the work that has found an expired token is still active when the next one begins.
    return work.cancellable(id: Work.call(call.number), overlap: .concurrent)
  }

  private func signIn(for call: Call) -> Effect<Action> {
    .concatenate(
      .run(id: Work.signIn, overlap: signIns) { [upstream] send in
        send(.token(try await upstream.signIn()))
      } catch: { [now] error, send in
        send(.signInFailed(UpstreamFailure(error), at: now()))
      },
      // For this call only: what the run itself sends belongs to all calls that share it.
      .send(.signedIn(call)))
  }

  private func fetch(_ call: Call, _ token: AccessToken) -> Effect<Action> {
    // Exclusive: a call that is cancelled keeps its place until its connection is closed, so that the service is never
    // asked for more at once.
    .run(id: Work.upstream, overlap: .enqueue(limit: configuration.limit, exclusive: true), input: call) {
      [upstream, now] call, send in
      send(.began(call.number))
      do {
        send(.received(call.number, item: try await upstream.item(call.item, token)))
      } catch {
        // Not in a `catch` of the run: there it has left its place, and the next one may have begun.
        send(.failed(call, UpstreamFailure(error), at: now()))
      }
    }
  }

  /// Not a `timeout`: that does not count the wait in a queue.
  private func deadline(of call: Call) -> Effect<Action> {
    guard let deadline = configuration.deadline else { return .none }
    return .run(id: Work.deadline(call.number), overlap: .drop) { send in send(.expired(call.number)) }
      .delay(for: deadline)
  }
}

extension Requests.State {
  /// Changes the phase of a call, or forgets it, and counts.
  mutating func set(_ number: Int, _ phase: Requests.Phase?) {
    count(calls[number], -1)
    count(phase, 1)
    calls[number] = phase
    if case .answered? = phase { counts.answered += 1 }
    guard phase != .waiting, phase != .calling else { return }
    uses.end(number)
    // The next requests have all their attempts.
    if counts.active + counts.queued == 0 { uses = TokenUses() }
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
