// This source file is part of swift-effects. License: Apache-2.0.

import CPostgres
import Foundation

/// One connection to the server. Its calls are executed one after another on a queue of its own, because libpq blocks.
///
/// It is made by the first statement, and made again by the first one after it was lost.
@safe final class Connection: @unchecked Sendable {
  // SAFETY: `raw` and `source` are used on `queue` only, and `raw` in `deinit`, when no closure of the queue has a
  // reference any more.
  private var raw: OpaquePointer?
  private let queue = DispatchQueue(label: "connection")
  private var source: (any DispatchSourceRead)?
  private let folder: String
  private let outages: Outages

  /// - Parameters:
  ///   - folder: the folder with the socket of the server.
  ///   - outages: is notified when the connection is lost, and when it is made.
  init(folder: String, outages: Outages = Outages { _ in }) {
    self.folder = folder
    self.outages = outages
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
    let raw = unsafe try opened()
    let copies = unsafe parameters.map { unsafe strdup($0) }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    let values: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) }
    let result = unsafe PQexecParams(raw, statement, Int32(parameters.count), nil, values, nil, nil, 0)
    defer { unsafe PQclear(result) }
    guard unsafe [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
      if unsafe PQstatus(raw) != CONNECTION_OK || Self.isOutage(result) { throw unsafe lost(raw) }
      throw unsafe Failure(description: Self.problem(raw))
    }
    return unsafe (0..<PQntuples(result)).map { row in
      unsafe (0..<PQnfields(result)).map { column in unsafe String(cString: PQgetvalue(result, row, column)) }
    }
  }

  /// One element for each notification of a channel; several that come while no code reads are one. Ends when the
  /// connection is lost. No other statement may be executed on the connection.
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
        guard unsafe PQconsumeInput(raw) == 1, unsafe PQstatus(raw) == CONNECTION_OK else {
          if let raw = unsafe raw { _ = unsafe lost(raw) }
          return continuation.finish()
        }
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

extension Connection {
  /// The connection. It is made again if it is lost, or if the server has closed it while it was not used.
  private func opened() throws -> OpaquePointer {
    if let raw = unsafe raw, unsafe PQstatus(raw) == CONNECTION_OK {
      // Between statements the server says nothing, except that it goes away.
      var socket = unsafe pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
      if unsafe poll(&socket, 1, 0) == 0 { return unsafe raw }
    }
    unsafe PQfinish(raw)
    unsafe raw = PQconnectdb("host=\(folder) user=orders dbname=postgres connect_timeout=2")
    guard let raw = unsafe raw else { throw Failure(description: "no memory for a connection") }
    guard unsafe PQstatus(raw) == CONNECTION_OK else { throw unsafe lost(raw) }
    // Errors are thrown. Otherwise libpq prints what the server says on standard error.
    unsafe PQsetNoticeProcessor(raw, { _, _ in }, nil)
    outages.ended()
    return unsafe raw
  }

  private func lost(_ raw: OpaquePointer) -> Outage {
    let outage = unsafe Outage(description: Self.problem(raw))
    outages.began(outage)
    return outage
  }

  /// Whether the server says that it cannot work now: classes of errors are the connection, the resources (a full disk),
  /// the operator and the system.
  private static func isOutage(_ result: OpaquePointer?) -> Bool {
    guard let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return true }
    return unsafe ["08", "53", "57", "58"].contains(String(cString: state).prefix(2))
  }

  /// The first line of the last error.
  private static func problem(_ raw: OpaquePointer) -> String {
    let text = unsafe String(cString: PQerrorMessage(raw))
    return text.split(separator: "\n").first.map(String.init) ?? "the connection is closed"
  }
}
