// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each key is an action, each new state a new picture. Returns when the user ends the program.
@MainActor
func searchInTerminal(_ directory: String, recordingTo file: RecordingFile? = nil) async throws {
  // On the main actor, like the display: `send` has reduced when it returns, and the state can be read.
  let excluded = file.flatMap { FileIdentity($0.path) }
  let reducer = Search { query in FileSearch(directory: directory, query: query, excluded: excluded) }
  let store = Store(initialState: Search.State(), reducer: reducer, isolation: MainActor.shared)
  // A state holds 200 lines here; written after every action, it would take a hundred times the space of the actions.
  let recorder = try await record(store, to: file, checkpoints: 50)
  let events = terminalEvents()
  // From here on until it is restored nothing throws, and the signals that would end the program are only events.
  let terminal = try Terminal()
  let display = Display(terminal: terminal, directory: directory)
  let drawing = Task {
    for await state in store.values(\.self) {
      display.show(state)
      // Changes meanwhile are not lost: the sequence goes on with the newest state. A person sees no more per second.
      try await Task.sleep(for: .milliseconds(16))
    }
  }
  let ending = await obey(events, store, display)
  drawing.cancel()
  _ = await drawing.result
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
    case .key(.endOfInput): if await store.state.query.isEmpty { return event }
    case .key(.interrupt), .signal: return event
    case .resized: display.draw()
    }
  }
  return nil
}

/// What the terminal shows: drawn again when the state or the size of the terminal changes.
@MainActor
private final class Display {
  private let terminal: Terminal
  private let directory: String
  private var state = Search.State()

  init(terminal: Terminal, directory: String) {
    self.terminal = terminal
    self.directory = directory
  }

  func show(_ state: Search.State) {
    self.state = state
    draw()
  }

  func draw() {
    terminal.show(Screen(directory: directory, size: terminal.size).frame(for: state))
  }
}
