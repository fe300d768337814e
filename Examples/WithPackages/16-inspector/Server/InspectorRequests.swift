// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import FlyingFox
import Foundation
import InspectorCore
import Synchronization

/// Answers the requests of the page.
struct InspectorRequests: Sendable {
  let session: InspectorSession
  /// The port at which the server listens; until it does, all requests are refused.
  let port: ListeningPort
  private let streams = StreamCount()

  static let mostBytes = 65_536

  init(_ session: InspectorSession, port: ListeningPort) {
    self.session = session
    self.port = port
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard Self.sender(of: request).isThisPage(port: port.value) else {
      return Self.failure(.forbidden, "Only the page of this inspector may send requests.")
    }
    do {
      switch (request.method, request.path) {
      case (.GET, "/events"): return events(request)
      case (.GET, "/rows"): return try rows(request)
      case (.GET, "/moment"): return try json(store(request).moment(at: number("at", request)))
      case (.GET, "/trace"): return try trace(request)
      case (.GET, "/recording"): return try export(request, isTest: false)
      case (.GET, "/test"): return try export(request, isTest: true)
      case (.POST, "/send"), (.POST, "/fork"), (.POST, "/continue"), (.POST, "/drop"):
        return try await change(request)
      case (.GET, let path): return page(path) ?? Self.failure(.notFound, "There is no \(path).")
      default: return Self.failure(.methodNotAllowed, "\(request.method.rawValue) is not allowed here.")
      }
    } catch let error as InspectorError {
      return Self.failure(error.statusCode, error.description)
    } catch let error as BadRequest {
      return Self.failure(error.statusCode, error.reason)
    } catch {
      return Self.failure(.internalServerError, "\(error)")
    }
  }

  // MARK: - Sender

  private static func sender(of request: HTTPRequest) -> Sender {
    Sender(
      host: request.headers[.host], origin: request.headers[HTTPHeader("Origin")],
      site: request.headers[HTTPHeader("Sec-Fetch-Site")])
  }

  // MARK: - Reading

  private func number(_ name: String, _ request: HTTPRequest) throws -> Int {
    guard let number = request.query[name].flatMap({ Int($0) }), number >= 0 else {
      throw BadRequest("“\(name)” must be a number that is not negative.")
    }
    return number
  }

  private func numberIfPresent(_ name: String, _ request: HTTPRequest) throws -> Int? {
    try request.query[name] == nil ? nil : number(name, request)
  }

  private func store(_ request: HTTPRequest) throws -> any InspectedStore {
    try session.store(number("store", request))
  }

  private func filter(_ request: HTTPRequest) -> RowFilter {
    let kind = request.query["kind"]
    return RowFilter(text: request.query["text"] ?? "", kind: kind == "" ? nil : kind)
  }

  private func rows(_ request: HTTPRequest) throws -> HTTPResponse {
    let before = try number("before", request)
    let rows = try store(request).rows(in: 0..<before, limit: 100, scan: 10_000, filter: filter(request))
    return try json(rows)
  }

  private func trace(_ request: HTTPRequest) throws -> HTTPResponse {
    let at = try number("at", request)
    let events = try store(request).events(in: max(0, at - 30)..<at + 16)
    return HTTPResponse(
      statusCode: .ok, headers: Self.headers("application/json"),
      body: Data("[\(events.joined(separator: ","))]".utf8))
  }

  private func export(_ request: HTTPRequest, isTest: Bool) throws -> HTTPResponse {
    let (newest, position) = try (numberIfPresent("newest", request), numberIfPresent("upTo", request))
    let store = try store(request)
    let bytes =
      try isTest
      ? Array(store.testSource(newest: newest, upTo: position).utf8)
      : store.recording(newest: newest, upTo: position).bytes
    var headers = Self.headers("text/plain")
    headers[HTTPHeader("Content-Disposition")] =
      "attachment; filename=\"\(isTest ? "SessionTests.swift" : "session.recording")\""
    return HTTPResponse(statusCode: .ok, headers: headers, body: Data(bytes))
  }

  /// A stream that goes on until the browser closes it.
  private func events(_ request: HTTPRequest) -> HTTPResponse {
    guard let stream = streams.open() else {
      return Self.failure(.serviceUnavailable, "Too many pages show this inspector. Close one.")
    }
    let id = request.query["store"].flatMap { Int($0) }
    let body = LiveStream(session, store: id, filter: filter(request), stream)
    return HTTPResponse(
      statusCode: .ok, headers: Self.headers("text/event-stream"), body: HTTPBodySequence(from: body))
  }

  // MARK: - Changing

  private struct Change: Decodable {
    let store: Int
    let action: String?
    let at: Int?
  }

  private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
    let change = try await decoded(request)
    switch request.path {
    case "/send":
      guard let action = change.action else { throw BadRequest("“action” is missing.") }
      try session.store(change.store).send(Array(action.utf8))
      return try json(["store": change.store])
    case "/fork":
      guard let position = change.at else { throw BadRequest("“at” is missing.") }
      return try json(["store": try await session.fork(change.store, at: position)])
    case "/continue": return try json(["store": try await session.continueFork(change.store)])
    default:
      try session.drop(change.store)
      return try json(["store": change.store])
    }
  }

  private func decoded(_ request: HTTPRequest) async throws -> Change {
    // Forms of other pages cannot send this type unless the server allows it.
    guard request.headers[.contentType] == "application/json" else {
      throw BadRequest("The content type must be application/json.")
    }
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }) else {
      throw BadRequest("The length is missing.", .lengthRequired)
    }
    guard length <= Self.mostBytes else {
      throw BadRequest("More than \(Self.mostBytes) bytes.", .payloadTooLarge)
    }
    guard let body = try? await request.bodyData, let change = try? JSONDecoder().decode(Change.self, from: body) else {
      throw BadRequest("This is not the JSON of a request.")
    }
    return change
  }

  // MARK: - Answers

  private func json(_ value: some Encodable) throws -> HTTPResponse {
    HTTPResponse(statusCode: .ok, headers: Self.headers("application/json"), body: try JSONEncoder().encode(value))
  }

  static func failure(_ code: HTTPStatusCode, _ reason: String) -> HTTPResponse {
    let body = try? JSONEncoder().encode(["error": reason])
    return HTTPResponse(statusCode: code, headers: headers("application/json"), body: body ?? Data())
  }
}

/// The port of a server, which is known when the server has begun to listen.
final class ListeningPort: Sendable {
  private let port = Mutex<UInt16?>(nil)

  var value: UInt16? { port.withLock { $0 } }

  func set(_ value: UInt16) { port.withLock { $0 = value } }
}

/// A request that cannot be understood.
private struct BadRequest: Error {
  let reason: String
  let statusCode: HTTPStatusCode

  init(_ reason: String, _ statusCode: HTTPStatusCode = .badRequest) {
    self.reason = reason
    self.statusCode = statusCode
  }
}

extension InspectorError {
  fileprivate var statusCode: HTTPStatusCode {
    switch self {
    case .unknownStore, .unknownPosition: .notFound
    case .undecodable, .unencodable: .badRequest
    case .nameInUse, .storeEnded, .notAFork, .tooManyForks: HTTPStatusCode(409, phrase: "Conflict")
    }
  }
}
