// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct PolicyVectorTests {
  @Test func `Every vector of the overlap table holds, every step and field (O1, O2, O3)`() throws {
    let vectors = try PolicyVector.all()
    #expect(!vectors.isEmpty)
    // The oracle also has shared runs that keep their slot. Here a run is shared or exclusive, not both.
    let expressible = vectors.filter { !($0.policy.overflow == "join" && $0.policy.exclusive) }
    #expect(expressible.count > vectors.count * 4 / 5)
    for vector in expressible { try replay(vector) }
  }

  /// Drives the scheduler through one vector, each start being a dispatch of its own.
  private func replay(_ vector: PolicyVector) throws {
    let id: EffectID = "policy"
    let harness = SchedulerHarness()
    /// Every overlap has a limit; a start without one repeats the limit that applies.
    var limit = vector.policy.limit
    var dispatches: [String: UInt64] = [:]
    /// Which run each joiner has joined, to cancel the run as a whole: cancelling the dispatch alone would only detach
    /// it.
    var joiners: [String: [String]] = [:]

    for (number, step) in vector.steps.enumerated() {
      let run = step.run ?? ""
      var joined: String?
      switch step.op {
      case "start":
        limit = step.limit ?? limit
        let overlap = try vector.policy.overlap(limit: limit)
        dispatches[run] = harness.perform { $0.run(run, id: id, overlap: overlap, input: step.input) }
        joined = harness.sharedRun(ofDispatch: harness.latestDispatch)
        if let joined { joiners[joined, default: []].append(run) }
      case "end":
        harness.end(run)
      case "cancelOne":
        for owner in [run] + (joiners[run] ?? []) {
          guard let dispatch = dispatches[owner] else { throw PolicyVector.Unknown(text: "run \(owner)") }
          harness.cancelDispatch(dispatch)
        }
      case "cancel":
        harness.perform { _ in .cancel(id: id) }
      default:
        throw PolicyVector.Unknown(text: "op \(step.op)")
      }

      let outcome = outcome(of: harness, id: id, joined: joined, run: run)
      guard outcome == step.expect else {
        // The steps after a wrong step prove nothing.
        Issue.record("\(vector.name), step \(number), \(step.op) \(run): \(outcome), expected \(step.expect)")
        return
      }
    }

    while let run = harness.executing.first { harness.end(run) }
    harness.expectEmpty("\(vector.name)")
  }

  private func outcome(
    of harness: SchedulerHarness, id: EffectID, joined: String?, run: String
  ) -> PolicyVector.Outcome {
    let events = harness.takeEvents()
    let members = harness.members(of: id)
    return PolicyVector.Outcome(
      started: events.compactMap { if case .started(let name) = $0 { name } else { nil } },
      cancelled: events.compactMap { if case .cancelled(let name) = $0 { name } else { nil } },
      // The operation of a run that joined is released as well, and was not dropped.
      dropped: harness.takeDropped().filter { joined == nil || $0 != run }, joined: joined,
      running: members.running, queued: members.queued, cancelling: members.cancelling)
  }
}
