// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Hummingbird
import Logging
import UpstreamService

/// `upstream [port]`
@main enum Main {
  static func main() async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8081
    let service = UpstreamService().application(port: port, logger: Logger(label: "upstream")) {
      print("The upstream service listens on http://127.0.0.1:\($0).")
      // A program that reads this from a pipe gets the line at once.
      fflush(nil)
    }
    try await service.runService()
  }
}
