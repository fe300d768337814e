// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private struct Offline: Error {}
private struct Refused: Error {}
private struct Code: Hashable { let number: Int }
private enum Rejected: Error { case with(Any.Type), code(Code) }

@Suite struct EffectOutcomeTests {
  private let all: [EffectOutcome] = [
    .finished, .handled(Offline()), .failed(Offline()), .cancelled(.byEffect), .dropped,
  ]

  @Test func `A run ends by itself when it finishes or its catch handles its error, and the error is kept (E5, S1)`() {
    #expect(all.map(\.isFinished) == [true, true, false, false, false])
    #expect(all.map { $0.error is Offline } == [false, true, true, false, false])
    #expect(
      all.map { "\($0)" } == ["finished", "handled: Offline()", "failed: Offline()", "cancelled: byEffect", "dropped"])
  }

  @Test func `The text of an error contains no address, whether a catch handled it or not (E5, S1)`() {
    func outcomes(_ error: any Error) -> [String] { [EffectOutcome.handled(error), .failed(error)].map { "\($0)" } }
    for error in [Rejected.with(Code.self), .code(Code(number: 1))] {
      for text in outcomes(error) { #expect(!text.contains("unknown context at"), "\(text)") }
    }
  }

  @Test func `Outcomes are equal if they are of one kind and their errors are equal (S1)`() {
    for (left, outcome) in all.enumerated() {
      for (right, other) in all.enumerated() { #expect((outcome == other) == (left == right)) }
    }
    #expect(EffectOutcome.handled(Offline()) != .handled(Refused()))
  }

  @Test func `A store distinguishes a handled error from work without errors, in request and trace (E5, L3, V1)`()
    async throws
  {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += 1
        return action == 1
          ? .run(id: "load", overlap: .restart) { _ in
            throw Offline()
          } catch: { _, send in
            send(2)
          } : .none
      })
    let log = store.trace.log()
    let outcomes = try await store.request(1) { _, outcomes in outcomes.map { $0.outcome } }
    #expect(outcomes == [.handled(Offline())])
    #expect(await store.state == 2)
    let ends = log.events.compactMap { event in
      if case .run(_, .ended(let outcome)) = event.kind { outcome } else { nil }
    }
    #expect(ends == [.handled(Offline())])
  }
}
