// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import Inspector

@Suite struct `Who may send requests` {
  @Test(arguments: ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"])
  func `The page itself, and the address bar`(host: String) {
    #expect(Sender(host: host).isThisPage(port: 4000))
    #expect(Sender(host: host, origin: "http://\(host.lowercased())").isThisPage(port: 4000))
    #expect(Sender(host: host, site: "none").isThisPage(port: 4000))
    #expect(Sender(host: host, site: "same-origin").isThisPage(port: 4000))
  }

  @Test(arguments: [
    "example.org", "example.org:4000", "127.0.0.1", "127.0.0.1:4001", "127.0.0.1:4000.example.org", "0.0.0.0:4000", "",
    "[::1]:4000",
  ])
  func `No request under another name, which may be one that an attacker points to this machine`(host: String) {
    #expect(!Sender(host: host).isThisPage(port: 4000))
  }

  @Test(arguments: [
    "https://example.org", "http://127.0.0.1:4001", "https://127.0.0.1:4000", "null", "", "http://localhost:4000",
  ])
  func `No request of another origin, also of another port or name of this machine`(origin: String) {
    #expect(!Sender(host: "127.0.0.1:4000", origin: origin).isThisPage(port: 4000))
  }

  @Test(arguments: ["cross-site", "same-site", "anything"])
  func `No request that another site has caused`(site: String) {
    #expect(!Sender(host: "127.0.0.1:4000", site: site).isThisPage(port: 4000))
  }

  @Test func `Nothing before the server listens, and nothing without a host`() {
    #expect(!Sender(host: "127.0.0.1:4000").isThisPage(port: nil))
    #expect(!Sender().isThisPage(port: 4000))
  }
}
