// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Exploration {
  /// What requests must answer, as if one came after the other: a sequential model, with which the answers of several
  /// senders are compared.
  ///
  /// ```swift
  /// let balance = Exploration.Specification(of: Bank.self, from: 0) { balance, action in
  ///   if case .deposit(let amount) = action { balance += amount }
  ///   return balance
  /// } answer: { state, _ in
  ///   state.balance
  /// }
  /// ```
  ///
  /// The history of all requests with one specification must be *linearizable*: each request takes effect at one moment
  /// between the step that makes it and its answer. In the order of these moments, the model gives the same answers. A
  /// request that was refused is not in the history. One that was cancelled, cut short by a shutdown or not answered
  /// yet may take effect at any later moment, or never.
  ///
  /// - Isolation: a value; the same one may be used in each schedule and in several tests. Copies are the same specification.
  /// - Complexity: checked when a request is answered. Exponential in the number of requests that overlap. A history of more
  ///   than 64 requests, or with more than 100,000 configurations of the model, is not decided. Then the result names
  ///   this as a gap, and is not complete.
  /// - Origin: Herlihy and Wing, "Linearizability", 1990.
  public struct Specification<R: Reducer, Answer: Equatable & Sendable>: Sendable {
    private let content: Content

    /// What copies share; its identity distinguishes specifications.
    private final class Content: Sendable {
      let check: @Sendable ([HistoryCall<R.Action, Answer>]) -> LinearizabilityVerdict<Answer>
      let answer: @Sendable (R.State, R.Action) -> Answer

      init(
        check: @escaping @Sendable ([HistoryCall<R.Action, Answer>]) -> LinearizabilityVerdict<Answer>,
        answer: @escaping @Sendable (R.State, R.Action) -> Answer
      ) {
        self.check = check
        self.answer = answer
      }
    }

    /// Makes a specification.
    ///
    /// - Parameters:
    ///   - reducer: the type of the feature.
    ///   - initial: the model before any request.
    ///   - perform: performs an action on the model, and returns the right answer. It has no side effects, and is called
    ///     many times.
    ///   - answer: makes the answer of a request from the state when everything that the action causes has settled.
    public init<Model: Hashable & Sendable>(
      of reducer: R.Type, from initial: Model, _ perform: @escaping @Sendable (inout Model, R.Action) -> Answer,
      answer: @escaping @Sendable (R.State, R.Action) -> Answer
    ) {
      content = Content(
        check: { calls in
          var check = LinearizabilityCheck(calls, perform)
          return check.run(from: initial)
        }, answer: answer)
    }

    /// A request, which is added to the history of this specification.
    func call(
      _ action: R.Action, by sender: String, at site: CallSite, in histories: inout [ObjectIdentifier: AnyObject]
    ) -> ScriptCall {
      let history = history(in: &histories)
      // Its number in the history, once it has been made.
      var number: Int?
      return ScriptCall(isOfHistory: true) {
        number = history.begin(action, by: sender)
      } answer: { state in
        guard let own = state as? R.State else {
          return .violated(FailureText.otherState(type(of: state), R.State.self, at: site))
        }
        guard let number else { return .holds }
        history.end(number, with: content.answer(own, action))
        switch content.check(history.calls) {
        case .linearizable: return .holds
        case .undecided(let reason): return .undecided("a history of requests that is not decided: \(reason)")
        case .violated(let order, let misses):
          return .violated(
            Violation(
              label: "linearizable", text: FailureText.notLinearizable(history.calls, order, misses),
              isOfHistory: true))
        }
      }
    }

    private func history(in histories: inout [ObjectIdentifier: AnyObject]) -> RequestHistory<R.Action, Answer> {
      let key = ObjectIdentifier(content)
      if let known = histories[key] as? RequestHistory<R.Action, Answer> { return known }
      let history = RequestHistory<R.Action, Answer>()
      histories[key] = history
      return history
    }
  }
}

/// The requests of one schedule with one specification.
final class RequestHistory<Operation, Answer> {
  private(set) var calls: [HistoryCall<Operation, Answer>] = []
  private var moment = 0

  /// A request is made. Returns its number.
  func begin(_ operation: Operation, by sender: String) -> Int {
    moment += 1
    calls.append(HistoryCall(operation: operation, sender: sender, begin: moment))
    return calls.count - 1
  }

  /// A request is answered.
  func end(_ number: Int, with answer: Answer) {
    moment += 1
    calls[number].answer = (moment, answer)
  }
}
