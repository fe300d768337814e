// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The program: a shop with several processes, or one of these processes.
@main
enum Main {
  private struct Interrupted: Error {
    let signal: Int32
  }

  static func main() async {
    do {
      switch try Command(Array(CommandLine.arguments.dropFirst())) {
      case .help: print(Command.usage)
      case .work(let worker): try await worker.run()
      case .shop(let shop): try await show(shop)
      }
    } catch let interrupted as Interrupted {
      exit(128 + interrupted.signal)
    } catch {
      report("orders: \(error)")
      exit(error is Command.Wrong ? 2 : 1)
    }
  }

  /// A line on standard error.
  static func report(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }

  /// Runs a shop until it is done, or until a signal. In both cases nothing is left of it.
  private static func show(_ shop: Shop) async throws {
    guard let program = Bundle.main.executableURL else { throw Failure(description: "the program has no path") }
    let (signals, signal) = AsyncStream<Int32>.makeStream()
    let sources = await whenSignalled([SIGINT, SIGTERM, SIGHUP]) { signal.yield($0) }
    defer { for source in sources { source.cancel() } }
    let report = try await withThrowingTaskGroup(of: Shop.Report?.self) { group in
      group.addTask {
        try await LocalDatabase.whileRunning { server in try await shop.run(program: program, folder: server.folder) }
      }
      group.addTask {
        for await signal in signals { throw Interrupted(signal: signal) }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    if let report { print(report) }
  }
}
