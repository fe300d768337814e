// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The program: reads the command line, then leaves the work to the terminal or to the pipe.
@main
enum LiveSearch {
  static let usage = """
    Usage: live-search [DIRECTORY]

    Searches all files below DIRECTORY (by default the current one) while you type.
    Esc or Ctrl-U clears the query, Ctrl-C quits.

    If standard input or output is not a terminal, each line of the input is a query, and
    every line that contains it is written to the output as "file:line: text". If there are
    several queries, or one has no match, standard error says how many lines each has found.

    A query in small letters finds capitals too. Hidden files, symbolic links and binary
    files are not searched.

    """

  @MainActor
  static func main() async {
    do {
      switch try parse(Array(CommandLine.arguments.dropFirst())) {
      case .help: try write(usage, to: STDOUT_FILENO)
      case .search(let directory):
        // Said now and plainly, not at the first key by a status line.
        _ = try DirectoryWalk(directory)
        try await Terminal.isPresent ? searchInTerminal(directory) : searchInPipe(directory)
      }
    } catch let error as UsageError {
      complain("\(error)\n\n\(usage)")
      exit(64)  // EX_USAGE of sysexits.h
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  enum Command: Equatable {
    case help
    case search(directory: String)
  }

  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  static func parse(_ arguments: [String]) throws(UsageError) -> Command {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    if let option = arguments.first(where: { $0.hasPrefix("-") }) {
      throw UsageError(description: "unknown option \(option)")
    }
    guard arguments.count < 2 else { throw UsageError(description: "one directory at most, not \(arguments.count)") }
    return .search(directory: arguments.first ?? ".")
  }
}
