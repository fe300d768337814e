// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

/// Runs that wait for their time, against every overlap (rule C2).
@Suite struct WaitingRunTests {
  private let harness = SchedulerHarness()
  private let id: EffectID = "x"

  private static let others: [Overlap] = [.concurrent, .drop, .enqueue, .keepLatest, .join]
  private static let all = others + [.restart]

  private func debounced(_ name: String, _ overlap: Overlap = .concurrent, maxWait: Int? = nil) {
    harness.perform {
      $0.run(name, id: id, overlap: overlap).debounce(
        for: .milliseconds(10), maxWait: maxWait.map { .milliseconds($0) })
    }
  }

  private func throttled(_ name: String, _ overlap: Overlap = .concurrent, trailing: Bool = true) {
    harness.perform { $0.run(name, id: id, overlap: overlap).throttle(for: .milliseconds(10), trailing: trailing) }
  }

  private func delayed(_ name: String, _ overlap: Overlap = .concurrent, by milliseconds: Int = 10) {
    harness.perform { $0.run(name, id: id, overlap: overlap).delay(for: .milliseconds(milliseconds)) }
  }

  private func finish(at milliseconds: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation) {
    harness.advance(to: milliseconds)
    while let run = harness.executingInOrder.first { harness.end(run) }
    harness.expectEmpty(sourceLocation: sourceLocation)
  }

  // MARK: - Delay

  @Test func `A delayed run starts when its time has come (C4)`() {
    delayed("a")
    harness.perform { $0.run("unnamed").delay(for: .milliseconds(5)) }
    harness.advance(to: 4)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [.started("unnamed")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a")])
    finish()
  }

  @Test func `At one instant runs start in the order in which they began to wait (C3)`() {
    delayed("late", by: 10)
    harness.advance(to: 4)
    delayed("b", by: 6)
    harness.perform { $0.run("c", id: "y").debounce(for: .milliseconds(6)) }
    delayed("early", by: 5)
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [.started("early"), .started("late"), .started("b"), .started("c")])
    finish()
  }

  @Test func `A delay of zero or less is no delay`() {
    delayed("a", by: 0)
    delayed("b", by: -3)
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    finish()
  }

  @Test(arguments: all)
  func `A cancel of the id drops a run that waits (C4, E3)`(_ overlap: Overlap) {
    delayed("a", overlap)
    debounced("b", .concurrent)
    harness.perform { _ in .cancel(id: id) }
    #expect(harness.takeDropped().sorted() == ["a", "b"])
    finish()
    #expect(harness.takeEvents() == [])
  }

  @Test func `Cancels by dispatch, scope, type and everything reach runs that wait (E3)`() {
    delayed("a")
    harness.cancelDispatch(1)
    harness.perform { $0.run("b", id: id).delay(for: .seconds(1)).scoped("scope") { $0 } }
    harness.perform { $0.run("c").delay(for: .seconds(1)).scoped("scope") { $0 } }
    harness.perform { _ in .cancel(scope: "scope") }
    delayed("d")
    harness.perform { _ in .cancel(.all(of: String.self)) }
    harness.perform { $0.run("e").delay(for: .seconds(1)) }
    harness.perform { _ in .cancel(.everything) }
    harness.perform { $0.run("f", id: id).delay(for: .seconds(1)).cancellable(id: "tree", overlap: .concurrent) }
    harness.perform { _ in .cancel(id: "tree") }
    #expect(harness.takeDropped().sorted() == ["a", "b", "c", "d", "e", "f"])
    finish()
    #expect(harness.takeEvents() == [])
  }

  // MARK: - Overlaps

  @Test func `Restart decides on arrival: it cancels what waits and what runs at once (C4)`() {
    delayed("a", .restart)
    harness.advance(to: 10)
    delayed("b", .restart)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.advance(to: 15)
    delayed("c", .restart)
    #expect(harness.takeDropped() == ["b"])
    harness.advance(to: 24)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 25)
    #expect(harness.takeEvents() == [.started("c")])
    // A run that does not wait replaces one that does.
    delayed("d", .restart)
    harness.perform { $0.run("e", id: id, overlap: .restart) }
    #expect(harness.takeEvents() == [.cancelled("c"), .started("e")])
    #expect(harness.takeDropped() == ["d"])
    finish()
  }

  @Test func `Restart counts waiting runs up to its limit (C4)`() {
    let overlap = Overlap.restart(limit: 2)
    harness.perform { $0.run("a", id: id, overlap: overlap) }
    delayed("b", overlap)
    #expect(harness.takeEvents() == [.started("a")])
    delayed("c", overlap)
    #expect(harness.takeEvents() == [.cancelled("a")])
    delayed("d", overlap)
    #expect(harness.takeDropped() == ["b"])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("c"), .started("d")])
    finish()
  }

  @Test func `A run that came earlier never cancels one that came later, when its time comes (C4)`() {
    delayed("old", .restart, by: 10)
    harness.perform { $0.run("new", id: id, overlap: .restart(limit: 3)) }
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("new"), .started("old")])
    finish()
  }

  @Test(arguments: others)
  func `Other overlaps leave what runs alone while one waits, and decide when its time comes (C4)`(
    _ overlap: Overlap
  ) {
    harness.perform { $0.run("a", id: id, overlap: overlap) }
    delayed("b", overlap)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    switch overlap {
    case .concurrent: #expect(harness.takeEvents() == [.started("b")])
    case .drop: #expect(harness.takeDropped() == ["b"])
    case .join: #expect(harness.sharedRun(ofDispatch: 2) == "a")
    default:
      #expect(harness.takeEvents() == [])
      harness.end("a")
      #expect(harness.takeEvents() == [.started("b")])
    }
    finish()
  }

  @Test(arguments: others)
  func `A run that waits holds no slot (C4)`(_ overlap: Overlap) {
    delayed("a", overlap)
    harness.perform { $0.run("b", id: id, overlap: overlap) }
    #expect(harness.takeEvents() == [.started("b")])
    harness.end("b")
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("a")])
    finish()
  }

  @Test func `A queue that is full when the time comes drops what its overlap specifies (C4, O1)`() {
    let overlap = Overlap.enqueue(capacity: 1, whenFull: .dropOldest)
    for name in ["a", "b"] { harness.perform { $0.run(name, id: id, overlap: overlap) } }
    delayed("c", overlap)
    harness.advance(to: 10)
    #expect(harness.takeDropped() == ["b"])
    harness.end("a")
    #expect(harness.takeEvents() == [.started("a"), .started("c")])
    finish()
  }

  @Test func `Runs dropped when its time comes go on in the order they came (C4, E8)`() {
    harness.perform { $0.run("a", id: id, overlap: .enqueue) }
    for name in ["b", "c"] {
      harness.perform { .concatenate($0.run(name, id: id, overlap: .enqueue), $0.run("after \(name)")) }
    }
    delayed("d", .enqueue(capacity: 1, whenFull: .dropOldest))
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("after b"), .started("after c")])
    finish()
  }

  @Test func `A limit raised when its time comes starts the waiting work in its order, and then it (C4, O1)`() {
    harness.perform { $0.run("a", id: id, overlap: .enqueue) }
    for name in ["b", "c"] {
      harness.perform { .merge($0.run("\(name)1"), $0.run("\(name)2")).cancellable(id: id, overlap: .enqueue) }
    }
    delayed("d", .enqueue(limit: 4))
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(
      harness.takeEvents()
        == [.started("b1"), .started("b2"), .started("c1"), .started("c2"), .started("d")])
    finish()
  }

  @Test func `Work that a raised limit starts declares its limit before the run whose time has come (C4, O1)`() {
    harness.perform { $0.run("a", id: id, overlap: .concurrent) }
    harness.perform { run in
      .concatenate(
        Effect.cancel(id: "other").cancellable(id: id, overlap: .enqueue), run.run("b", id: id, overlap: .keepLatest))
    }
    delayed("c", .concurrent)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("b"), .started("c")])
    finish()
  }

  // MARK: - Debounce

  @Test(arguments: all)
  func `The last of a burst starts, whatever the overlap (C4)`(_ overlap: Overlap) {
    for (at, name) in [(0, "a"), (5, "b"), (9, "c")] {
      harness.advance(to: at)
      debounced(name, overlap)
    }
    #expect(harness.takeDropped() == ["a", "b"])
    harness.advance(to: 18)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 19)
    #expect(harness.takeEvents() == [.started("c")])
    harness.end("c")
    debounced("d", overlap)
    harness.advance(to: 29)
    #expect(harness.takeEvents() == [.started("d")])
    finish()
  }

  @Test(arguments: all)
  func `A run that executes when the next burst begins meets its overlap (C4)`(_ overlap: Overlap) {
    debounced("a", overlap)
    harness.advance(to: 10)
    debounced("b", overlap)
    #expect(harness.takeEvents() == (overlap == .restart ? [.started("a"), .cancelled("a")] : [.started("a")]))
    harness.advance(to: 20)
    switch overlap {
    case .concurrent, .restart: #expect(harness.takeEvents() == [.started("b")])
    case .drop: #expect(harness.takeDropped() == ["b"])
    default:
      #expect(harness.takeEvents() == [])
      harness.end("a")
      #expect(harness.takeEvents() == (overlap == .join ? [] : [.started("b")]))
    }
    finish()
  }

  @Test(arguments: all)
  func `A cancel forgets the burst: the next run waits its whole time (C4)`(_ overlap: Overlap) {
    debounced("a", overlap, maxWait: 12)
    harness.advance(to: 9)
    harness.perform { _ in .cancel(id: id) }
    debounced("b", overlap, maxWait: 12)
    harness.advance(to: 18)
    debounced("c", overlap, maxWait: 12)
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 21)
    #expect(harness.takeEvents() == [.started("c")])
    #expect(harness.takeDropped() == ["a", "b"])
    finish()
  }

  @Test func `A cancel in the same turn drops the run that came before it in that turn (E3)`() {
    harness.perform {
      .merge(
        $0.run("a", id: id).debounce(for: .milliseconds(10)), .cancel(id: id),
        $0.run("b", id: id).debounce(for: .milliseconds(10)))
    }
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("b")])
    finish()
  }

  @Test func `Work that waits for a superseded run goes on (C4)`() {
    let first = harness.perform { .concatenate($0.run("a", id: id).debounce(for: .milliseconds(10)), $0.run("next")) }
    harness.watch(first)
    debounced("b")
    #expect(harness.takeEvents() == [.started("next")])
    harness.end("next")
    #expect(harness.takeEvents() == [.finished(first)])
    finish()
  }

  @Test func `A run whose window was due before another arrives goes first, even if the alarm was not taken (C3)`() {
    debounced("a")
    harness.oversleep(to: 30)
    debounced("b")
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 40)
    #expect(harness.takeEvents() == [.started("b")])
    throttled("c")
    throttled("d")
    harness.oversleep(to: 60)
    throttled("e")
    #expect(harness.takeEvents() == [.started("c"), .started("d")])
    // The window of the late run opened when it started.
    harness.advance(to: 69)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 70)
    #expect(harness.takeEvents() == [.started("e")])
    finish()
  }

  @Test func `A window without a length lets the next run pass, even if its alarm was not taken (C2)`() {
    throttled("a")
    harness.perform { $0.run("b", id: id, overlap: .concurrent).throttle(for: .zero) }
    harness.oversleep(to: 30)
    throttled("c", trailing: false)
    #expect(harness.takeEvents() == [.started("a"), .started("b"), .started("c")])
    finish()
  }

  // MARK: - Throttle

  @Test(arguments: all)
  func `The first starts at once and the last at the end of the window, whatever the overlap (C4)`(
    _ overlap: Overlap
  ) {
    throttled("a", overlap)
    harness.end("a")
    for name in ["b", "c", "d"] { throttled(name, overlap) }
    #expect(harness.takeDropped() == ["b", "c"])
    harness.advance(to: 9)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("d")])
    harness.end("d")
    throttled("e", overlap)
    harness.advance(to: 20)
    #expect(harness.takeEvents() == [.started("e")])
    finish()
  }

  @Test(arguments: all)
  func `A run that the window drops for good cancels nothing (C4)`(_ overlap: Overlap) {
    throttled("a", overlap, trailing: false)
    throttled("b", overlap, trailing: false)
    #expect(harness.takeEvents() == [.started("a")])
    #expect(harness.takeDropped() == ["b"])
    finish()
  }

  @Test func `Restart cancels what runs for one that waits for the end of the window (C4)`() {
    throttled("a", .restart)
    throttled("b", .restart)
    #expect(harness.takeEvents() == [.started("a"), .cancelled("a")])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("b")])
    finish()
  }

  @Test(arguments: all)
  func `A cancel closes the window: the next run starts at once (C4)`(_ overlap: Overlap) {
    throttled("a", overlap)
    throttled("b", overlap)
    harness.perform { _ in .cancel(id: id) }
    #expect(harness.takeDropped() == ["b"])
    _ = harness.takeEvents()
    if harness.executing.contains("a") { harness.end("a") }
    throttled("c", overlap)
    #expect(harness.takeEvents() == [.started("c")])
    throttled("d", overlap)
    harness.end("c")
    harness.advance(to: 9)
    #expect(harness.takeEvents().filter { $0 != .cancelled("c") } == [])
    harness.advance(to: 10)
    #expect(harness.takeEvents() == [.started("d")])
    finish()
  }

  @Test func `A window stays open when the run that waited for its end is cancelled by its dispatch (C4)`() {
    throttled("a")
    throttled("b")
    harness.cancelDispatch(2)
    throttled("c", trailing: false)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 10)
    throttled("d", trailing: false)
    #expect(harness.takeEvents() == [.started("d")])
    finish()
  }

  @Test func `Cancels of scopes and types close windows as well (C4)`() {
    for (number, cancel) in [
      Cancellation.scope("scope"), .everything, .all(of: String.self), .ids(["x"]),
    ].enumerated() {
      func run(_ name: String) {
        harness.perform {
          let effect: Effect<String> = $0.run(name, id: id).throttle(for: .seconds(1))
          return number == 3 ? effect : effect.scoped("scope") { $0 }
        }
      }
      run("a\(number)")
      harness.perform { _ in .cancel(cancel) }
      run("b\(number)")
      #expect(
        harness.takeEvents() == [.started("a\(number)"), .cancelled("a\(number)"), .started("b\(number)")])
      harness.perform { _ in .cancel(.everything) }
      _ = harness.takeEvents()
    }
    finish(at: 5_000)
  }

  // MARK: - All of them

  @Test func `What the window lets through is delayed, and then decided by the overlap (C4)`() {
    func run(_ name: String) {
      harness.perform {
        $0.run(name, id: id, overlap: .drop).debounce(for: .milliseconds(10)).delay(for: .milliseconds(5))
      }
    }
    run("a")
    harness.advance(to: 10)
    run("b")
    harness.advance(to: 14)
    #expect(harness.takeEvents() == [])
    harness.advance(to: 15)
    #expect(harness.takeEvents() == [.started("a")])
    harness.advance(to: 25)
    #expect(harness.takeDropped() == ["b"])
    finish()
  }

  @Test func `A run without an id that needs one is reported and not started (C4)`() {
    let dispatch = harness.perform {
      .concatenate($0.run("a").debounce(for: .seconds(1)), $0.run("b").throttle(for: .seconds(1)), $0.run("c"))
    }
    harness.watch(dispatch)
    #expect(harness.takeEvents() == [.reported("a"), .reported("b"), .started("c")])
    #expect(harness.takeDropped() == ["a", "b"])
    harness.end("c")
    #expect(harness.takeEvents() == [.finished(dispatch)])
    finish()
  }

  @Test func `A tree that waits in a queue holds back the runs in it, and their time (E6)`() {
    harness.perform { $0.run("first", id: "tree", overlap: .enqueue) }
    harness.perform {
      Effect.merge($0.run("a", id: id), $0.run("b")).delay(for: .milliseconds(10))
        .cancellable(id: "tree", overlap: .enqueue)
    }
    harness.advance(to: 20)
    harness.end("first")
    #expect(harness.takeEvents() == [.started("first")])
    harness.advance(to: 30)
    #expect(harness.takeEvents() == [.started("a"), .started("b")])
    finish()
  }
}
