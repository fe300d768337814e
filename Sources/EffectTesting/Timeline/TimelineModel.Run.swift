// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension TimelineModel {
  /// A run, with what is known from the trace.
  struct Run {
    let trace: TraceRun
    /// The index of the event with which it begins.
    let first: Int
    /// Whether its beginning is missing: it began before the trace, or in a gap of the trace.
    let isFromBefore: Bool
    /// The phases in order. Each lasts until the next begins, or until the run is over.
    private(set) var phases: [Phase] = []
    /// The index of the event after which it is over: settled, with all closures returned, or joined; `nil` if it is not.
    private(set) var gone: Int?
    private(set) var outcome: EffectOutcome?
    /// The index of the event with which it was settled.
    private(set) var settled: Int?
    /// Whether it shares the work of another run and has no closure.
    private(set) var isJoined = false
    /// Whether one of its actions was dropped.
    var sendsInVain = false
    /// Whether a closure returned noticeably later than the run was settled.
    private(set) var returnsLate = false
    private(set) var hasFailed = false

    private var settledAt: Duration = .zero
    /// The number of its active closures; more than one if an attempt timed out and has not returned.
    private var closures = 0

    init(_ trace: TraceRun, first: Int, isFromBefore: Bool) {
      self.trace = trace
      self.first = first
      self.isFromBefore = isFromBefore
    }
  }

  struct Phase {
    let kind: Kind
    /// The index of the event with which it begins.
    let first: Int

    enum Kind: Equatable {
      /// Waits for a slot (`nil`), or for a time.
      case waiting(until: Duration?)
      case running(attempt: Int)
      case sleeping(until: Duration)
      /// Waits for the next attempt.
      case retrying(at: Duration)
      /// Its `catch` closure runs.
      case recovering
      /// It is settled, but one of its closures has not returned.
      case unreturned
    }
  }
}

extension TimelineModel.Run {
  /// The delay within which a return counts as prompt. A cancelled closure needs some time to return.
  static let promptness = Duration.milliseconds(1)

  /// Changes the phases of the run by its next event.
  mutating func happen(_ happening: TraceRun.Event, at index: Int, time: Duration) {
    if isFromBefore, phases.isEmpty { begin(before: happening) }
    if case .returned = happening { return leave(index, time) }
    // A closure may continue after its run is settled. It may start and sleep, but only its return matters here.
    guard settled == nil, gone == nil else { return }
    switch happening {
    case .registered(.starting): enter(.running(attempt: 1), index)
    case .registered(.queued): enter(.waiting(until: nil), index)
    case .registered(.waiting(let until)): enter(.waiting(until: until), index)
    case .joined:
      // A run that has waited for its time before has a phase to draw, so it keeps its own column.
      isJoined = phases.isEmpty
      gone = index
    case .started(let attempt):
      closures += trace.isTree ? 0 : 1
      // A run that starts at once is running since its registration. The start of a `catch` closure is no new attempt.
      if phase != .running(attempt: attempt), phase != .recovering { enter(.running(attempt: attempt), index) }
    case .attemptFailed(let error, let next): fail(error, next, index)
    case .sleeping(let until): enter(.sleeping(until: until), index)
    case .ended(let outcome): settle(outcome, index, time)
    case .returned: break
    }
  }

  private mutating func leave(_ index: Int, _ time: Duration) {
    closures = max(0, closures - 1)
    guard let settled else { return }
    if time - settledAt >= Self.promptness { returnsLate = true }
    // If the run began before the trace, only this event shows that its closure had started.
    if gone == settled { enter(.unreturned, settled) }
    if closures == 0 { gone = index }
  }

  /// Whether a phase begins with the event at this index.
  ///
  /// - Complexity: O(log *n*) in the number of phases.
  func begins(at index: Int) -> Bool {
    var range = phases.startIndex..<phases.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if phases[middle].first == index { return true }
      range = phases[middle].first < index ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

  var phase: TimelineModel.Phase.Kind? { phases.last?.kind }

  /// Enters the phase in which the run was when the trace began or continued, as its first event shows it.
  private mutating func begin(before happening: TraceRun.Event) {
    switch happening {
    case .started(attempt: 1): enter(.waiting(until: nil), first)
    case .returned:
      settled = first
      closures = 1
      enter(.unreturned, first)
    case .registered, .joined, .ended(.dropped), .ended(.cancelled): break
    case .started, .attemptFailed, .sleeping, .ended:
      closures = trace.isTree ? 0 : 1
      enter(.running(attempt: 1), first)
    }
  }

  private mutating func enter(_ kind: TimelineModel.Phase.Kind, _ index: Int) {
    phases.append(TimelineModel.Phase(kind: kind, first: index))
  }

  private mutating func fail(_ error: any Error, _ next: TraceRun.Next, _ index: Int) {
    hasFailed = true
    // The closure of an attempt that timed out has not returned; a closure that threw has.
    if !(error is EffectTimeout) { closures = max(0, closures - 1) }
    switch next {
    case .recovery: enter(.recovering, index)
    case .retry(let time): enter(.retrying(at: time), index)
    }
  }

  private mutating func settle(_ outcome: EffectOutcome, _ index: Int, _ time: Duration) {
    self.outcome = outcome
    settled = index
    settledAt = time
    switch outcome {
    case .finished, .handled: closures = max(0, closures - 1)
    case .failed(let error):
      hasFailed = true
      if !(error is EffectTimeout) { closures = max(0, closures - 1) }
    case .dropped, .cancelled: break
    }
    if closures > 0 { enter(.unreturned, index) } else { gone = index }
  }
}

// MARK: - Names

extension TimelineModel.Run {
  var number: UInt64 { trace.number }

  /// The text of the run, as in the description of an effect.
  var title: String {
    let text = trace.description.description.printable
    return trace.isTree && text.hasPrefix("run(") ? "tree" + text.dropFirst(3) : text
  }

  var site: String { trace.description.site.description.printable }

  /// The id without quotes.
  var id: String? { trace.description.id.map { Self.unquoted($0.description) } ?? trace.description.name?.printable }

  /// The id without the scopes around it.
  var innermostID: String? { trace.description.id.map { Self.unquoted($0.leaf.text) } ?? id }

  var input: String? {
    trace.description.input.map { input in
      if let string = input as? String { return Self.unquoted(String(reflecting: string)) }
      return ValueText.of(input, limit: 100).printable
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\""), !text.dropFirst().dropLast().contains("\"")
    else {
      return text.printable
    }
    return String(text.dropFirst().dropLast()).printable
  }

  /// Whether the run probably shows a mistake, so that a drawing includes it first.
  var isSuspicious: Bool {
    sendsInVain || returnsLate || hasFailed || (gone == nil && settled != nil)
  }
}
