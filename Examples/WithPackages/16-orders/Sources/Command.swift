// This source file is part of swift-effects. License: Apache-2.0.

/// What the arguments of the program say.
enum Command {
  case help
  case shop(Shop)
  case work(WorkerProcess)

  /// A sentence about an argument.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    Usage: orders [--plain] [--orders N] [--processes N] [--kill-every-ms N, 0 for never]
           orders work|work-plain FOLDER CALLS LEASE-SECONDS ATTEMPTS
    """

  init(_ arguments: [String]) throws {
    if ["work", "work-plain"].contains(arguments.first) {
      guard arguments.count == 5 else {
        throw Wrong(
          description: "\(arguments[0]) needs a folder, a file for the calls, the seconds of a lease, and attempts")
      }
      self = .work(
        WorkerProcess(
          folder: arguments[1], calls: arguments[2],
          lease: try Self.number("the lease", arguments[3], in: 1...3600),
          attempts: try Self.number("the number of attempts", arguments[4], in: 1...1_000_000),
          isPlain: arguments[0] == "work-plain"))
      return
    }
    var shop = Shop()
    var rest = arguments[...]
    while let flag = rest.popFirst() {
      switch flag {
      case "--help", "-h":
        self = .help
        return
      case "--plain": shop.isPlain = true
      case "--orders": shop.orders = try Self.number(flag, rest.popFirst(), in: 1...10_000_000)
      case "--processes": shop.processes = try Self.number(flag, rest.popFirst(), in: 1...16)
      case "--kill-every-ms":
        let value = try Self.number(flag, rest.popFirst(), in: 0...86_400_000)
        shop.killEvery = value > 0 ? .milliseconds(value) : nil
      default: throw Wrong(description: "there is no argument \"\(flag)\"; --help shows the arguments")
      }
    }
    self = .shop(shop)
  }

  private static func number(_ name: String, _ text: String?, in range: ClosedRange<Int>) throws -> Int {
    if let text, let value = Int(text), range.contains(value) { return value }
    let found = text.map { ", and not \"\($0)\"" } ?? ""
    throw Wrong(description: "\(name) needs a number from \(range.lowerBound) to \(range.upperBound)\(found)")
  }
}
