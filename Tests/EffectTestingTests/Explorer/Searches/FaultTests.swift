// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Injected faults, together with every order.
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
    await Account(search: .full(.deliveries), faults: faults) { schedule in
      schedule.store(initialState: State(), reducer: reducer, finally: finally).send(.load)
    }.result
  }

  @Test func `A run that fails goes to its catch, and a flag that stays set is found`() async {
    var seen: Set<Bool> = []
    let fixed = await account(feature(), .anyOne(of: .fail("load"))) { state in
      seen.insert(state.hasFailed)
      return !state.isLoading
    }
    #expect("\(fixed)" == "complete: deliveries (2)")
    #expect(seen == [false, true])
    let bug = await account(feature(catches: false), .anyOne(of: .fail("load"))) { !$0.isLoading }
    #expect(bug.failure == "deliveries: u d c1 e0 e0")
  }

  @Test func `A run that hangs needs a time limit`() async {
    let bug = await account(feature(), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(bug.failure == "deliveries: u d c1 e0")
    let fixed = await account(feature(timeout: .seconds(5)), .anyOne(of: .hang("load"))) { !$0.isLoading }
    #expect(fixed.completeLevel == .deliveries)
  }

  @Test func `A hang in one schedule does not explain why a sender waits in the next one`() async {
    let account = await Account(search: .full(.answers), faults: .anyOne(of: .hang("load"))) { schedule in
      let asks = schedule.choose(2) == 1
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 0 { return .run(id: "load", overlap: .concurrent) { _ in } }
          return .run(id: "endless", overlap: .concurrent) { _ in await Door(isOpen: false).enter() }
        }, requiring: [.noDeadlock(except: "endless")])
      if asks { run.request(1) { (_: Int) in true } } else { run.send(0) }
    }
    #expect(account.text?.hasPrefix("Nothing can happen any more, and this still waits: `request` at ") == true)
  }

  @Test func `A run that is delayed exceeds its time limit, or not`() async {
    for (delay, fails) in [(Duration.seconds(1), [false, true]), (.seconds(9), [true])] {
      var seen: Set<Bool> = []
      _ = await account(feature(timeout: .seconds(5)), .anyOne(of: .delay("load", by: delay))) { state in
        seen.insert(state.hasFailed)
        return true
      }
      #expect(seen.isSuperset(of: fails))
    }
  }

  @Test func `A run that is delayed is called when its delay is over`() async {
    var ends: Set<Duration> = []
    let account = await Account(
      search: .full(.deliveries), faults: .anyOne(of: .delay("load", by: .seconds(1)))
    ) { schedule in
      schedule.store(
        initialState: State(), reducer: feature(),
        finally: { state in
          ends.insert(schedule.clock.offset)
          return state.loaded == 1
        }
      ).send(.load)
    }
    #expect(account.text == nil, "\(account.text ?? "")")
    #expect(ends == [.zero, .seconds(1)])
  }

  @Test func `An action that comes twice is reduced twice`() async {
    let bug = await account(feature(counts: true), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(bug.failure == "deliveries: u d c1 e0 d d")
    let fixed = await account(feature(), .anyOne(of: .duplicate("load"))) { $0.loaded == 1 }
    #expect(fixed.completeLevel == .deliveries)
  }

  @Test func `A schedule has at most one fault, and each run of the id gets one in some schedule`() async {
    var counts: [Int] = []
    let result = await Account(
      search: .full(.timers), faults: .anyOne(of: .fail("x"), .hang("x"))
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
    #expect(result.completeLevel == .timers)
    #expect(Set(counts) == [2, 11, 1])
  }

  // MARK: - Which, and how many

  /// Two runs of one id. Each adds one, or ten if it fails.
  private func adding(
    _ faults: Exploration.Faults, search: Exploration.Search = .full(.deliveries)
  ) async -> (result: Exploration, totals: [Int]) {
    var totals: [Int] = []
    let result = await Account(search: search, faults: faults) { schedule in
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

  @Test func `A schedule has up to the permitted number of faults`() async {
    #expect(await Set(adding(.anyOne(of: .fail("x"))).totals) == [2, 11])
    let two = await adding(.any(2, of: .fail("x")))
    #expect(Set(two.totals) == [2, 11, 20])
    #expect(two.result.completeLevel == .deliveries)
  }

  @Test func `A seed selects the same runs in every schedule, and adds no choice`() async {
    let none = await adding(.none)
    var seen: Set<Int> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let (result, totals) = await adding(.seeded(seed, of: .fail("x")))
      let first = Set(totals)
      #expect(first.count == 1)
      // How often a total occurs depends on time: a slow schedule is run more than once.
      #expect(await Set(adding(.seeded(seed, of: .fail("x"))).totals) == first)
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

  /// Sends 1, 2, 3 and 4. In between it uses an actor, a yield and a sleep: at least three suspensions.
  private func stages(_ number: Int, _ level: Exploration.Level) async -> (Set<[Int]>, Exploration) {
    var seen: Set<[Int]> = []
    let disk = Disk(Shared(0))
    let result = await Account(
      search: .full(level), faults: .anyOne(of: .cancel("x", atSuspension: number))
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

  @Test(arguments: [Exploration.Level.timers, .steps])
  func `A run is cancelled at its n-th suspension, at every level (E1) (E4)`(level: Exploration.Level) async {
    let whole = [0, 1, 2, 3, 4]
    // Its sent actions that are not reduced yet are dropped as well: below the level of steps both, because the yield ends no step.
    for (number, rest) in [(1, [[0]]), (2, level == .timers ? [[0]] : [[0], [0, 1]])] {
      let (seen, result) = await stages(number, level)
      #expect(result.failure == nil && result.completeLevel == level)
      #expect(seen == Set([whole] + rest))
    }
    #expect(await stages(100, level).0 == [whole])
  }

  @Test func `A flag that stays set after a cancel is found by a cancel at a suspension`() async {
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
      #expect(account.result.completeLevel == (isMended ? .steps : nil))
    }
  }

  @Test func `A fault that no run can get fails, and the text says how to find an id`() async {
    let account = await Account(search: .full(.deliveries), faults: .anyOne(of: .fail("load"), .hang("laod")), loading)
    #expect(
      account.text == """
        `.hang("laod")` could not be injected: no run of "laod" was started in \(account.result.schedules) schedules.

        Is that the id the reducer gives, with the scope it lies in (`EffectID("load").scoped(by: "feed")`), and does the \
        script lead to such a run?
        """)
    let met = await Account(search: .full(.deliveries), faults: .anyOne(of: .fail("load"), .hang("load")), loading)
    #expect(met.text == nil && met.result.completeLevel == .deliveries)
    let replayed = await Account(faults: .anyOne(of: .hang("laod")), replaying: "u d e0 d", loading)
    #expect(replayed.text == nil, "one schedule need not have such a run")
  }

  @Test(arguments: [Exploration.Search.random(.steps), .levels(upTo: .steps)])
  func `A fault that no run can get fails, also if the search does not end`(
    search: Exploration.Search
  ) async {
    let account = await Account(schedules: 1, search: search, faults: .anyOne(of: .hang("laod")), loading)
    #expect(account.text?.hasPrefix("`.hang(\"laod\")` could not be injected: ") == true)
  }

  @Test func `A seed that selects no run fails`() async {
    var spared = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let account = await Account(search: .full(.deliveries), faults: .seeded(seed, of: .fail("load"))) { schedule in
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
          `faults: .seeded(\(seed), oneIn: 2, of: .fail("load"))` was not injected into any run: the seed selects the \
          runs, and it selected none of those that were started. Try another seed, or a smaller `oneIn`.
          """)
    }
    #expect(spared > 0 && spared < 20)
  }

  @Test func `An action of a stream can be duplicated, and a run that sends nothing has nothing to duplicate`() async {
    var totals: Set<Int> = []
    let stream = await Account(
      search: .full(.timers), faults: .anyOne(of: .duplicate("feed")), deadlines: 4
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
    // Two actions, and one more if the fault was injected. Fewer if the cancel came first.
    #expect(totals.isSuperset(of: [2, 3]))
    let silent = await Account(search: .full(.deliveries), faults: .anyOne(of: .duplicate("x"))) { schedule in
      schedule.store(
        initialState: 0, reducer: Planted<Int, Int> { _, _ in .run(id: "x", overlap: .concurrent) { _ in } }
      ).send(0)
    }
    #expect(
      silent.text == """
        `.duplicate("x")` was not injected into any run in 2 schedules: no run of "x" sends an action that is taken. Remove \
        the fault, or let such a run send an action.
        """)
  }

  @Test func `A cancel at a suspension that no run has fails, if all orders were tried`() async {
    let faults = Exploration.Faults.anyOne(of: .cancel("load", atSuspension: 7))
    let account = await Account(search: .full(.deliveries), faults: faults, loading)
    #expect(
      account.text == """
        `.cancel("load", atSuspension: 7)` was not injected into any run in \(account.result.schedules) schedules: no run \
        of "load" suspends 7 times before it returns, is cancelled or is replaced. Write a smaller number, or remove the fault.
        """)
    let started = await Account(schedules: 1, search: .full(.deliveries), faults: faults, loading)
    #expect(started.text == nil, "the remaining orders may have such a suspension")
    let seeded = Exploration.Faults.seeded(1, oneIn: 1, of: .cancel("load", atSuspension: 7))
    let selected = await Account(search: .full(.deliveries), faults: seeded, loading)
    #expect(
      selected.text == """
        `faults: .seeded(1, oneIn: 1, of: .cancel("load", atSuspension: 7))` was not injected into any run in 1 schedule: no \
        selected run of "load" suspends 7 times before it returns, is cancelled or is replaced. Write a smaller number, or \
        remove the fault. Or try another seed.
        """)
  }

  private enum Work: Hashable { case load }

  @Test func `A fault is written as code, whatever its id is`() {
    let faults: [(Exploration.Fault, String)] = [
      (.hang("load"), #".hang("load")"#), (.hang(7), ".hang(7)"), (.hang(Work.load), ".hang(FaultTests.Work.load)"),
      (.hang(EffectID("load").scoped(by: "feed")), #".hang(EffectID("load").scoped(by: EffectID("feed")))"#),
      (
        .duplicate(EffectID(Work.load).scoped(by: "feed")),
        #".duplicate(EffectID(FaultTests.Work.load).scoped(by: EffectID("feed")))"#
      ),
    ]
    for (fault, code) in faults { #expect("\(fault)" == code) }
  }

  @Test func `A failure names the injected fault`() async {
    let account = await Account(search: .full(.deliveries), faults: .anyOne(of: .hang("load"), .fail("save"))) {
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

        Injected faults:
          .hang("load") into run("load") at App/Feed.swift:7

        """) == true, "\(account.text ?? "")")
  }

  @Test func `The faults of a schedule are not named by the failure of a later one`() {
    let runner = ScheduleRunner(ScheduleRunner.Settings(), DepthFirst())
    runner.begin()
    runner.schedule.strikes = ["a fault"]
    runner.begin()
    #expect(runner.schedule.strikes.isEmpty)
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
