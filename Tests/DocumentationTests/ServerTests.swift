// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Synchronization
import Testing

@Suite struct `The page on servers` {
  @Test func `It shows the code that was compiled and run`() throws {
    let listings = Listings()
    try listings.check(
      "Docs/Server.md", against: ["ServerListing.swift"],
      swift: listings.compiled(in: "Examples/17-gateway/Core/FrontEnd.swift"))
  }

  @Test func `A run has the context of the request that it works for, also behind another one (L8)`() async throws {
    let seen = Texts()
    let store = makeOrders { item, _ in seen.add("\(item), request \(RequestContext.id)") }
    await withTaskGroup(of: Void.self) { group in
      for id in ["1", "2", "3"] {
        group.addTask {
          await RequestContext.$id.withValue(id) { store.send(.ordered("tea", call: id)) }.finish()
        }
      }
    }
    #expect(seen.all.sorted() == ["tea, request 1", "tea, request 2", "tea, request 3"])
  }

  private final class Texts: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  // MARK: - The answer of one call

  @Test func `Two callers at the same time have the numbers of their own orders (L3)`() async throws {
    let confirm = Mock<(String, Int), Void>()
    let store = Store(initialState: .init(), reducer: Orders(confirm: { try await confirm(($0, $1)) }))
    let service = OrderService(store: store)
    async let tea = service.order("tea")
    await confirm.pending(atLeast: 1)
    async let milk = service.order("milk")
    await confirm.pending(atLeast: 2)
    confirm.answer(where: { $0.0 == "milk" })
    #expect(try await milk == 2)
    confirm.answer()
    #expect(try await tea == 1)
    #expect(await store.state == Orders.State(last: 2))
  }

  @Test func `An order that was not confirmed is an error, and a caller that leaves keeps nothing`() async throws {
    let confirm = Mock<(String, Int), Void>()
    let store = Store(
      initialState: .init(), reducer: Orders(confirm: { try await confirm(($0, $1)) }), onFailure: { _ in })
    let service = OrderService(store: store)
    let failing = Task { try await service.order("tea") }
    await confirm.pending(atLeast: 1)
    confirm.answer(throwing: Offline())
    await #expect(throws: NotConfirmed.self) { try await failing.value }
    let leaving = Task { try await service.order("milk") }
    await confirm.pending(atLeast: 1)
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(await store.state == Orders.State(last: 2))
    await store.shutdown(.cancelling)
    await #expect(throws: RequestFailure.self) { try await service.order("late") }
  }

  @Test func `Each caller has its own number in every order, and no answer stays`() async {
    let result = await explore(
      initialState: Orders.State(), reducer: Orders(confirm: Self.confirm),
      requiring: [.nothingRunsAtTheEnd], options: .init(upTo: .deliveries)
    ) { script in
      for call in ["ann", "bob"] {
        script.sender(call) { sender in
          sender.request(.ordered("tea", call: call)) { (state: Orders.State) in state.answers[call] != nil }
          sender.send(.left(call: call))
        }
      }
    } always: { state in
      Set(state.answers.values).count == state.answers.count
    } finally: { state in
      state == Orders.State(last: 2)
    }
    result.expectComplete(.deliveries)
  }

  private static let confirm: @Sendable (String, Int) async throws -> Void = { item, number in
    try await Mock<(String, Int), Void>(answering: { _ in })((item, number))
  }

  // MARK: - Exclusive

  @Test func `A call that was cancelled is followed by another one while the service still works (O2)`() async {
    let failures = await Listings.failures { _ = await ServerListing.twoPlaces(.enqueue(limit: 1)) }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("finally") == true)
  }

  @Test func `With an exclusive overlap the service has one call in every order (O2)`() async {
    let result = await ServerListing.twoPlaces(.enqueue(limit: 1, exclusive: true))
    #expect(result.failure == nil)
  }

  // MARK: - A circuit breaker

  private static func items(_ get: Mock<String, String>, _ state: Items.State = .init()) -> TestStore<Items> {
    TestStore(initialState: state, reducer: Items(get: get.callAsFunction))
  }

  @Test func `A call is tried three times, and the fifth that fails opens the circuit for half a minute`() async {
    let get = Mock<String, String>()
    let store = Self.items(get, .init(circuit: .closed(failures: 4)))
    store.send(.asked("tea", call: "a"))
    get.answer(throwing: Offline())
    store.advance(by: .milliseconds(200))
    get.answer(throwing: Offline())
    store.advance(by: .milliseconds(400))
    store.advance(by: .seconds(5))
    await store.receive(.answered(.failed, call: "a")) { $0.answers = ["a": .failed] }
    store.send(.left(call: "a")) {
      $0.circuit = .open
      $0.answers = [:]
    }
    store.send(.asked("tea", call: "b"))
    #expect(get.pending.isEmpty)
    store.send(.left(call: "b"))
    store.advance(by: .seconds(30))
    await store.receive(.rested) { $0.circuit = .halfOpen }
    await store.finish()
  }

  @Test func `Half open, one call tries, and its answer decides`() async {
    let get = Mock<String, String>()
    let store = Self.items(get, .init(circuit: .halfOpen))
    store.send(.asked("tea", call: "a"))
    store.send(.asked("milk", call: "b"))
    #expect(get.pending == ["tea"])
    store.send(.left(call: "b"))
    get.answer(throwing: Offline())
    await store.receive(.answered(.failed, call: "a")) { $0.answers = ["a": .failed] }
    store.send(.left(call: "a")) {
      $0.circuit = .open
      $0.answers = [:]
    }
    store.advance(by: .seconds(30))
    await store.receive(.rested) { $0.circuit = .halfOpen }
    store.send(.asked("tea", call: "c")).cancel()
    store.send(.left(call: "c"))
    store.send(.asked("tea", call: "d"))
    get.answer("Tea")
    await store.receive(.answered(.item("Tea"), call: "d")) { $0.answers = ["d": .item("Tea")] }
    store.send(.left(call: "d")) { $0 = .init() }
    await store.finish()
  }

  @Test func `A request does not wait for the rest, and its client cannot cancel it`() async throws {
    let get = Mock<String, String>()
    let store = Self.items(get, .init(circuit: .halfOpen))
    let request = store.request(.asked("tea", call: "a"))
    get.answer(throwing: Offline())
    await store.receive(.answered(.failed, call: "a")) { $0.answers = ["a": .failed] }
    #expect(try await request.answer { $0.answers["a"] } == .failed)
    store.send(.left(call: "a")) {
      $0.circuit = .open
      $0.answers = [:]
    }
    store.cancelInFlight()
    await store.finish()
  }

  private static let service = Mock<String, String>(answering: { if $0 == "broken" { throw Offline() } else { $0 } })

  @Test func `The circuit never stays open, and no answer stays, in every order`() async {
    let result = await explore(
      initialState: Items.State(circuit: .closed(failures: 4)), reducer: Items(get: Self.service.callAsFunction),
      requiring: [.nothingRunsAtTheEnd],
      sometimes: ["it is open": { $0.circuit == .open }, "it is half open": { $0.circuit == .halfOpen }],
      options: .init(upTo: .timers)
    ) { script in
      script.sender("a") { sender in
        sender.finish(sender.send(.asked("broken", call: "a")))
        sender.send(.left(call: "a"))
        sender.send(.asked("tea", call: "b"))
      }
    } finally: { state in
      state.circuit != .open
    }
    result.expectComplete(.timers)
  }

  @Test func `A client that leaves while its call tries does not keep the circuit half open, in every order`() async {
    let result = await explore(
      initialState: Items.State(circuit: .halfOpen), reducer: Items(get: Self.service.callAsFunction),
      requiring: [.nothingRunsAtTheEnd],
      sometimes: [
        "it has closed": { $0.circuit == .closed(failures: 0) },
        "it is open": { $0.circuit == .open },
      ],
      options: .init(upTo: .timers)
    ) { script in
      script.sender("a") { sender in
        sender.cancel(sender.send(.asked("tea", call: "a")))
        sender.send(.left(call: "a"))
      }
      script.sender("b") { sender in
        sender.finish(sender.send(.asked("tea", call: "b")))
        sender.send(.left(call: "b"))
      }
    } finally: { state in
      state.circuit != .open && state.answers.isEmpty
    }
    result.expectComplete(.timers)
  }

  // MARK: - A queue with keys

  private static func job(_ text: String, page: String = "home", tenant: String = "ann") -> Renderings.Job {
    Renderings.Job(key: Renderings.Key(tenant: tenant, page: page), text: text)
  }

  @Test func `A job replaces the one of its key that waits, and follows the one that is active`() async {
    let render = Mock<Renderings.Job, Void>()
    let store = TestStore(initialState: [], reducer: Renderings(render: render.callAsFunction))
    let (one, two) = (Self.job("1", page: "one"), Self.job("1", page: "two"))
    for job in [one, two] {
      store.send(.submitted(job))
      await store.receive(.began(job)) { $0.insert(job.key) }
    }
    for text in ["1", "2", "3"] { store.send(.submitted(Self.job(text))) }
    let other = Self.job("1", tenant: "bob")
    store.send(.submitted(other))
    await store.receive(.began(other)) { $0.insert(other.key) }
    for text in ["2", "3"] { store.send(.submitted(Self.job(text, page: "one"))) }
    #expect(render.pending == [one, two, other])
    render.answer(at: 1)
    await store.receive(.ended(two)) { $0.remove(two.key) }
    await store.receive(.began(Self.job("3"))) { $0.insert(Self.job("3").key) }
    #expect(render.pending == [one, other, Self.job("3")])
    render.answer()
    await store.receive(.ended(one)) { $0.remove(one.key) }
    await store.receive(.began(Self.job("3", page: "one"))) { $0.insert(one.key) }
    #expect(render.pending == [other, Self.job("3"), Self.job("3", page: "one")])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `A job that fails makes room for the one of its key that waits`() async {
    let render = Mock<Renderings.Job, Void>()
    let store = Store(initialState: [], reducer: Renderings(render: render.callAsFunction), onFailure: { _ in })
    store.send(.submitted(Self.job("1")))
    await render.pending(atLeast: 1)
    let second = store.send(.submitted(Self.job("2")))
    render.answer(throwing: Offline())
    await render.pending(atLeast: 1)
    #expect(render.pending == [Self.job("2")])
    render.answer()
    await second.finish()
    #expect(await store.state.isEmpty)
  }

  /// What was rendered, and how many were rendered at the same time: of a tenant, and of a page.
  private final class Renderer: Sendable {
    private struct Seen { var active: [Renderings.Job] = []; var ended: [Renderings.Job] = []; var isTooMuch = false }
    private let seen = Mutex(Seen())

    var ended: [Renderings.Job] { seen.withLock { $0.ended } }
    var isTooMuch: Bool { seen.withLock { $0.isTooMuch } }

    @Sendable func render(_ job: Renderings.Job) async {
      seen.withLock { seen in
        seen.active.append(job)
        if seen.active.count > 2 || Set(seen.active.map(\.key)).count < seen.active.count { seen.isTooMuch = true }
      }
      await Task.yield()
      seen.withLock { seen in
        seen.active.removeAll { $0 == job }
        seen.ended.append(job)
      }
    }
  }

  @Test func `The newest job of each key is done last, and no more at once than may be, in every order`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let renderer = Renderer()
      let script = schedule.store(
        initialState: [], reducer: Renderings(render: renderer.render), requiring: [.nothingRunsAtTheEnd],
        finally: { active in
          active.isEmpty && !renderer.isTooMuch && renderer.ended.last { $0.key.page == "home" }?.text == "3"
        })
      script.send(.submitted(Self.job("1", page: "one")))
      for text in ["1", "2", "3"] { script.send(.submitted(Self.job(text))) }
    }
    result.expectComplete(.timers)
  }
}
