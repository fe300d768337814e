// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The program: reads the command line, then calls the part for a terminal or the part for a pipe.
@main
enum LiveSearch {
  static let usage = """
    Usage: live-search [--record FILE] [DIRECTORY]
           live-search --test FILE

    Searches all files below DIRECTORY (by default the current one) while you type.
    Esc or Ctrl-U clears the query, Ctrl-C quits. The arrow keys, PgUp, PgDn, Home and End
    scroll through the first 200 matches. NO_COLOR turns colours off.

    If standard input or output is not a terminal, each line of the input is a query, and
    every line that contains it is written to the output as "file:line: text". If there are
    several queries, or one has no match, standard error says how many lines each has found.

    A query in small letters finds capitals too. Hidden files, symbolic links and binary
    files are not searched.

    --record writes the session to FILE: all that was typed and found, in the order it happened.
    --test makes a test of it, as Swift source.

    """

  @MainActor
  static func main() async {
    do {
      switch try parse(Array(CommandLine.arguments.dropFirst())) {
      case .help: try write(usage, to: STDOUT_FILENO)
      case .search(let directory, let recording):
        // Report a missing directory now, not in the status line after the first key.
        _ = try DirectoryWalk(directory)
        try await Terminal.isPresent
          ? searchInTerminal(directory, recordingTo: recording) : searchInPipe(directory, recordingTo: recording)
      case .test(let file):
        let recording = try Recording(contentsOfFile: file)
        try write(testSource(of: recording), to: STDOUT_FILENO)
        if let damage = recording.damage {
          complain("the recording is damaged: \(damage)")
          exit(1)
        }
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
    case search(directory: String, recording: String? = nil)
    case test(String)
  }

  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  static func parse(_ arguments: [String]) throws(UsageError) -> Command {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    var rest = arguments[...]
    var directories: [String] = []
    var option: (name: String, file: String)?
    while let argument = rest.popFirst() {
      switch argument {
      case "--record", "--test":
        if let option { throw UsageError(description: "\(option.name) and \(argument) do not go together") }
        guard let file = rest.popFirst(), !file.hasPrefix("-") else {
          throw UsageError(description: "\(argument) needs a file")
        }
        option = (argument, file)
      case _ where argument.hasPrefix("-"): throw UsageError(description: "unknown option \(argument)")
      default: directories.append(argument)
      }
    }
    if let option, option.name != "--record" {
      guard directories.isEmpty else { throw UsageError(description: "\(option.name) takes no directory") }
      return .test(option.file)
    }
    guard directories.count < 2 else {
      throw UsageError(description: "one directory at most, not \(directories.count)")
    }
    return .search(directory: directories.first ?? ".", recording: option?.file)
  }
}
