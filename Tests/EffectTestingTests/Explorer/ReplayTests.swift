// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A failure's line leads to the same failure again, whatever it was found with.
struct ReplayTests {
  /// Two saves through an actor: a job with several hops, and a promise that breaks whichever comes first.
  private func saving(_ schedule: Exploration.Schedule) {
    let number = Shared(0)
    let run = schedule.store(
      initialState: 0,
      reducer: Planted<Int, Int> { [disk = Disk(number)] state, action in
        state += action
        guard action == 0 else { return .none }
        let save = Effect<Int>.run(id: "save") { send in
          await disk.set(disk.get() + 1)
          send(await disk.get())
        }
        return .merge(save, save)
      }, always: { $0 < 3 })
    run.send(0)
  }

  @Test(arguments: [Exploration.Grain.descend, .everyJob], [Exploration.Delivery.anyTime, .eager])
  func `A failure replays exactly, at whatever grain it was found`(
    grain: Exploration.Grain, delivery: Exploration.Delivery
  ) async throws {
    let found = await Account(search: .depthFirst(grain), delivery: delivery, saving)
    let line = try #require(found.result.failure)
    #expect(line.hasPrefix("descend: ") == (grain == .descend))
    let replayed = await Account(delivery: delivery, replaying: line, saving)
    #expect(replayed.result.failure == line)
    // All but how it was found.
    let first = try #require(found.text?.split(separator: "State:").dropFirst().joined())
    #expect(replayed.text?.hasSuffix(first) == true)
  }

  @Test func `A line says what else of the call it needs`() async {
    let plain = await Account(search: .depthFirst(.everyJob), saving)
    #expect(plain.text?.contains("explore(…, replaying: \"u d ") == true)
    let other = await Account(
      search: .depthFirst(.descend), delivery: .eager, faults: .anyOne(of: .delay("save", by: .seconds(1))), saving)
    #expect(
      other.text?.contains(
        "explore(…, delivery: .eager, faults: .anyOne(of: .delay(\"save\", by: .seconds(1))), replaying: \"descend: u ")
        == true, "\(other.text ?? "")")
  }

  @Test func `A grain is read as it is written, and stands first`() {
    #expect(ScheduleStep.text(of: [ScheduleStep(kind: .script)], at: .descend) == "descend: u")
    #expect(ScheduleStep.schedule(in: "descend: u e1").grain == .descend)
    #expect(ScheduleStep.schedule(in: "u e1").grain == .everyJob)
    #expect(ScheduleStep.schedule(in: "everyJob: u e1").steps?.count == 2)
    #expect(ScheduleStep.schedule(in: "u descend: e1").stranger == "descend:")
  }
}
