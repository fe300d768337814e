// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What goes wrong on purpose, together with every order.
struct FaultTests {
  private struct State: Equatable {
    var isLoading = false
    var loaded = 0
    var hasFailed = false
  }

  private enum Action: Sendable { case load, loaded, failed }

  private func feature(
    catches: Bool = true, timeout: Duration? = nil, counts: Bool = false
  ) -> Planted<State, Action> {
    Planted { state, action in
      switch action {
      case .load:
        state.isLoading = true
        let load = Effect<Action>.run(id: "load", overlap: .restart) { send in
          send(.loaded)
        } catch: { _, send in
          if catches { send(.failed) }
        }
        return timeout.map { load.timeout(after: $0) } ?? load
      case .loaded:
        state.isLoading = false
        state.loaded = counts ? state.loaded + 1 : 1
        return .none
      case .failed:
        state.isLoading = false
        state.hasFailed = true
        return .none
      }
    }
  }

  private func account(
    _ reducer: Planted<State, Action>, _ faults: Exploration.Faults, finally: @escaping (State) -> Bool
  ) async -> Exploration {
    await Account(search: .depthFirst(.descend), faults: faults) { schedule in
      schedule.store(initialState: State(), reducer: reducer, finally: finally).send(.load)
    }.result
  }

  @Test func `A run that fails goes to its catch, and a flag that stays behind is found`() async {
    var seen: Set<Bool> = []
    let mended = await account(feature(), .anyOne(of: .fail("load"))) { state in
      seen.insert(state.hasFailed)
      return !state.isLoading
    }
    #expect("\(mended)" == "complete at grain descend: 2 schedules")
    #expect(seen == [false, true])
    let bug = await account(feature(catches: false), .anyOne(of: .fail("load"))) { !$0.isLoading }
    #expect(bug.failure == "descend: u d c1 e0 e0")
  }

  @Test func `A run that hangs needs a time limit`() async {
    let bug = await account(feature(), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(bug.failure == "descend: u d c1 e0")
    let mended = await account(feature(timeout: .seconds(5)), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(mended.completeGrain == .descend)
  }

  @Test func `A run that is delayed meets its time limit, or not`() async {
    for (delay, fails) in [(Duration.seconds(1), [false, true]), (.seconds(9), [true])] {
      var seen: Set<Bool> = []
      _ = await account(feature(timeout: .seconds(5)), .anyOne(of: .delay("load", by: delay))) { state in
        seen.insert(state.hasFailed)
        return true
      }
      #expect(seen.isSuperset(of: fails))
    }
  }

  @Test func `An action that comes twice is reduced twice`() async {
    let bug = await account(feature(counts: true), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(bug.failure == "descend: u d c1 e0 d d")
    let mended = await account(feature(), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(mended.completeGrain == .descend)
  }

  @Test func `At most one fault strikes a schedule, and each run of the id is struck in some`() async {
    var counts: [Int] = []
    let result = await Account(
      search: .depthFirst(.descend), delivery: .eager, faults: .anyOne(of: .fail("x"), .hang("x"))
    ) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          if action == 0 {
            return .merge(
              [1, 2].map { _ in
                .run(id: "x", overlap: .concurrent) {
                  $0(1)
                } catch: { _, send in
                  send(10)
                }
              })
          }
          state += action
          return .none
        },
        finally: { total in
          counts.append(total)
          return true
        })
      run.send(0)
    }.result
    #expect(result.completeGrain == .descend)
    #expect(Set(counts) == [2, 11, 1])
  }

  // MARK: - Which, and how many

  /// Two runs of one id that each add one, or ten when they fail.
  private func adding(
    _ faults: Exploration.Faults, search: Exploration.Search = .depthFirst(.descend)
  ) async -> (result: Exploration, totals: [Int]) {
    var totals: [Int] = []
    let result = await Account(search: search, delivery: .eager, faults: faults) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          let add = Effect<Int>.run(id: "x", overlap: .concurrent) {
            $0(1)
          } catch: { _, send in
            send(10)
          }
          return .merge(add, add)
        },
        finally: { total in
          totals.append(total)
          return true
        })
      run.send(0)
    }.result
    return (result, totals)
  }

  @Test func `As many faults strike a schedule as may`() async {
    #expect(await Set(adding(.anyOne(of: .fail("x"))).totals) == [2, 11])
    let two = await adding(.any(2, of: .fail("x")))
    #expect(Set(two.totals) == [2, 11, 20])
    #expect(two.result.completeGrain == .descend)
  }

  @Test func `A seed strikes the same runs in every schedule, and is no choice`() async {
    let none = await adding(.none)
    var seen: Set<Int> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let (result, totals) = await adding(.seeded(seed, of: .fail("x")))
      let first = Set(totals)
      #expect(first.count == 1)
      #expect(await adding(.seeded(seed, of: .fail("x"))).totals == totals)
      if first == [2] { #expect(result.completeCount == none.result.completeCount) }
      seen.formUnion(first)
    }
    #expect(seen == [2, 11, 20])
    #expect(await Set(adding(.seeded(1, oneIn: 1, of: .fail("x"))).totals) == [20])
  }

  @Test func `A fault is written as in code`() {
    let faults: [Exploration.Faults] = [
      .none, .anyOne(of: .hang("x"), .duplicate("y")), .any(2, of: .cancel("x", atSuspension: 3)),
      .seeded(7, oneIn: 4, of: .fail("x"), .fail("y", with: Outage())),
    ]
    #expect(
      faults.map(\.description) == [
        ".none", ".anyOne(of: .hang(\"x\"), .duplicate(\"y\"))", ".any(2, of: .cancel(\"x\", atSuspension: 3))",
        ".seeded(7, oneIn: 4, of: .fail(\"x\"), .fail(\"y\", with: Outage()))",
      ])
  }

  // MARK: - Cancelled at a suspension

  /// Sends 1, 2, 3 and 4, in between by way of an actor, a yield and a sleep: three suspensions at least.
  private func stages(_ number: Int, _ grain: Exploration.Grain) async -> (Set<[Int]>, Exploration) {
    var seen: Set<[Int]> = []
    let disk = Disk(Shared(0))
    let result = await Account(
      search: .depthFirst(grain), delivery: .eager, faults: .anyOne(of: .cancel("x", atSuspension: number))
    ) { schedule in
      let run = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          state.append(action)
          guard action == 0 else { return .none }
          return .run(id: "x", overlap: .concurrent) { send in
            send(1)
            await Task.yield()
            send(2)
            try await send.sleep(for: .seconds(1))
            send(3)
            await disk.increment()
            send(4)
          }
        },
        finally: { state in
          seen.insert(state)
          return true
        })
      run.send(0)
    }.result
    return (seen, result)
  }

  @Test(arguments: [Exploration.Grain.descend, .everyJob])
  func `A run is cancelled at its n-th suspension, at every grain (E1) (E4)`(grain: Exploration.Grain) async {
    let whole = [0, 1, 2, 3, 4]
    // What it has sent and nobody has taken goes with it: at `descend` both, for the yield ends no step.
    for (number, rest) in [(1, [0]), (2, grain == .descend ? [0] : [0, 1])] {
      let (seen, result) = await stages(number, grain)
      #expect(result.failure == nil && result.completeGrain == grain)
      #expect(seen == [whole, rest])
    }
    #expect(await stages(100, grain).0 == [whole])
  }

  @Test func `A flag that a cancel leaves behind is found by a cancel at a suspension`() async {
    for isMended in [false, true] {
      let account = await Account(faults: .anyOne(of: .cancel("load"))) { schedule in
        let run = schedule.store(
          initialState: false,
          reducer: Planted<Bool, String> { state, action in
            state = action == "load"
            guard state else { return .none }
            let load = Effect<String>.run(id: "load", overlap: .concurrent) { send in
              try await send.sleep(for: .seconds(1))
              send("loaded")
            }
            return isMended ? .concatenate(load, .send("over")) : load
          }, finally: { !$0 })
        run.send("load")
      }
      #expect(account.result.failure == (isMended ? nil : "u d c1 e0 e0"))
      #expect(account.result.completeGrain == (isMended ? .everyJob : nil))
    }
  }

  @Test func `A fault that can strike nobody fails, and says how an id is found`() async {
    let account = await Account(
      search: .depthFirst(.descend), faults: .anyOne(of: .fail("load"), .hang("laod")), loading)
    #expect(
      account.text == """
        `.hang("laod")` could strike nobody: no run of "laod" was started in \(account.result.schedules) schedules.

        Is that the id the reducer gives, with the scope it lies in (`EffectID("load").scoped(by: "feed")`), and does the \
        script lead to such a run?
        """)
    let met = await Account(
      search: .depthFirst(.descend), faults: .anyOne(of: .fail("load"), .hang("load")), loading)
    #expect(met.text == nil && met.result.completeGrain == .descend)
    let replayed = await Account(faults: .anyOne(of: .hang("laod")), replaying: "u d e0 d", loading)
    #expect(replayed.text == nil, "one schedule need not have such a run")
  }

  @Test(arguments: [Exploration.Search.random(), .standard])
  func `A fault that can strike nobody fails, also where the search does not come to its end`(
    search: Exploration.Search
  ) async {
    let account = await Account(schedules: 1, search: search, faults: .anyOne(of: .hang("laod")), loading)
    #expect(account.text?.hasPrefix("`.hang(\"laod\")` could strike nobody: ") == true)
  }

  @Test func `A seed that spares all runs fails`() async {
    var spared = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let account = await Account(search: .depthFirst(.descend), faults: .seeded(seed, of: .fail("load"))) { schedule in
        let run = schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { _, action in
            action > 0
              ? .none
              : .run(id: "load", overlap: .concurrent) { _ in
              } catch: { _, send in
                send(1)
              }
          })
        run.send(0)
      }
      guard let text = account.text else { continue }
      spared += 1
      #expect(
        text == """
          `faults: .seeded(\(seed), oneIn: 2, of: .fail("load"))` struck nobody: whom it strikes follows from the seed, and it \
          spares all runs that were started. Try another seed, or a smaller `oneIn`.
          """)
    }
    #expect(spared > 0 && spared < 20)
  }

  @Test func `What a stream sends comes twice as well, and of who sends nothing nothing does`() async {
    var totals: Set<Int> = []
    let stream = await Account(
      search: .depthFirst(.descend), delivery: .eager, faults: .anyOne(of: .duplicate("feed")), deadlines: 4
    ) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          return action > 0 ? .none : .timer(id: "feed", overlap: .restart, every: .seconds(1)) { _ in 1 }
        },
        finally: { total in
          totals.insert(total)
          return true
        })
      run.send(0)
      run.advance(by: .seconds(2))
      run.cancel("feed")
    }
    #expect(stream.text == nil, "\(stream.text ?? "")")
    // Twice, and once more where it was struck; fewer where the cancel came first.
    #expect(totals.isSuperset(of: [2, 3]))
    let silent = await Account(search: .depthFirst(.descend), faults: .anyOne(of: .duplicate("x"))) { schedule in
      schedule.store(
        initialState: 0, reducer: Planted<Int, Int> { _, _ in .run(id: "x", overlap: .concurrent) { _ in } }
      ).send(0)
    }
    #expect(
      silent.text == """
        `.duplicate("x")` struck nobody in all 2 schedules: no run of "x" sends anything that is taken.
        """)
  }

  @Test func `A cancel at a suspension that no run has fails, where all orders were tried`() async {
    let faults = Exploration.Faults.anyOne(of: .cancel("load", atSuspension: 7))
    let account = await Account(search: .depthFirst(.descend), faults: faults, loading)
    #expect(
      account.text == """
        `.cancel("load", atSuspension: 7)` struck nobody in all \(account.result.schedules) schedules: no run of "load" gives \
        up its thread so often before it returns, is cancelled or is replaced.
        """)
    let started = await Account(schedules: 1, search: .depthFirst(.descend), faults: faults, loading)
    #expect(started.text == nil, "what has not been tried may still come")
  }

  @Test func `A failure says what was made to go wrong`() async {
    let account = await Account(search: .depthFirst(.descend), faults: .anyOne(of: .hang("load"), .fail("save"))) {
      schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          let load = Effect<Int>.run(id: "load", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { send in
            send(1)
          }
          return action > 0
            ? .none
            : .merge(
              load,
              .run(id: "save", overlap: .concurrent) { _ in
              } catch: { _, _ in
              })
        }, finally: { $0 == 1 })
      run.send(0)
    }
    #expect(
      account.text?.contains(
        """
        State:
          0

        Made to go wrong:
          .hang("load") strikes run("load") at App/Feed.swift:7

        """) == true, "\(account.text ?? "")")
  }

  /// One run that answers at once.
  private nonisolated(nonsending) func loading(_ schedule: Exploration.Schedule) async {
    let run = schedule.store(
      initialState: 0,
      reducer: Planted<Int, Int> { _, action in
        action > 0
          ? .none
          : .run(id: "load", overlap: .concurrent) { send in
            send(1)
          } catch: { _, _ in
          }
      })
    run.send(0)
  }
}
