// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension FailureText {
  static func broken(
    _ violation: Violation, _ played: Explorer.Played, found: (number: Int, steps: Int)?,
    _ cause: (first: String, second: String)?, _ settings: ScheduleRunner.Settings
  ) -> String {
    var text = "\(sentence(for: violation))"
    if let found {
      text += text.contains("\n") ? "\n\n" : " "
      text += "Found by schedule \(Exploration.grouped(found.number)) of the search"
      text +=
        found.steps > played.steps.count ? " and shortened from \(found.steps) steps to \(played.steps.count)." : "."
    }
    if let cause {
      text += "\n\nThe order of two actions matters:\n  first   \(cause.first)\n  second  \(cause.second)"
      text += "\nIf the second one comes first, all conditions hold."
    }
    let isAboutState =
      ["always", "finally", "eventually"].contains(violation.label) || violation.label.contains(".isRunning(")
    if isAboutState { text += olderAnswer(played.events) }
    if !played.script.isEmpty { text += "\n\nScript:\n  \(played.script.joined(separator: "\n  "))" }
    if played.trail.isEmpty {
      let isCut = played.state.count > Explorer.Played.stateLimit
      text += isCut ? "\n\nThe beginning of the state (print it in a property to see all of it):" : "\n\nState:"
      text += "\n  \(played.state)"
    }
    if !played.strikes.isEmpty { text += "\n\nInjected faults:\n  \(played.strikes.joined(separator: "\n  "))" }
    text += played.trail.isEmpty ? timeline(played.events) : trail(played.trail)
    if let count = violation.repeatsAfter { text += repeated(played.events.dropFirst(count)) }
    if let test = played.test { text += sameOrder(test) }
    text += "\n\nRun this schedule alone:\n  explore(…, \(call(settings))replaying: \"\(played.text)\")"
    return text
  }

  /// The schedule as a test, or why there is none. Without mocks the test store chooses the order.
  private static func sameOrder(_ test: ScheduleTest) -> String {
    guard test.hasCalls else { return "" }
    if let obstacle = test.obstacle {
      return "\n\nThis schedule cannot be written as a test of a `TestStore`: \(obstacle)."
    }
    let property =
      test.property.map { ". `\($0)` is the property of the exploration, as a function of the state" } ?? ""
    let note = test.lines.contains(where: SwiftLiteral.callsInitializer) ? "\n\n\(StepCode.initializerNote)" : ""
    return "\n\nThe same order as a test\(property):\n\n  \(test.lines.joined(separator: "\n  "))\(note)"
  }

  /// The other arguments that a schedule depends on, if they differ from the defaults.
  static func call(_ settings: ScheduleRunner.Settings) -> String {
    var text = settings.faults.isEmpty ? "" : "faults: \(settings.faults), "
    let usual = ScheduleRunner.Settings()
    var options: [String] = []
    if settings.stepLimit != usual.stepLimit { options.append("steps: \(settings.stepLimit)") }
    if settings.deadlineLimit != usual.deadlineLimit { options.append("deadlines: \(settings.deadlineLimit)") }
    if !options.isEmpty { text += "options: .init(\(options.joined(separator: ", "))), " }
    return text
  }

  /// A schedule that can repeat for ever.
  static func cycle(concernsEnd: Bool) -> String {
    """
    The schedule comes back to a state in which it was before, so it can repeat for ever: \
    \(concernsEnd ? "nothing that is required of its end is ever checked" : "`eventually` never holds"). Let it end, for example by a \
    limit of attempts or an action that cancels the work.
    """
  }

  private static func repeated(_ events: ArraySlice<TraceEvent<any Sendable>>) -> String {
    let actions = ReducedActions(Array(events)).all.map(\.text)
    return actions.isEmpty ? "" : "\n\nThese actions repeat for ever:\n  \(actions.joined(separator: "\n  "))"
  }

  private static func sentence(for violation: Violation) -> String {
    if let text = violation.text { return text }
    return switch violation.label {
    case "always": "After a reduction `always` does not hold."
    case "finally": "When nothing can happen any more, `finally` does not hold."
    case "eventually": "Nothing can happen any more, and `eventually` has never held."
    case "endless turn":
      """
      A turn has more than \(TestLimits.exploredActions) actions and still goes on. Do reducers send one another actions in a circle? \
      Let one of its reductions return `.none`.
      """
    case "nothingRunsAtTheEnd":
      "`.nothingRunsAtTheEnd` is violated: nothing can happen any more, and this run is still active: \(violation.detail)."
    case "nothingDropped":
      "`.nothingDropped` is violated: an action was dropped, \(violation.detail)."
    case "cancellationIsHeeded":
      """
      `.cancellationIsHeeded` is violated: this run was cancelled, and its closure has not returned: \(violation.detail). It waits \
      for something that does not end when the task is cancelled: use `withTaskCancellationHandler` there.
      """
    default: "`\(violation.label)` is violated: \(violation.detail)."
    }
  }

  static func deadlock(_ waiting: [String], hasRuns: Bool) -> String {
    """
    Nothing can happen any more, and \(waiting.count == 1 ? "this still waits" : "these still wait"): \
    \(waiting.joined(separator: ", ")).\(hasRuns ? " `.noDeadlock(except:)` takes the ids of runs that may wait for ever." : "")
    """
  }

  /// The requirement as it is written, without its condition.
  static func isRunning(_ id: EffectID, isExact: Bool) -> String {
    "`.isRunning(\(id), \(isExact ? "exactlyWhile" : "while"):)`"
  }

  static func wrong(_ requirement: String, _ id: EffectID, isRunning: Bool) -> String {
    isRunning
      ? """
      \(requirement) is violated: its condition does not hold, and a run of \(id) is active. Let the action that changes the \
      field cancel the run (`.cancel(id: \(code(id) ?? "\(id)"))`), or change the field only when the run has ended.
      """
      : """
      \(requirement) is violated: its condition holds, and no run of \(id) is active. Let the action that sets the field start \
      the run, and the one that ends or cancels the run reset the field.
      """
  }

  static func restless(_ names: [String], _ line: String, _ settings: ScheduleRunner.Settings) -> String {
    """
    The code of these runs goes on and on without waiting for anything, also when it is cancelled:

    \(names.joined(separator: "\n"))

    Wait for something in the loop, or leave it with `try Task.checkCancellation()`.

    Run this schedule alone:
      explore(…, \(call(settings))replaying: "\(line)")
    """
  }

  static let nothingSent = """
    The script sends nothing, so nothing was explored. Call `send` on what `schedule.store` returns, once for each \
    action whose order matters.
    """

  static func unseen(_ unseen: Explorer.Ends.Unseen, _ result: Exploration) -> String {
    switch unseen {
    case .end:
      """
      `finally:`, or a requirement about the end, was never checked, because no schedule reached its end: \(cut(result)).

      \(endOrRaise(result)) Use `always:` for a condition that must hold after each reduction.
      """
    case .eventually:
      """
      `eventually` has never held, and no schedule reached its end: \(cut(result)).

      It may still hold after the limit. \(endOrRaise(result))
      """
    }
  }

  /// What to do about schedules that were cut.
  static func endOrRaise(_ result: Exploration) -> String {
    let names = ["step", "deadline"].filter { name in
      result.limits.contains { $0.hasSuffix(" \(name)") || $0.hasSuffix(" \(name)s") }
    }
    let loop = "Let code that goes on and on wait for something in its loop."
    if names.isEmpty { return loop }
    let isLoop = result.limits.contains { $0.hasSuffix("in one step") }
    return """
      \(isLoop ? "\(loop) " : "")Let the script cancel what does not end by itself, such as a timer, or raise \
      \(names.map { "`\($0)s:`" }.joined(separator: " and ")) of `options:`.
      """
  }

  static func unreached(_ names: [String], _ result: Exploration) -> String {
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    let states = names.count == 1 ? "this state" : "these states"
    return """
      No schedule reached \(states) of `sometimes:`: \(list). The exploration: \(result).

      What the other properties say of \(states) was not tested. Let the script send actions that lead to \
      \(names.count == 1 ? "it, or correct the condition" : "them, or correct the conditions"). \(furtherSchedules(result))
      """
  }

  /// Whether schedules that were not run may reach other states.
  private static func furtherSchedules(_ result: Exploration) -> String {
    if result.completeLevel == .steps { return "No order of this script leads there." }
    if let exhausted = result.exhausted {
      return exhausted.cut > 0
        ? "Schedules that are not cut may lead there as well. \(endOrRaise(result))"
        : "A larger `budget:` does not lead there: all that can be chosen were tried."
    }
    if let level = result.completeLevel, !result.hasMore {
      return "No order at the level `\(level)` leads there; a higher `upTo:` tries more."
    }
    return "A larger `budget:` may lead there as well."
  }

  static func untested(
    _ parts: [TestedRequirements.Part], _ result: Exploration
  ) -> String {
    let lines = parts.map { part in
      switch part {
      case .start(let name): "`\(name)` needs a run, and none was started."
      case .cancel: "`.cancellationIsHeeded` needs a run that is cancelled, and none was."
      case .startOf(let id): "`.noDeadlock(except:)` names \(id), and no run of this id was started."
      case .condition(_, let id, let isExact):
        "\(isRunning(id, isExact: isExact)) needs a state for which its condition holds, and there was none."
      case .answer(let name):
        "\(name) was never answered: each was refused, cancelled, cut short by a shutdown, or still waited at the end."
      }
    }
    let isOne = parts.count == 1
    let noun = parts.allSatisfy { if case .answer = $0 { true } else { false } } ? "request" : "requirement"
    let namesID = parts.contains { part in
      switch part {
      case .startOf, .condition: true
      case .start, .cancel, .answer: false
      }
    }
    let hint = " Is the id the one that the reducer gives, with its scope (`EffectID(\"load\").scoped(by: \"feed\")`)?"
    return """
      No schedule tested \(isOne ? "this \(noun), so it proves" : "these \(noun)s, so they prove") nothing:

        \(lines.joined(separator: "\n  "))

      The exploration: \(result). Let the script lead there, or remove \(isOne ? "it" : "them"). \(furtherSchedules(result))\(namesID ? hint : "")
      """
  }

  private static func cut(_ result: Exploration) -> String {
    let isOne = result.schedules == 1
    let all = isOne ? "the one schedule was" : "all \(Exploration.count(result.schedules, "schedule")) were"
    return "\(all) cut at \(result.limits.joined(separator: " or "))"
  }

  static func unmet(_ fault: Exploration.Fault, _ schedules: Int) -> String {
    """
    `\(fault)` could not be injected: no run of \(fault.id) was started in \(Exploration.count(schedules, "schedule")).

    Is that the id the reducer gives, with the scope it lies in (`EffectID("load").scoped(by: "feed")`), and does the script \
    lead to such a run?
    """
  }

  /// A step of a script that sends an action, as code. If that is not possible it is a comment, so that the rest
  /// compiles.
  static func scripted(_ action: any Sendable) -> String {
    code(action).map { "script.send(\($0))" }
      ?? "// script.send: \(brief(action).split(whereSeparator: \.isNewline).joined(separator: " "))"
  }

  /// Likewise a step that cancels ids.
  static func scripted(_ ids: Set<EffectID>) -> String {
    let codes = ids.map(argument)
    if codes.contains(nil) { return "// script.cancel: \(idList(ids))" }
    return "script.cancel(\(codes.compactMap(\.self).sorted().joined(separator: ", ")))"
  }

  /// Likewise a step that lets time pass.
  static func scripted(_ duration: Duration) -> String { "script.advance(by: \(SwiftLiteral.duration(duration)))" }

  /// Ids as they are written in a call, in the order of their texts.
  static func idList(_ ids: Set<EffectID>) -> String {
    ids.map { code($0) ?? "\($0)" }.sorted().joined(separator: ", ")
  }

  static func unmatchedCancel(_ ids: String, _ schedules: Int) -> String {
    """
    `cancel(\(ids))` of the script matched nothing in \(Exploration.count(schedules, "schedule")).

    Is that the id the reducer gives, with the scope it lies in (`EffectID("load").scoped(by: "feed")`), and does the script \
    lead to such a run before?
    """
  }

  static func unstruck(_ fault: Exploration.Fault, _ schedules: Int) -> String {
    "`\(fault)` was not injected into any run in \(Exploration.count(schedules, "schedule")): \(reason(fault, "no run"))"
  }

  /// Why a fault that was chosen for runs was not injected into them, and what to do.
  private static func reason(_ fault: Exploration.Fault, _ runs: String) -> String {
    switch fault.kind {
    case .duplicate:
      "\(runs) of \(fault.id) sends an action that is taken. Remove the fault, or let such a run send an action."
    case .cancel(let number) where number > 1:
      """
      \(runs) of \(fault.id) suspends \(number) times before it returns, is cancelled or is replaced. Write a smaller number, or \
      remove the fault.
      """
    default: "\(runs) of \(fault.id) suspends before it returns, is cancelled or is replaced. Remove the fault."
    }
  }

  /// `chosen` is the number of a fault that the seed has chosen for a run.
  static func unstruck(_ faults: Exploration.Faults, chosen: Int?, _ schedules: Int) -> String {
    if let chosen {
      return """
        `faults: \(faults)` was not injected into any run in \(Exploration.count(schedules, "schedule")): \
        \(reason(faults.all[chosen], "no selected run")) Or try another seed.
        """
    }
    return """
      `faults: \(faults)` was not injected into any run: the seed selects the runs, and it selected none of those that were \
      started. Try another seed\(faults.chance.map { $0.oneIn > 1 } == true ? ", or a smaller `oneIn`" : "").
      """
  }

  static let secondStore = """
    The body makes more than one store, and a schedule plays one: call `schedule.store` once, with a feature that holds \
    the others (`Scope`), or explore each by itself.
    """

  static let noStore = "The body makes no store, so nothing was explored: call `schedule.store` in it."

  static func noBudget(_ budget: String) -> String {
    """
    `budget: \(budget)` lets no schedule be run, so nothing was explored. Leave it out (the default is `.schedules(10_000)`), or \
    write a larger one.
    """
  }

  static func noSteps(_ steps: Int) -> String {
    """
    `options: .init(steps: \(steps))` cuts every schedule before anything has happened, so nothing was explored. Leave it out (the \
    default is 1,000), or write 1 or more.
    """
  }

  static func noDeadlines(_ deadlines: Int) -> String {
    """
    `options: .init(deadlines: \(deadlines))` cuts every schedule before anything has happened, so nothing was explored. Leave it out \
    (the default is 20), or write 0 or more.
    """
  }

  static func noFaults(_ faults: Exploration.Faults) -> String {
    "`faults: \(faults)` injects no fault. Allow at least one, or write `.none`."
  }

  static func noLog(_ directory: String) -> String {
    "`EFFECTS_EXPLORE_LOG` asks for schedules to be written to `\(directory)`, and no file can be made there."
  }

  /// A failure of a schedule that an earlier run has saved.
  static func saved(_ text: String, in path: String) -> String {
    text + "\n\nAn earlier run has saved this schedule in `\(path)`, so it was run first. There was no search."
  }

  static func outdated(_ schedule: String, in path: String) -> String {
    "`\(schedule)`, which an earlier run has saved, does not fit the code any more. It was removed from `\(path)`."
  }

  static func notSaved(in path: String) -> String {
    "`EFFECTS_EXPLORE_FAILURES` is set, so that failing schedules are saved, and `\(path)` cannot be written."
  }

  static func uncontrolled(_ text: String) -> String {
    """
    Uncontrolled nondeterminism: \(text).

    One schedule must always have the same result. Here the result depends on something that the explorer does not \
    choose: the time of day, a random number, the order of a set, or state that one schedule leaves to the next. Make it \
    a dependency. Make mocks that have state inside the body of `explore`: then each schedule has its own.
    """
  }

  static func parting(_ run: TraceRun?, _ first: String?, _ second: String?, of schedule: String) -> String {
    let who = run.map { " in \($0.description) at \($0.description.site)" } ?? ""
    return """
      one schedule, run twice, differs\(who)
        first:  \(first ?? "nothing more")
        second: \(second ?? "nothing more")
        schedule: `\(schedule)`
      """
  }

  static func noSchedule(_ text: String, _ stranger: Substring) -> String {
    """
    `\(stranger)` in `replaying: "\(text)"` is not a step of a schedule. Steps are `u`, `d`, `e0`, `h0`, `r0`, `t0`, \
    `c0` and `s`, some with another number, separated by spaces. A level such as `answers:` may come first. Copy the whole text \
    behind `replaying:` from a failure.
    """
  }

  static let emptySchedule = """
    `replaying:` names no step, so a schedule was run that you did not choose. Copy a schedule from the text of a failure, \
    or leave `replaying:` out to search.
    """

  static func unplayed(_ steps: [ScheduleStep], _ number: Int, _ limits: [String]) -> String {
    guard limits.isEmpty else {
      return """
        The schedule was cut at \(limits.joined(separator: " or ")), before its step \(number + 1), `\(steps[number])`. Give \
        the call the limits of the one that found it.
        """
    }
    return """
      The schedule does not fit: nothing can happen any more before its step \(number + 1), `\(steps[number])`.

      \(staleSchedule)
      """
  }

  private static let staleSchedule = """
    If you have fixed the bug, this is expected: remove `replaying:`. If not, the code, the script or `faults:` is not the same as when \
    the schedule was found. Copy all arguments from the failure, or leave `replaying:` out to search again.
    """

  static func misfit(_ steps: [ScheduleStep], _ misfit: (position: Int, possible: [ScheduleStep])) -> String {
    """
    The schedule does not fit: step \(misfit.position + 1), `\(steps[misfit.position])`, is not possible. Possible are \
    `\(ScheduleStep.text(of: misfit.possible))`.

    \(staleSchedule)
    """
  }

  /// A schedule has ended, and a run waits for an answer that nothing gives.
  static func unanswered(_ run: String, _ answer: AwaitedAnswer?) -> String {
    """
    At the end of a schedule a run waits for an answer that nothing gives:

      \(run): waits for \(answer?.text ?? "an answer of a mock")

    In `explore` the test cannot answer. Let the mock answer by itself: \(answer?.answering ?? "`Mock(answering:)`"). If the \
    run may wait for ever, name its id in the requirements, for example `requiring: [.noDeadlock(except: "load")]`.
    """
  }

  /// What to do about a missing child if the script has sent the action.
  static let scriptOfMissingChild = """


    If a user can only do it while the child is shown, let the script send it only then, with a condition on the state: \
    `script.send(anyOf: [.sheet(.closeTapped)], upTo: 1) { (state: Cart.State, _) in state.sheet != nil }`.
    """
}
