// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization
import Testing

@testable import GatewayCore

/// The client of the upstream service, before a service that does what it should not.
@Suite(.serialized, .timeLimit(.minutes(1))) struct `The upstream client` {
  private static func failure(_ answer: String) async throws -> UpstreamFailure? {
    try await RawUpstream.run { _ in
      answer
    } _: { client in
      do {
        _ = try await client.item("a", AccessToken("1"))
        return nil
      } catch {
        return UpstreamFailure(error)
      }
    }
  }

  @Test(arguments: [
    "/other", "", "//127.0.0.1:99999/", "http://127.0.0.1:65536/", "http://127.0.0.1:99999999999999999999/",
    "http://[::1]:70000/", "http://[]/", "http://localhost:-1/", "http://169.254.169.254/", "unix:///tmp/a",
    "https+unix://a/b", "file:///etc/passwd", "http://", "::",
  ])
  func `A redirect is not followed`(to location: String) async throws {
    for status in [300, 301, 302, 303, 307, 308] {
      let paths = Mutex<[String]>([])
      let failure = try await RawUpstream.run { head in
        paths.withLock { $0.append(String(head.prefix(while: { $0 != "\r\n" }))) }
        return "HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 4\r\n\r\nelse"
      } _: { client in
        await #expect(throws: UpstreamFailure.self) { try await client.item("a", AccessToken("1")) }
      }
      #expect(failure == .strange(status: status))
      #expect(paths.withLock { $0 } == ["GET /items/a HTTP/1.1"])
    }
  }

  @Test(arguments: [429, 503]) func `Retry-After is read with both statuses`(_ status: Int) async throws {
    for (text, wait) in [
      ("7", 7), ("0", 0), ("999999999999999999999", 3_600), ("Sun, 06 Nov 1994 08:49:39 GMT", 2),
      ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("soon", nil), ("-1", nil), ("", nil),
    ] as [(String, Int?)] {
      let failure = try await Self.failure(
        """
        HTTP/1.1 \(status) No\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: \(text)\r\n\
        Content-Length: 0\r\n\r\n
        """)
      #expect(failure == .busy(retryAfter: wait.map { .seconds($0) }), "\(text)")
    }
  }

  @Test(arguments: [
    "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf",
  ])
  func `An answer that ends early may be asked for again`(_ answer: String) async throws {
    #expect(try await Self.failure(answer) == .unavailable)
  }

  @Test func `A token that was refused is not sent again`() async throws {
    let requests = Mutex(0)
    try await RawUpstream.run { _ in
      requests.withLock { $0 += 1 }
      // The service closes the connection. A client that is not told so may use it for the next request.
      return "HTTP/1.1 401 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    } _: { client in
      for token in ["1", "1", "2", "2"] {
        await #expect(throws: UpstreamFailure.unauthorized) { try await client.item("a", AccessToken(token)) }
      }
    }
    #expect(requests.withLock { $0 } == 2)
  }
}

@Suite struct RetryAfterTests {
  @Test(
    arguments: [
      ("0", 0), (" 12 ", 12), ("3600", 3_600), ("3601", 3_600), ("9223372036854775808", 3_600),
      ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
      ("Sun, 06 Nov 1994 08:49:30 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 3_600),
      ("", nil), ("-5", nil), ("+5", nil), ("1.5", nil), ("1e3", nil), ("٣", nil), ("never", nil), ("5 5", nil),
    ] as [(String, Int?)])
  func `A number of seconds or a date is a wait`(text: String, seconds: Int?) {
    let wait = RetryAfter.wait(text, date: "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(wait == seconds.map { .seconds($0) })
  }

  @Test(arguments: [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_999, 60)])
  func `A client receives whole seconds, not fewer`(milliseconds: Int, seconds: Int) {
    #expect(Answer.busy(retryAfter: .milliseconds(milliseconds)).retryAfter == seconds)
  }
}

@Suite struct UpstreamAddressTests {
  @Test(arguments: [
    "http://127.0.0.1:8081", "https://localhost", "http://[::1]:1", "http://a.example:65535/path/more",
  ])
  func `An address that can be called`(text: String) {
    #expect(UpstreamAddress(text)?.text == text)
    #expect(UpstreamAddress(text + "/")?.text == text)
  }

  @Test(arguments: [
    "", "localhost", "localhost:8081", "//localhost", "http://", "http:///a", "http://:80", "http://[]", "http://[]:80",
    "http://a:0", "http://a:65536", "http://a:99999999999999999999", "http://a:-1", "http://a:b", "http://a:",
    "ftp://a",
    "unix:///a", "http+unix://a", "http://a?b", "http://a#b", "http://user@a", "http://user:b@a", "http://a b",
    "http://a:80:80", "http://[::1", "http://a\r\nb",
  ])
  func `An address that cannot be called is none`(text: String) {
    #expect(UpstreamAddress(text) == nil)
  }
}
