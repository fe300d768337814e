// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a terminal program has to react to.
enum TerminalEvent: Equatable, Sendable {
  case key(Key)
  case resized
  /// The system or a user requests that the program ends.
  case signal(Int32)
}

/// Keys and signals in one sequence, which ends when the terminal is closed. Call this once only: it has no undo.
func terminalEvents() -> AsyncStream<TerminalEvent> {
  AsyncStream { continuation in
    for number in [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
      // Without this, the signal would still have its default effect: it ends the program, with the terminal raw.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler {
        // The handler keeps its own source alive: it is needed as long as there is a program.
        withExtendedLifetime(source) { _ = continuation.yield(number == SIGWINCH ? .resized : .signal(number)) }
      }
      source.resume()
    }
    // A thread of its own: reading the keyboard blocks, and the threads that run effects are few.
    DispatchQueue(label: "keyboard").async {
      readKeys { continuation.yield(.key($0)) }
      continuation.finish()
    }
  }
}

/// Reads keys until there is nothing more to read from.
private func readKeys(_ report: (Key) -> Void) {
  var decoder = KeyDecoder()
  while true {
    // The bytes of one key arrive together; a person cannot press two keys so fast.
    if decoder.isUndecided, !isKeyboardReady(within: .milliseconds(50)) {
      decoder.pause().map(report)
      continue
    }
    var byte: UInt8 = 0
    let count = unsafe read(STDIN_FILENO, &byte, 1)
    if count == 1 {
      decoder.next(byte).forEach(report)
    } else if count == 0 || errno != EINTR {
      return
    }
  }
}

private func isKeyboardReady(within duration: Duration) -> Bool {
  var keyboard = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&keyboard, 1, Int32(duration / .milliseconds(1))) != 0
}
