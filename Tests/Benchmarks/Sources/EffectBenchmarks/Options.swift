// This source file is part of swift-effects. License: Apache-2.0.

/// The options of the command line.
struct Options {
  var only: [String] = []
  var rounds: Int?
  var isAlone = false
  var wantsHelp = false

  /// Why a command line is not valid.
  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: some Sequence<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--alone":
        isAlone = true
      case "--help", "-h":
        wantsHelp = true
      case "--only":
        guard let name = rest.popFirst() else { throw Misuse(description: "--only needs the name of a row") }
        only.append(name)
      case "--rounds":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw Misuse(description: "--rounds needs a number above 0")
        }
        rounds = count
      default:
        throw Misuse(description: "'\(argument)' is no option")
      }
    }
  }

  static func help(rows: [any Measurable]) -> String {
    """
    USAGE: effect-benchmarks [--only NAME]... [--rounds COUNT] [--alone]

    Measures swift-effects against hand-written Swift, each in turn, round by round, and prints medians: what one unit
    of work takes, and the ratio beside its goal. The rows of growth measure it against itself, at other sizes.
    Build it with `-c release`.

    OPTIONS:
      --only NAME     Measures one row, or a group ("growth", "latency"); may be given several times.
      --rounds COUNT  Measures every contestant so many times, instead of the row's own number.
      --alone         Leaves the rivals out, and with them the ratios: for a profiler.
      --help          Shows this.

    ROWS:
    \(rows.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"))

    `python3 .ci/client.py` measures two more, because they run the compiler:
      build: clean release build of a one-file client
      size: its stripped executable

    EXIT STATUS: 0 if every goal is met, 1 if one is missed, 2 if the command line was not understood.
    """
  }
}
