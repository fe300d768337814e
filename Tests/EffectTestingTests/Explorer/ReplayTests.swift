// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The line of a failure replays the same failure, with any settings that it was found with.
struct ReplayTests {
  /// Two saves through an actor: a job with several hops, and a property that either save can violate first.
  private func saving(_ schedule: Exploration.Schedule) {
    let number = Shared(0)
    let run = schedule.store(
      initialState: 0,
      reducer: Planted<Int, Int> { [disk = Disk(number)] state, action in
        state += action
        guard action == 0 else { return .none }
        let save = Effect<Int>.run(id: "save", overlap: .concurrent) { send in
          await disk.set(disk.get() + 1)
          send(await disk.get())
        }
        return .merge(save, save)
      }, always: { $0 < 3 })
    run.send(0)
  }

  @Test(arguments: Exploration.Level.allCases)
  func `A failure replays exactly, at whatever level it was found`(level: Exploration.Level) async throws {
    let found = await Account(search: .full(level), saving)
    let line = try #require(found.result.failure)
    #expect(line.hasPrefix("\(level): ") == (level != .steps))
    let replayed = await Account(replaying: line, saving)
    #expect(replayed.result.failure == line)
    // All except the way it was found.
    let first = try #require(found.text?.split(separator: "State:").dropFirst().joined())
    #expect(replayed.text?.hasSuffix(first) == true)
  }

  @Test func `A line contains the other arguments that the call needs`() async {
    let plain = await Account(search: .full(.steps), saving)
    #expect(plain.text?.contains("explore(…, replaying: \"u d ") == true)
    let other = await Account(search: .full(.timers), faults: .anyOne(of: .delay("save", by: .seconds(1))), saving)
    #expect(
      other.text?.contains(
        "explore(…, faults: .anyOne(of: .delay(\"save\", by: .seconds(1))), replaying: \"timers: u "
      )
        == true, "\(other.text ?? "")")
  }

  @Test(arguments: ["", " ", "deliveries:"]) func `A replay of no step fails`(schedule: String) async {
    let account = await Account(replaying: schedule) { schedule in
      schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }).send(1)
    }
    #expect(
      account.text == """
        `replaying:` names no step, so a schedule was run that you did not choose. Copy a schedule from the text of a \
        failure, or leave `replaying:` out to search.
        """)
    #expect(account.result.failure == "")
  }

  /// Sends the given number of actions.
  private func sending(_ count: Int, _ schedule: Exploration.Schedule) {
    let run = schedule.store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += action
        return .none
      }, finally: { $0 != 3 })
    for _ in 0..<count { run.send(1) }
  }

  @Test func `A replay that ends before its last step reports it`() async throws {
    let found = await Account(search: .full(.deliveries)) { sending(3, $0) }
    #expect(found.result.failure != nil)
    let fewer = await Account(replaying: "deliveries: u d u d u d") { sending(2, $0) }
    #expect(
      fewer.text == """
        The schedule does not fit: nothing can happen any more before its step 5, `u`.

        If you have fixed the bug, this is expected: remove `replaying:`. If not, the code, the script or `faults:` is not the same as when the schedule was found. Copy all arguments from the failure, or leave `replaying:` out to search again.
        """)
    #expect(fewer.result.failure == "deliveries: u d u d")
    // Steps after the last possible one may be left out.
    let shortened = await Account(replaying: "deliveries: u d u d s s") { sending(2, $0) }
    #expect(shortened.text == nil)
  }

  @Test func `A replay that is cut before its last step, or before the end that it checks, reports it`() async {
    let found = await Account(search: .full(.deliveries), steps: 1_500, deadlines: 30) { sending(3, $0) }
    let call = "explore(…, options: .init(steps: 1500, deadlines: 30), replaying: \"deliveries: u "
    #expect(found.text?.contains(call) == true, "\(found.text ?? "")")
    let cut = await Account(steps: 4, replaying: "deliveries: u d u d u d") { sending(3, $0) }
    #expect(
      cut.text == """
        The schedule was cut at 4 steps, before its step 5, `u`. Give the call the limits of the one that found it.
        """)
    let unseen = await Account(steps: 4, replaying: "deliveries: u d u") { sending(3, $0) }
    #expect(unseen.text?.hasPrefix("`finally:`, or a requirement about the end, was never checked, because") == true)
    let never = await Account(steps: 2, replaying: "deliveries: u") { schedule in
      let run = schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }, eventually: { $0 > 0 })
      for _ in 0..<3 { run.send(1) }
    }
    #expect(never.text?.hasPrefix("`eventually` has never held, and no schedule reached its end: the one ") == true)
    let none = await Account(steps: 0, replaying: "deliveries: u d u") { sending(3, $0) }
    #expect(none.text?.hasPrefix("`options: .init(steps: 0)` cuts every schedule") == true)
  }

  @Test func `A level is read as it is written, and comes first`() {
    #expect(ScheduleStep.text(of: [ScheduleStep(kind: .script)], at: .deliveries) == "deliveries: u")
    #expect(ScheduleStep.schedule(in: "deliveries: u e1").level == .deliveries)
    #expect(ScheduleStep.schedule(in: "u e1").level == .steps)
    #expect(ScheduleStep.schedule(in: "steps: u e1").steps?.count == 2)
    #expect(ScheduleStep.schedule(in: "u deliveries: e1").stranger == "deliveries:")
  }
}
