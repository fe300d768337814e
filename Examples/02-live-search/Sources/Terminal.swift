// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The terminal, taken over from the shell: every key arrives at once and unseen, and the screen is ours.
///
/// Whoever makes one must call ``restore()`` on every way out, or the shell is left with a screen that does not echo.
struct Terminal {
  struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
  }

  private let before: termios

  /// Whether a person sits at both ends.
  static var isPresent: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 }

  /// Takes over the terminal.
  init() throws {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw PosixError("terminal") }
    before = settings
    unsafe cfmakeraw(&settings)
    // What has been typed ahead is kept here, and thrown away at the end: the shell must not take it for commands.
    guard unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { throw PosixError("terminal") }
    // The alternate screen, and no wrapping: a line that is wider than it seems is cut and moves nothing.
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
    // A terminal that cannot be written to has gone away, which the keyboard reports as the end of input.
    try? write(text, to: STDOUT_FILENO)
  }
}
