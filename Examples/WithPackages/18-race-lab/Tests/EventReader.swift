// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads a stream of events as a browser does, until it is cancelled.
struct EventReader: AsyncSequence {
  struct Event: Equatable {
    var name = ""
    var data = ""
  }

  let url: URL

  func makeAsyncIterator() -> Iterator { Iterator(Connection(url)) }

  struct Iterator: AsyncIteratorProtocol {
    private let connection: Connection
    private var pieces: AsyncStream<Data>.Iterator
    private var bytes = Data()

    fileprivate init(_ connection: Connection) {
      self.connection = connection
      pieces = connection.pieces.makeAsyncIterator()
    }

    /// The next event that has a name; `nil` when the server has ended the stream.
    mutating func next() async -> Event? {
      while true {
        while let end = bytes.firstRange(of: Data("\n\n".utf8)) {
          let event = Self.event(String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
          bytes = Data(bytes[end.upperBound...])
          if let event { return event }
        }
        guard let piece = await pieces.next(isolation: #isolation) else { return nil }
        bytes += piece
      }
    }

    func cancel() { connection.cancel() }

    private static func event(_ text: String) -> Event? {
      let lines = text.split(separator: "\n")
      guard lines.count == 2, lines[0].hasPrefix("event: "), lines[1].hasPrefix("data: ") else { return nil }
      return Event(name: String(lines[0].dropFirst(7)), data: String(lines[1].dropFirst(6)))
    }
  }
}

private final class Connection: NSObject, URLSessionDataDelegate {
  let pieces: AsyncStream<Data>
  private let continuation: AsyncStream<Data>.Continuation
  private let url: URL

  init(_ url: URL) {
    self.url = url
    (pieces, continuation) = AsyncStream.makeStream()
    super.init()
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: url)
    continuation.onTermination = { _ in
      task.cancel()
      session.invalidateAndCancel()
    }
    task.resume()
  }

  func cancel() { continuation.finish() }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish()
  }
}
