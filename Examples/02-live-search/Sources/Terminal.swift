// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal, taken over from the shell: every key arrives at once without an echo, and we own the whole screen.
///
/// The code that makes one must call ``restore()`` on every way out. Otherwise the shell keeps a screen without echo.
struct Terminal {
  struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
  }

  private let before: termios

  /// Whether both input and output are a terminal.
  static var isPresent: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 }

  /// Takes over the terminal.
  init() throws {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw PosixError("terminal") }
    before = settings
    unsafe cfmakeraw(&settings)
    // Typed-ahead keys are kept here, and discarded at the end: the shell must not take them for commands.
    guard unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { throw PosixError("terminal") }
    // The alternate screen, and no wrapping: a line that is wider than counted is cut and moves no other line.
    show("\u{1B}[?1049h\u{1B}[?7l")
  }

  /// Gives the terminal back as it was.
  func restore() {
    show("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    var settings = before
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// How much room there is now; 80 by 24 if the terminal does not say.
  var size: Size {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  func show(_ text: String) {
    // A terminal that cannot be written to was closed, which the keyboard reports as the end of input.
    try? write(text, to: STDOUT_FILENO)
  }
}
