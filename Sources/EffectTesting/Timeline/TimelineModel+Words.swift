// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension TimelineModel {
  /// Describes an event. Runs are named by their numbers.
  func words(of index: Int) -> String {
    switch events[index].kind {
    case .accepted(let message): "accepted: \(words(of: message))"
    case .reduced(let message): "\(words(of: message))\(delay(of: message, index))"
    case .dropped(let message): "dropped: \(words(of: message))\(delay(of: message, index))"
    case .refused(let message): "refused: \(words(of: message))"
    case .run(let run, _): "\(runs[run].number) \(happening(at: index))"
    case .dispatchCancelled(let number, nil): "cancelled: sent action \(number)"
    case .dispatchCancelled(_, let accepted?): "cancelled: \(cancelled(accepted))"
    case .note(let text): text
    case .lost(let count): count == 1 ? "1 event is missing here" : "\(count) events are missing here"
    }
  }

  /// Describes an event of a run, without the number of the run.
  func happening(at index: Int) -> String {
    guard case .run(let run, let happening) = events[index].kind else { return "" }
    return words(of: happening, runs[run], index)
  }

  private func cancelled(_ accepted: Int) -> String {
    if case .accepted(let message) = events[accepted].kind { words(of: message) } else { "" }
  }

  private func words(of message: Message) -> String {
    let source =
      switch message.source {
      case .user(_, let site): site?.short ?? "sent"
      case .run(let run?): "from \(runs[run].number)"
      case .run(nil): "from a run that ended long ago"
      case .followUp: "follow-up"
      }
    return "\(message.text(limit: 80))  \(source)"
  }

  /// The time at which an action was sent, if it had to wait to be taken.
  private func delay(of message: Message, _ index: Int) -> String {
    guard let accepted = message.accepted, events[index].time - events[accepted].time >= Run.promptness else {
      return ""
    }
    return ", sent at \(TraceText.time(events[accepted].time))"
  }

  private func words(of happening: Happening, _ run: Run, _ index: Int) -> String {
    switch happening {
    case .registered(.starting), .started(attempt: 1): "starts"
    case .registered(.queued): "waits for a free slot"
    case .registered(.waiting(let until)): "waits until \(TraceText.time(until))"
    case .joined(let other): "joins \(runs[other].number)"
    case .started(let attempt): "starts again, attempt \(attempt)"
    case .attemptFailed(let error, .recovery): "fails: \(words(of: error)), its catch follows"
    case .attemptFailed(let error, .retry(let time)):
      "fails: \(words(of: error)), again at \(TraceText.time(time))"
    // The store may take note of a sleep when it is over.
    case .sleeping(let until):
      "\(until > events[index].time ? "sleeps" : "has slept") until \(TraceText.time(until))"
    case .ended(.finished): "ends"
    case .ended(.handled): "ends, its error handled"
    case .ended(.failed(let error)): "fails: \(words(of: error))"
    case .ended(.cancelled(.byEffect)): "is cancelled"
    case .ended(.cancelled(.byDispatch)): "is cancelled by the sender of its action"
    case .ended(.cancelled(.replaced)): "is replaced"
    case .ended(.cancelled(.shutdown)): "is cancelled by the shutdown"
    case .ended(.dropped): "is dropped"
    case .returned: run.settled.map { $0 < index } ?? false ? "returns" : "returns from an attempt out of time"
    }
  }

  /// The text of an error, on one line.
  func words(of error: any Error) -> String { ValueDescription.of(error).printable.cut(to: 80) }
}

extension CallSite {
  /// The file and the line, without the module.
  var short: String {
    let text = description
    guard let slash = text.lastIndex(of: "/") else { return text.printable }
    return text[text.index(after: slash)...].printable
  }
}
