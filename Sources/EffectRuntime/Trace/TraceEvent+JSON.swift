// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension TraceEvent {
  /// The event as a JSON object on one line, for logs and other programs.
  ///
  /// ```text
  /// {"number":12,"time":300000000,"cause":11,"kind":"reduced","action":".found([\"SWIFT\"])","source":{"kind":"run","run":{…}}}
  /// ```
  ///
  /// A kind always has the same keys in the same order; a missing value is `null`. Every event begins with
  ///
  /// - `number`: the number of the event
  /// - `time`: nanoseconds since the store was made (all times are)
  /// - `cause`: the number of the event it follows from, or `null`
  /// - `kind`: one of those below, each with the keys that follow
  ///
  /// | kind | keys |
  /// |---|---|
  /// | `accepted`, `reduced`, `dropped` | `action` (text), `source` |
  /// | `refused` | `action`, `site` |
  /// | `registered` | `run`, `place` (`starting`, `queued`, `waiting`), `until` (time, if it waits for one) |
  /// | `joined` | `run`, `other` (the run whose work it shares) |
  /// | `started` | `run`, `attempt` |
  /// | `attemptFailed` | `run`, `error` (text), `next` (`recovery`, `retry`), `until` (time of the retry) |
  /// | `sleeping` | `run`, `until` |
  /// | `ended` | `run`, `outcome` |
  /// | `returned` | `run` |
  /// | `unmatched` | `ids` (a text that lists them) |
  /// | `status` | `id`, `status` |
  /// | `dispatchCancelled` | `dispatch` |
  /// | `turnSuspended` | `actions` |
  /// | `budgetExceeded` | `steps` |
  /// | `shutdown` | `stage` (`cancelling`, `draining`, `ended`) |
  /// | `lost` | `count` |
  ///
  /// and of these
  ///
  /// - `source`: `{"kind":"user","dispatch":3,"site":…}`, `{"kind":"run","run":…}` or `{"kind":"followUp"}`
  /// - `site`: a line of source, `"App/Search.swift:12"`, or `null`
  /// - `run` (`null` as the source of an action if the run ended long ago) and `other`: `number`, `id`, `input`, `name`
  ///   (texts or `null`), `overlap`, `site`, `tree` (true or false)
  /// - `outcome`: `kind` (`finished`, `handled`, `failed`, `cancelled`, `dropped`), `error` (text, if it was handled by
  ///   a `catch` or failed), `reason` (`byEffect`, `byDispatch`, `replaced`, `shutdown`, if it was cancelled); or
  ///   `null`
  /// - `status`: `running`, `queued`, `cancelling`, `attempt` (numbers), `input` (text or `null`)
  ///
  /// Actions and inputs are texts as in code, errors as they describe themselves; all are cut after 1,000 characters.
  /// The text is valid JSON whatever they contain, and you can put it into the script of a web page as it is.
  ///
  /// - Isolation: any; calls the descriptions of actions, ids, inputs and errors, if they have their own.
  /// - Complexity: O(length of the text).
  public var json: String { json(with: nil) }

  /// The event as ``json``, with one more member at the end, `change`: what its action changed in the state.
  ///
  /// The member is a text of several lines.
  ///
  /// - Parameter change: the difference, from a ``ChangeLog``; with `nil` the member is left out.
  /// - Returns: a JSON object on one line.
  /// - Complexity: O(length of the text).
  public func json(with change: StateDifference?) -> String {
    JSONText.object { json in
      json.member("number", number)
      json.member("time", time.nanoseconds)
      json.member("cause", cause)
      kind.write(to: &json)
      if let change { json.member("change", change.description) }
    }
  }
}

extension TraceEvent.Kind {
  fileprivate func write(to json: inout JSONText) {
    switch self {
    case .accepted(let action, let source): Self.write("accepted", action, source, to: &json)
    case .reduced(let action, let source): Self.write("reduced", action, source, to: &json)
    case .dropped(let action, let source): Self.write("dropped", action, source, to: &json)
    case .refused(let action, let site):
      json.member("kind", "refused")
      json.member("action", ValueText.of(action))
      json.member("site", site?.description)
    case .run(let run, let event):
      json.member("kind", event.kind)
      json.run("run", run)
      event.writeDetails(to: &json)
    case .unmatched(let effect):
      json.member("kind", "unmatched")
      json.member("ids", effect.idList)
    case .status(let id, let status):
      json.member("kind", "status")
      json.member("id", id.description)
      json.object("status", status.write)
    case .dispatchCancelled(let dispatch):
      json.member("kind", "dispatchCancelled")
      json.member("dispatch", dispatch)
    case .turnSuspended(let actions):
      json.member("kind", "turnSuspended")
      json.member("actions", actions)
    case .budgetExceeded(let steps):
      json.member("kind", "budgetExceeded")
      json.member("steps", steps)
    case .shutdown(let stage):
      json.member("kind", "shutdown")
      json.member("stage", "\(stage)")
    case .lost(let count):
      json.member("kind", "lost")
      json.member("count", count)
    }
  }

  private static func write(_ kind: String, _ action: Action, _ source: TraceSource, to json: inout JSONText) {
    json.member("kind", kind)
    json.member("action", ValueText.of(action))
    json.object("source", source.write)
  }
}

extension TraceSource {
  fileprivate func write(to json: inout JSONText) {
    switch self {
    case .user(let dispatch, let site):
      json.member("kind", "user")
      json.member("dispatch", dispatch)
      json.member("site", site?.description)
    case .run(let run):
      json.member("kind", "run")
      json.run("run", run)
    case .followUp:
      json.member("kind", "followUp")
    }
  }
}

extension JSONText {
  fileprivate mutating func run(_ key: String, _ run: TraceRun?) {
    guard let run else { return member(key, String?.none) }
    object(key) { json in
      json.member("number", run.number)
      json.member("id", run.description.id?.description)
      json.member("input", run.description.input.map { ValueText.of($0) })
      json.member("name", run.description.name?.cut(to: 1_000))
      json.member("overlap", run.description.overlap.description)
      json.member("site", run.description.site.description)
      json.member("tree", run.isTree)
    }
  }
}

extension TraceRun.Event {
  fileprivate var kind: String {
    switch self {
    case .registered: "registered"
    case .joined: "joined"
    case .started: "started"
    case .attemptFailed: "attemptFailed"
    case .sleeping: "sleeping"
    case .ended: "ended"
    case .returned: "returned"
    }
  }

  fileprivate func writeDetails(to json: inout JSONText) {
    switch self {
    case .registered(let place):
      let (name, until): (String, Duration?) =
        switch place {
        case .starting: ("starting", nil)
        case .queued: ("queued", nil)
        case .waiting(let until): ("waiting", until)
        }
      json.member("place", name)
      json.member("until", until?.nanoseconds)
    case .joined(let other):
      json.run("other", other)
    case .started(let attempt):
      json.member("attempt", attempt)
    case .attemptFailed(let error, let next):
      let (name, until): (String, Duration?) =
        switch next {
        case .recovery: ("recovery", nil)
        case .retry(let time): ("retry", time)
        }
      json.member("error", ValueDescription.of(error).cut(to: 1_000))
      json.member("next", name)
      json.member("until", until?.nanoseconds)
    case .sleeping(let until):
      json.member("until", until.nanoseconds)
    case .ended(let outcome):
      json.object("outcome", outcome.write)
    case .returned:
      break
    }
  }
}

extension EffectOutcome {
  fileprivate func write(to json: inout JSONText) {
    let (kind, error, reason): (String, (any Error)?, CancelReason?) =
      switch self {
      case .finished: ("finished", nil, nil)
      case .handled(let error): ("handled", error, nil)
      case .failed(let error): ("failed", error, nil)
      case .cancelled(let reason): ("cancelled", nil, reason)
      case .dropped: ("dropped", nil, nil)
      }
    json.member("kind", kind)
    json.member("error", error.map { ValueDescription.of($0).cut(to: 1_000) })
    json.member("reason", reason.map { "\($0)" })
  }
}

extension EffectStatus {
  fileprivate func write(to json: inout JSONText) {
    json.member("running", running)
    json.member("queued", queued)
    json.member("cancelling", cancelling)
    json.member("attempt", attempt)
    json.member("input", input.map { ValueText.of($0) })
  }
}
