// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each key is an action, each new state a new picture. Returns when the user ends the program.
@MainActor
func searchInTerminal(_ directory: String, recordingTo file: String? = nil) async throws {
  // On the main actor, like the display: `send` has reduced when it returns, and the state can be read.
  let reducer = Search { query in
    FileSearch(directory: directory, query: query, excluded: file.flatMap { FileIdentity($0) })
  }
  let store = Store(initialState: Search.State(), reducer: reducer, isolation: MainActor.shared)
  // A state holds 200 lines here; written after every action, it would take a hundred times the space of the actions.
  let recorder = try await record(store, to: file, checkpoints: 50)
  let events = terminalEvents()
  // From here on until it is restored nothing throws, and the signals that would end the program are only events.
  let terminal = try Terminal()
  let display = Display(terminal: terminal, directory: directory)
  let counting = count(the: store)
  let drawing = Task {
    for await state in store.values(\.self) {
      display.show(state, counting.counts)
      // Changes meanwhile are not lost: the sequence goes on with the newest state. A person sees no more per second.
      try await Task.sleep(for: .milliseconds(16))
    }
  }
  let redrawing = Task {
    for await _ in counting.changes {
      display.effects = counting.counts
      display.draw()
      try await Task.sleep(for: .milliseconds(16))
    }
  }
  let ending = await obey(events, store, display)
  for task in [drawing, redrawing] {
    task.cancel()
    _ = await task.result
  }
  terminal.restore()
  let failure = recorder?.failure
  if let failure { complain("\(failure)") }
  // The terminal is restored, so end as after the signal: this is the status of a program that it has ended.
  if case .signal(let number) = ending { exit(128 + number) }
  if failure != nil { exit(1) }
}

/// Turns keys into actions until a key or a signal ends the program; returns that event.
@MainActor
private func obey(
  _ events: AsyncStream<TerminalEvent>, _ store: Store<Search>, _ display: Display
) async -> TerminalEvent? {
  for await event in events {
    switch event {
    case .key(.character(let character)): store.send(.typed(character))
    case .key(.backspace): store.send(.erased)
    case .key(.escape), .key(.eraseLine): store.send(.cleared)
    case .key(.up): display.scroll(by: -1)
    case .key(.down): display.scroll(by: 1)
    case .key(.pageUp): display.scroll(by: -display.page)
    case .key(.pageDown): display.scroll(by: display.page)
    case .key(.home): display.scroll(by: -1_000_000)
    case .key(.end): display.scroll(by: 1_000_000)
    case .key(.endOfInput): if await store.state.query.isEmpty { return event }
    case .key(.interrupt), .signal: return event
    case .resized: display.draw()
    }
  }
  return nil
}

/// What became of the searches of a store.
private final class Counting: Sendable {
  /// An element whenever the counts have changed; several changes may be one element.
  let changes: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let value = Mutex(EffectCounts())

  init() {
    (changes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var counts: EffectCounts { value.withLock { $0 } }

  func count(_ event: TraceEvent<Search.Action>) {
    if value.withLock({ $0.count(event) }) { signal.yield() }
  }
}

/// Counts by a listener: an iteration could lose events if the screen is slow.
private func count(the store: Store<Search>) -> Counting {
  let counting = Counting()
  store.trace.listen(timed: false) { counting.count($0) }
  return counting
}

/// What the terminal shows: drawn again when the state, the counts or the size of the terminal change, and when the user
/// scrolls. How far a list is scrolled is no state of the search: a recorded session does not have it.
@MainActor
private final class Display {
  private let terminal: Terminal
  private let directory: String
  private let style = Style.ofEnvironment
  private var state = Search.State()
  private var offset = 0
  var effects = EffectCounts()

  init(terminal: Terminal, directory: String) {
    self.terminal = terminal
    self.directory = directory
  }

  private var screen: Screen {
    Screen(directory: directory, size: terminal.size, offset: offset, effects: effects, style: style)
  }

  var page: Int { screen.page }

  func show(_ state: Search.State, _ effects: EffectCounts) {
    // Another query has other results.
    if state.query != self.state.query { offset = 0 }
    self.state = state
    self.effects = effects
    draw()
  }

  func scroll(by rows: Int) {
    offset = screen.scrolled(by: rows, in: state)
    draw()
  }

  func draw() {
    terminal.show(screen.frame(for: state))
  }
}
