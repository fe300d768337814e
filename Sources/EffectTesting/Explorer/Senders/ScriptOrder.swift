// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// A step of a script that few scripts have. Other steps are named by their numbers.
@usableFromInline
indirect enum ScriptOrder<Action: Sendable> {
  /// Cancels all that an action causes, as a `StoreTask` does.
  case cancelSent(Int)
  /// Waits until all that an action causes has settled.
  case finish(Int)
  /// Sends an action, and waits until all that it causes has settled.
  case request(Action, CallSite, ScriptCall)
  /// Shuts the store down, and waits until it has ended.
  case shutDown(Shutdown)

  /// The step as code, or as a comment.
  var line: String {
    switch self {
    case .cancelSent(let step): "run.cancel(\(ScriptSenders.name(of: step)))"
    case .finish(let step): "run.finish(\(ScriptSenders.name(of: step)))"
    case .request(let action, _, _): "// run.request: \(FailureText.brief(action))"
    case .shutDown: "// run.shutdown"
    }
  }
}

/// What is done with the answer of a request.
@usableFromInline
struct ScriptCall {
  /// How a failure names the request.
  var name = ""
  /// Whether it belongs to the history of a specification.
  var isOfHistory = false
  /// The request is made.
  let begin: () -> Void
  /// Everything has settled, and the state is this one.
  let answer: (Any) -> Verdict

  enum Verdict {
    case holds
    case violated(Violation)
    /// Nothing can be said, for a reason that the result names.
    case undecided(String)
  }
}
