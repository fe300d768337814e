// This source file is part of swift-effects. License: Apache-2.0.

import AsyncHTTPClient
import EffectGateway
import Foundation
import GatewayCore
import Hummingbird
import Logging
import PlainGateway
import ServiceLifecycle
import UnixSignals

@main enum Main {
  private static let usage = """
    gateway effect|plain [port [upstream]]   serves until SIGTERM or SIGINT; the upstream is http://127.0.0.1:8081
    gateway load [seconds [clients]]         measures both in turn, with a healthy, a slow and a failing upstream service
    """

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().map { Int($0) }
    switch arguments.first {
    case "effect", "plain":
      guard let port = numbers.isEmpty ? 8080 : numbers[0], (0...65_535).contains(port) else {
        end("the port must be a number up to 65535.")
      }
      guard let upstream = UpstreamAddress(arguments.count > 2 ? arguments[2] : "http://127.0.0.1:8081") else {
        end("the upstream must be an address, http://127.0.0.1:8081; its port is between 1 and 65535.")
      }
      guard Descriptors.connections(Configuration()) >= 8 else {
        end("\(Descriptors.limit) file descriptors are too few. Set more, `ulimit -n 1024`.")
      }
      try await serve(isPlain: arguments[0] == "plain", port: port, upstream: upstream)
    case "load":
      guard let seconds = numbers.isEmpty ? 2 : numbers[0], (1...86_400).contains(seconds),
        let clients = numbers.count < 2 ? 50 : numbers[1], (1...10_000).contains(clients)
      else { end("a load has 1 to 86400 seconds and 1 to 10000 clients.") }
      for upstream in Load.Upstream.allCases {
        for isPlain in [true, false] {
          let load = Load(isPlain: isPlain, upstream: upstream, duration: .seconds(seconds), clients: clients)
          print(try await load.run())
        }
      }
    default: print(usage)
    }
  }

  static func gateway(isPlain: Bool, _ configuration: Configuration, _ upstream: UpstreamClient) -> Gateway {
    isPlain ? PlainGateway(configuration, upstream).gateway : EffectGateway.make(configuration, upstream)
  }

  private static func end(_ problem: String) -> Never {
    FileHandle.standardError.write(Data("gateway: \(problem)\n".utf8))
    exit(64)  // EX_USAGE of sysexits.h
  }

  private static func serve(isPlain: Bool, port: Int, upstream: UpstreamAddress) async throws {
    let (configuration, logger) = (Configuration(), Logger(label: "gateway"))
    let client = UpstreamClient.httpClient(configuration)
    let gateway = gateway(isPlain: isPlain, configuration, .live(upstream, client))
    let server = FrontEnd(gateway, configuration).application(port: port, logger: logger) {
      print("The \(isPlain ? "plain" : "effect") gateway listens on http://127.0.0.1:\($0).")
      // A program that reads this from a pipe gets the line at once.
      fflush(nil)
    }
    // They are shut down from the last to the first.
    var services = ServiceGroupConfiguration(
      services: [server, GatewayService(gateway, configuration)], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // The server waits for its connections, and a client may never send the rest of its request.
    services.maximumGracefulShutdownDuration = configuration.drain + .seconds(5)
    try await ServiceGroup(configuration: services).run()
    try await client.shutdown()
  }
}
