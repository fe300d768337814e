// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The program: a shop with several processes, or one of these processes.
@main
enum Main {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 4, arguments[0] == "work", let lease = Int(arguments[3]) {
      return try await WorkerProcess.run(folder: arguments[1], calls: arguments[2], lease: .seconds(lease))
    }
    var shop = Shop()
    while arguments.count >= 2, let value = Int(arguments[1]) {
      switch arguments[0] {
      case "--orders": shop.orders = value
      case "--processes": shop.processes = value
      case "--kill-every-ms": shop.killEvery = value > 0 ? .milliseconds(value) : nil
      default: return print(usage)
      }
      arguments.removeFirst(2)
    }
    guard arguments.isEmpty, let program = Bundle.main.executableURL else { return print(usage) }
    let report = try await LocalDatabase.whileRunning { try await shop.run(program: program, folder: $0) }
    print(
      "\(shop.orders) orders, \(shop.processes) processes, \(report.kills) kills, \(report.leftInOrder) left in order")
    print("committed: \(report.results) results of \(report.distinctResults) orders, \(report.done) marked as done")
    print("calls outside: \(report.calls), of which \(report.calls - report.distinctCalls) repeated a key")
    print(
      String(
        format: "%.0f orders/s; from take to commit p50 %.1f ms, p99 %.1f ms", Double(shop.orders) / report.seconds,
        report.p50, report.p99))
  }

  private static let usage = "Usage: orders [--orders N] [--processes N] [--kill-every-ms N, 0 for never]"
}
