// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The program: a shop with several processes, or one of these processes.
@main
enum Main {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 4, let lease = Int(arguments[3]) {
      switch arguments[0] {
      case "work":
        return try await WorkerProcess.run(folder: arguments[1], calls: arguments[2], lease: .seconds(lease))
      case "work-plain":
        return try await WorkerProcess.runPlain(folder: arguments[1], calls: arguments[2], lease: .seconds(lease))
      default: break
      }
    }
    var shop = Shop()
    if arguments.first == "--plain" {
      shop.isPlain = true
      arguments.removeFirst()
    }
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
    guard let machine = report.machine else { return }
    print(
      String(
        format: "processors: busy for %.0f %% of the time, waiting for a disk for %.0f %%", machine.busy * 100,
        machine.waiting * 100))
  }

  private static let usage = "Usage: orders [--plain] [--orders N] [--processes N] [--kill-every-ms N, 0 for never]"
}
