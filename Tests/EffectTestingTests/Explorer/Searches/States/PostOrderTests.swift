// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// Orders in which a job, or an action of the script, comes before a message that waits, and that makes a difference.
struct PostOrderTests {
  enum Action: Hashable, Sendable { case start, lock, arm, open, sent, again, first, second, began, progress, due }

  private func explore(
    _ search: Exploration.Search, faults: Exploration.Faults = .none,
    requiring requirements: [Exploration.Requirement<[Action]>] = [],
    _ effect: @escaping @Sendable ([Action], Action) -> Effect<Action>,
    script write: (Exploration.Script<Action>) -> Void
  ) async -> (ends: Set<[Action]>, text: String?, result: Exploration) {
    var ends: Set<[Action]> = []
    let search = await SearchInTest(search, budget: 40_000, faults: faults) { schedule in
      schedule.sharesNothing()
      write(
        schedule.store(
          initialState: [],
          reducer: Reduce<[Action], Action> { state, action in
            state.append(action)
            return effect(state, action)
          }, requiring: requirements,
          finally: { state in
            ends.insert(state)
            return true
          }))
    }
    return (ends, search.text, search.result)
  }

  @Test func `An action of a run comes before one that the script sends only in some states`() async {
    func ends(_ search: Exploration.Search) async -> Set<[Action]> {
      let found = await explore(search) { _, action in
        action == .start ? .run { send in send(.arm) } : .none
      } script: { script in
        script.send(.start)
        script.send(.lock)
        script.send(anyOf: [.open], upTo: 1, where: { (state: [Action], _: Action) in !state.contains(.lock) })
      }
      return found.ends
    }
    let all = await ends(.full(.deliveries))
    #expect(all.contains([.start, .lock, .arm, .open]))
    #expect(await ends(.states(.deliveries)) == all)
  }

  @Test func `A requirement sees that a run has sent before its cancel was reduced`() async {
    for search in [Exploration.Search.full(.deliveries), .states(.deliveries)] {
      let found = await explore(search, requiring: [.nothingDropped]) { _, action in
        guard action == .start else { return .none }
        return .run(id: "a", overlap: .drop) { send in
          if !Task.isCancelled { send(.sent) }
        }
      } script: { script in
        script.send(.start)
        script.cancel("a")
      }
      #expect(found.text != nil, "\(found.result)")
    }
  }

  @Test func `A fault cancels a run before a message that waits is reduced`() async {
    func ends(_ search: Exploration.Search) async -> Set<[Action]> {
      let found = await explore(search, faults: .anyOne(of: .cancel("a"))) { state, action in
        switch action {
        case .start:
          .run { send in
            send(.began)
            send(.again)
          }
        case .began, .again:
          .run(id: "a", overlap: .drop) { send in
            try await send.sleep(for: .seconds(1))
            send(action == .began ? .first : .second)
          }
        default: .none
        }
      } script: { script in
        script.send(.start)
      }
      return found.ends
    }
    let all = await ends(.full(.deliveries))
    #expect(all.contains([.start, .began, .again, .second]))
    #expect(await ends(.states(.deliveries)) == all)
  }

  @Test func `A closure that keeps its slot may return before its cancel is reduced`() async {
    func ends(_ search: Exploration.Search) async -> Set<[Action]> {
      let found = await explore(search) { _, action in
        switch action {
        case .start, .again:
          .merge(
            .run(id: "a", overlap: .restart(exclusive: true)) { send in
              send(.began)
              try? await send.sleep(for: .seconds(1))
              if Task.isCancelled {
                await Task { try? await send.sleep(for: .seconds(5)) }.value
              } else {
                send(.progress)
              }
            }, action == .start ? .send(.due).delay(for: .seconds(3)) : .none)
        default: .none
        }
      } script: { script in
        script.send(.start)
        script.send(.again)
      }
      return found.ends
    }
    let all = await ends(.full(.deliveries))
    #expect(all.contains([.start, .began, .again, .began, .progress, .due]))
    #expect(await ends(.states(.deliveries)) == all)
  }
}
