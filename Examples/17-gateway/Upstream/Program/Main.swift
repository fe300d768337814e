// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Hummingbird
import Logging
import UpstreamService

/// `upstream [port]`
@main enum Main {
  static func main() async throws {
    guard let port = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) : 8081, (0...65_535).contains(port)
    else {
      FileHandle.standardError.write(Data("upstream: the port must be a number up to 65535.\n".utf8))
      exit(64)  // EX_USAGE of sysexits.h
    }
    let service = UpstreamService().application(port: port, logger: Logger(label: "upstream")) {
      print("The upstream service listens on http://127.0.0.1:\($0).")
      // A program that reads this from a pipe gets the line at once.
      fflush(nil)
    }
    try await service.runService()
  }
}
