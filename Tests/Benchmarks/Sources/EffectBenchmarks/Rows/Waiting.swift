// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// Counts runs that wait to be cancelled: when all have begun, and when the expected number has ended.
final class Waits: Sendable {
  let begun = Signal()
  private let runs: Int
  private let beginnings = Atomic(0)
  private let ends = Atomic(0)
  private let expectedEnds: Atomic<Int>
  private let ended = Mutex(Signal())

  init(runs: Int) {
    self.runs = runs
    expectedEnds = Atomic(runs)
  }

  /// All have ended, or as many as were expected last.
  func waitForEnds() async {
    await ended.withLock(\.self).wait()
  }

  /// From now on this number of ends is expected, not all. Only while no run ends.
  func expectEnds(_ count: Int) {
    ended.withLock { $0 = Signal() }
    expectedEnds.store(ends.load(ordering: .acquiring) + count, ordering: .releasing)
  }

  fileprivate func begin() {
    if beginnings.add(1, ordering: .acquiringAndReleasing).newValue == runs { begun.give() }
  }

  fileprivate func end() {
    let count = ends.add(1, ordering: .acquiringAndReleasing).newValue
    if count == expectedEnds.load(ordering: .acquiring) { ended.withLock(\.self).give() }
  }

  func member() -> Member { Member(self) }

  /// The object that the closure of one run captures.
  ///
  /// Its end is when it is released: when the closure has returned, or will not be called any more. So the measurement
  /// does not wait for a closure that is not started because its run was cancelled before.
  final class Member: Sendable {
    private let waits: Waits
    private let flag = Flag()

    fileprivate init(_ waits: Waits) {
      self.waits = waits
    }

    deinit {
      waits.end()
    }

    func waitForCancel() async {
      waits.begin()
      await withTaskCancellationHandler {
        await flag.wait()
      } onCancel: {
        flag.give()
      }
    }
  }
}

enum WaitAction: Sendable {
  /// A run without an id; the number is the index at which contestants without a better way keep its task.
  case wait(Int, Waits)
  /// A run with an id. It replaces the run that has the id.
  case start(Int, Waits)
  case cancel(Int)
  case cancelAll
  /// A run that sends `tick` and ends.
  case run
  /// From now on the state counts the given number of ticks, then gives the signal.
  case expect(Int, Signal)
  case tick
}

/// Counts ticks.
struct Ticks {
  private var left = 0
  private var signal: Signal?

  mutating func expect(_ count: Int, _ signal: Signal) {
    left = count
    self.signal = signal
  }

  mutating func tick() {
    left -= 1
    if left == 0 { signal?.give() }
  }
}

struct Waiting: Reducer {
  func reduce(into state: inout Ticks, action: WaitAction) -> Effect<WaitAction> {
    switch action {
    case .wait(_, let waits): return .run { [member = waits.member()] _ in await member.waitForCancel() }
    case .start(let id, let waits):
      return .run(id: id, overlap: .restart) { [member = waits.member()] _ in await member.waitForCancel() }
    case .cancel(let id): return .cancel(id: id)
    case .cancelAll: return .cancel(.everything)
    case .run: return .run { send in send(.tick) }
    case .expect(let count, let signal): state.expect(count, signal)
    case .tick: state.tick()
    }
    return .none
  }
}

struct PlainWaiting: PlainReducer {
  func reduce(into state: inout Ticks, action: WaitAction) -> PlainEffect<WaitAction> {
    switch action {
    case .wait(let id, let waits), .start(let id, let waits):
      return .restart(id) { [member = waits.member()] _ in await member.waitForCancel() }
    case .cancel(let id): return .cancel(id)
    case .cancelAll: return .cancelAll
    case .run: return .run { send in send(.tick) }
    case .expect(let count, let signal): state.expect(count, signal)
    case .tick: state.tick()
    }
    return .none
  }
}

/// How the action of a contestant is sent; each is measured through the same closure.
typealias WaitSend = @Sendable (WaitAction) -> Void

extension Store where R == Waiting {
  static func sender() -> WaitSend {
    let store = Store(initialState: Ticks(), reducer: Waiting())
    return { store.send($0) }
  }
}

extension Bare where R == PlainWaiting {
  static func sender() -> WaitSend {
    let store = Bare(Ticks(), PlainWaiting())
    return { store.send($0) }
  }
}

extension StreamStore where R == PlainWaiting {
  static func sender() -> WaitSend {
    let store = StreamStore(Ticks(), PlainWaiting())
    return { store.send($0) }
  }
}
