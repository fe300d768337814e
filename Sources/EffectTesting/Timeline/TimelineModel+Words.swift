// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension TimelineModel {
  /// Describes an event. Runs are named by their numbers.
  func words(of index: Int) -> String {
    let event = events[index]
    switch event.kind {
    case .accepted(let action, let source): return "accepted: \(words(of: action, source))"
    case .reduced(let action, let source): return "\(words(of: action, source))\(delay(of: event))"
    case .dropped(let action, let source): return "dropped: \(words(of: action, source))\(delay(of: event))"
    case .refused(let action, let site): return "refused: \(words(of: action, from: site))"
    case .run(let run, let happening):
      let isSettled = event.run.flatMap { runs[$0].settled }.map { $0 < index } ?? false
      return "\(run.number) \(words(of: happening, at: event.time, isSettled: isSettled))"
    case .unmatched(let effect): return "\(effect)"
    case .status: return ""
    case .dispatchCancelled(let number):
      guard let accepted = event.accepted, case .accepted(let action, let source) = events[accepted].kind else {
        return "cancelled: sent action \(number)"
      }
      return "cancelled: \(words(of: action, source))"
    case .turnSuspended(let actions): return "turn goes on later, after \(actions) actions"
    case .budgetExceeded(let steps): return "budget exceeded: \(steps) steps"
    case .shutdown(.ended): return "shutdown has ended"
    case .shutdown(let stage): return "shutdown: \(stage)"
    case .lost(let count): return count == 1 ? "1 event is missing here" : "\(count) events are missing here"
    }
  }

  private func words(of action: any Sendable, _ source: TraceSource) -> String {
    switch source {
    case .user(_, let site): words(of: action, from: site)
    case .run(let run?): "\(text(of: action))  from \(run.number)"
    case .run(nil): "\(text(of: action))  from a run that ended long ago"
    case .followUp: "\(text(of: action))  follow-up"
    }
  }

  private func words(of action: any Sendable, from site: CallSite?) -> String {
    "\(text(of: action))  \(site?.short ?? "sent")"
  }

  private func text(of action: any Sendable) -> String { ValueText.of(action, limit: 80).printable }

  /// The time at which an action was sent, if it had to wait to be taken.
  private func delay(of event: Event) -> String {
    guard let accepted = event.accepted, event.time - events[accepted].time >= Run.promptness else { return "" }
    return ", sent at \(TraceText.time(events[accepted].time))"
  }

  private func words(of happening: TraceRun.Event, at time: Duration, isSettled: Bool) -> String {
    switch happening {
    case .registered(.starting), .started(attempt: 1): "starts"
    case .registered(.queued): "waits for a free slot"
    case .registered(.waiting(let until)): "waits until \(TraceText.time(until))"
    case .joined(let other): "joins \(other.number)"
    case .started(let attempt): "starts again, attempt \(attempt)"
    case .attemptFailed(let error, .recovery): "fails: \(words(of: error)), its catch follows"
    case .attemptFailed(let error, .retry(let next)):
      "fails: \(words(of: error)), again at \(TraceText.time(next))"
    // The store may take note of a sleep when it is over.
    case .sleeping(let until):
      "\(until > time ? "sleeps" : "has slept") until \(TraceText.time(until))"
    case .ended(.finished): "ends"
    case .ended(.handled): "ends, its error handled"
    case .ended(.failed(let error)): "fails: \(words(of: error))"
    case .ended(.cancelled(.byEffect)): "is cancelled"
    case .ended(.cancelled(.byDispatch)): "is cancelled by the sender of its action"
    case .ended(.cancelled(.replaced)): "is replaced"
    case .ended(.cancelled(.shutdown)): "is cancelled by the shutdown"
    case .ended(.dropped): "is dropped"
    case .returned: isSettled ? "returns" : "returns from an attempt out of time"
    }
  }

  /// The text of an error, on one line.
  private func words(of error: any Error) -> String { ValueDescription.of(error).printable.cut(to: 80) }
}

extension CallSite {
  /// The file and the line, without the module.
  var short: String {
    let text = description
    guard let slash = text.lastIndex(of: "/") else { return text.printable }
    return text[text.index(after: slash)...].printable
  }
}
