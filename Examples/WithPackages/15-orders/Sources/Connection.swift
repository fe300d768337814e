// This source file is part of swift-effects. License: Apache-2.0.

import CPostgres
import Foundation

struct DatabaseError: Error, CustomStringConvertible {
  let description: String
}

/// One connection to the server. Its calls are executed one after another on a queue of its own, because libpq blocks.
@safe final class Connection: @unchecked Sendable {
  // SAFETY: `raw` and `source` are used on `queue` only, and `raw` in `deinit`, when no closure of the queue has a
  // reference any more.
  private let raw: OpaquePointer
  private let queue = DispatchQueue(label: "connection")
  private var source: (any DispatchSourceRead)?

  /// - Parameter folder: the folder with the socket of the server.
  init(folder: String) throws {
    guard let raw = unsafe PQconnectdb("host=\(folder) user=orders dbname=postgres") else {
      throw DatabaseError(description: "no memory for a connection")
    }
    unsafe self.raw = raw
    guard unsafe PQstatus(raw) == CONNECTION_OK else {
      throw DatabaseError(description: unsafe String(cString: PQerrorMessage(raw)))
    }
  }

  deinit { unsafe PQfinish(raw) }

  /// The rows of a statement, as text. A statement is a transaction of its own.
  @discardableResult
  func rows(_ statement: String, _ parameters: [String] = []) async throws -> [[String]] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.execute(statement, parameters) }) }
    }
  }

  private func execute(_ statement: String, _ parameters: [String]) throws -> [[String]] {
    let copies = unsafe parameters.map { unsafe strdup($0) }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    let values: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) }
    let result = unsafe PQexecParams(raw, statement, Int32(parameters.count), nil, values, nil, nil, 0)
    defer { unsafe PQclear(result) }
    guard unsafe [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
      throw DatabaseError(description: unsafe String(cString: PQerrorMessage(raw)))
    }
    return unsafe (0..<PQntuples(result)).map { row in
      unsafe (0..<PQnfields(result)).map { column in unsafe String(cString: PQgetvalue(result, row, column)) }
    }
  }

  /// One element for each notification of a channel; several that come while no code reads are one.
  func notifications(of channel: String) async throws -> AsyncStream<Void> {
    try await rows("LISTEN \(channel)")
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { [self] _ in
      queue.async { [self] in
        source?.cancel()
        source = nil
      }
    }
    queue.async { [self] in
      let source = unsafe DispatchSource.makeReadSource(fileDescriptor: PQsocket(raw), queue: queue)
      source.setEventHandler { [self] in
        // The server has closed the connection: the stream ends.
        guard unsafe PQconsumeInput(raw) == 1 else { return continuation.finish() }
        while let note = unsafe PQnotifies(raw) {
          unsafe PQfreemem(note)
          continuation.yield()
        }
      }
      self.source = source
      source.activate()
    }
    return stream
  }
}
