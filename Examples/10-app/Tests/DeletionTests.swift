// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import app

/// Something is removed while its work is active. All orders of sends, answers and deliveries are tried.
@Suite struct `Removal while work is in flight` {
  private static let two = Library.State(rows: Library.State.two, order: [1, 2])

  /// There are no rows except those of the list: a deleted row does not come back.
  private static func hasNoGhost(_ state: Library.State) -> Bool { Set(state.order) == Set(state.rows.keys) }

  // MARK: - Rows

  private static func deleteWhileRating(_ script: Exploration.Script<Library.Action>) {
    script.send(.row(1, .appeared))
    script.send(.row(2, .appeared))
    script.send(.deleteTapped(2))
  }

  @Test func `No answer ever reaches a deleted row (M2, M3, E1)`() async {
    let result = await explore(
      initialState: Self.two, reducer: Library(kitchen: .open), requiring: [.nothingRunsAtTheEnd]
    ) { script in
      Self.deleteWhileRating(script)
    } always: {
      Self.hasNoGhost($0)
    } finally: {
      $0.rows[1]?.rating == 3
    }
    #expect("\(result)" == "complete: answers (9 states), timers (9 states), deliveries (22 states), steps (47 states)")
  }

  @Test func `The naive list shows a ghost, and the exploration shows how`() async {
    let failures = await reportedFailures {
      let result = await explore(initialState: Self.two, reducer: NaiveLibrary(kitchen: .open)) { script in
        Self.deleteWhileRating(script)
      } always: {
        Self.hasNoGhost($0)
      }
      #expect(result.failure == "u u u d e0 d d e0 d")
    }
    #expect(
      failures.count == 1
        && failures[0].contains(
          #"2: State(id: 2, title: "?", rating: 4)]"#)
    )
  }

  @MainActor @Test func `The naive list loses one rating, and creates the deleted row again, in a store as well`() async
  {
    #expect(await listAfterDeletion(NaiveLibrary(kitchen: .onMain)) == ["Borscht not rated", "? 4"])
    #expect(await listAfterDeletion(Library(kitchen: .onMain)) == ["Borscht 3"])
  }

  // MARK: - The sheet, the detail

  @Test func `No answer reaches a detail that was closed, or the sheet in it (M2, M3, E1)`() async {
    let result = await explore(
      initialState: Self.two, reducer: Library(kitchen: .open), requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.openTapped(1))
      script.send(.detail(.shareTapped))
      script.send(.detail(.share(.sendTapped)))
      script.send(.closeTapped)
    } finally: {
      $0.detail == nil
    }
    #expect(
      "\(result)" == "complete: answers (10 states), timers (10 states), deliveries (37 states), steps (125 states)")
  }

  @Test func `No answer reaches a detail that another one has replaced, not even of a queued load (M2, M3, E1)`() async
  {
    let result = await explore(
      initialState: Self.two, reducer: Library(kitchen: .open), requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.openTapped(1))
      script.send(.detail(.appeared))
      script.send(.openTapped(2))
    } always: { state in
      state.detail.map { $0.steps.isEmpty || $0.steps == ["Cook \($0.id)."] } ?? true
    } finally: {
      $0.detail?.steps == ["Cook 2."]
    }
    #expect("\(result)" == "complete: answers (9 states), timers (9 states), deliveries (29 states), steps (45 states)")
  }

  @Test func `A sheet that closes itself does not affect the detail's work (M2, M3, E1)`() async {
    var open = Detail.State(id: 2, title: "Carrot cake")
    open.share = Share.State(recipe: 2)
    let result = await explore(
      initialState: open, reducer: Detail(kitchen: .open), requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.share(.sendTapped))
      script.send(.appeared)
      script.send(.appeared)
    } finally: {
      $0.share == nil && $0.link == "2/" && $0.steps == ["Cook 2."]
    }
    #expect(
      "\(result)" == "complete: answers (13 states), timers (13 states), deliveries (40 states), steps (138 states)")
  }
}
