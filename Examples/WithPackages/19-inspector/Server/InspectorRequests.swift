// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import HTTPTypes
import HummingbirdCore
import InspectorCore
import NIOCore

/// Answers the requests that a ``RequestGate`` has let through.
struct InspectorRequests: Sendable {
  private let session: InspectorSession
  private let token: Token
  private let exporter: LoopExecutor
  private let streams: Places
  private let exports = Places(Limits.exports)

  /// Makes exports on a thread of their own, and at most so many streams.
  init(_ session: InspectorSession, _ token: Token, streams: Int, exports exporter: LoopExecutor) {
    self.streams = Places(streams)
    self.session = session
    self.token = token
    self.exporter = exporter
  }

  func answer(_ request: Request) async -> Response {
    do {
      let path = token.rest(of: request.uri.path) ?? ""
      switch (request.method, path) {
      case (.get, "/events"): return try events(request)
      case (.get, "/rows"): return try rows(request)
      case (.get, "/moment"): return try json(store(request).moment(at: number("at", request)))
      case (.get, "/trace"): return try trace(request)
      case (.get, "/recording"): return try await export(request, isTest: false)
      case (.get, "/test"): return try await export(request, isTest: true)
      case (.post, "/send"), (.post, "/fork"), (.post, "/continue"), (.post, "/drop"):
        return try await change(path, request)
      case (.get, _):
        guard let page = page(path) else { throw Refusal(.notFound, "There is no \(path).") }
        return page
      default: throw Refusal(.methodNotAllowed, "\(request.method.rawValue) is not allowed here.")
      }
    } catch let error as InspectorError {
      return Refusal(error.status, error.description).response
    } catch let refusal as Refusal {
      return refusal.response
    } catch {
      return Refusal(.internalServerError, "\(error)").response
    }
  }

  // MARK: - Reading

  private func number(_ name: String, _ request: Request) throws -> Int {
    guard let number = query(name, request).flatMap({ Int($0) }), (0...Limits.number).contains(number) else {
      throw Refusal(.badRequest, "“\(name)” must be a number from 0 to \(Limits.number).")
    }
    return number
  }

  private func numberIfPresent(_ name: String, _ request: Request) throws -> Int? {
    try query(name, request) == nil ? nil : number(name, request)
  }

  private func query(_ name: String, _ request: Request) -> String? {
    request.uri.queryParameters[name[...]].map { String($0) }
  }

  private func store(_ request: Request) throws -> any InspectedStore {
    try session.store(number("store", request))
  }

  private func filter(_ request: Request) -> RowFilter {
    let kind = query("kind", request)
    return RowFilter(text: query("text", request) ?? "", kind: kind == "" ? nil : kind)
  }

  private func rows(_ request: Request) throws -> Response {
    let before = try number("before", request)
    let rows = try store(request).rows(in: 0..<before, limit: 100, scan: Limits.searchedBytes, filter: filter(request))
    return try json(rows)
  }

  private func trace(_ request: Request) throws -> Response {
    let at = try number("at", request)
    let events = try store(request).events(in: max(0, at - 30)..<at + 16)
    return Self.ok("application/json", "[\(events.joined(separator: ","))]".utf8)
  }

  private func export(_ request: Request, isTest: Bool) async throws -> Response {
    let (newest, position) = try (numberIfPresent("newest", request), numberIfPresent("upTo", request))
    let store = try store(request)
    guard let place = exports.take() else {
      throw Refusal(.serviceUnavailable, "\(Limits.exports) exports are being made. Try again when one has ended.")
    }
    let bytes = try await withTaskExecutorPreference(exporter) {
      try await Self.export(store, newest: newest, upTo: position, isTest: isTest)
    }
    var headers = Self.headers("text/plain")
    headers[.contentDisposition] = "attachment; filename=\"\(isTest ? "SessionTests.swift" : "session.recording")\""
    // A part at a time, when the client has read the last one.
    let body = ResponseBody(contentLength: bytes.count) { writer in
      for start in stride(from: 0, to: bytes.count, by: 65_536) {
        try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + 65_536, bytes.count)]))
      }
      try await writer.finish(nil)
      withExtendedLifetime(place) {}
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  @concurrent
  private static func export(
    _ store: any InspectedStore, newest: Int?, upTo position: Int?, isTest: Bool
  ) async throws -> [UInt8] {
    isTest
      ? Array(try store.testSource(newest: newest, upTo: position, mostBytes: Limits.exportedBytes).utf8)
      : try store.recording(newest: newest, upTo: position, mostBytes: Limits.exportedBytes).bytes
  }

  /// A stream that goes on until the browser closes it.
  private func events(_ request: Request) throws -> Response {
    guard let place = streams.take() else {
      throw Refusal(.serviceUnavailable, "Too many pages show this inspector. Close one.")
    }
    let body = LiveStream(session, store: try numberIfPresent("store", request), filter: filter(request), place)
    return Response(
      status: .ok, headers: Self.headers("text/event-stream"), body: ResponseBody(asyncSequence: body))
  }

  // MARK: - Changing

  private struct Change: Decodable {
    let store: Int
    let action: String?
    let at: Int?
  }

  private func change(_ path: String, _ request: Request) async throws -> Response {
    let body = try await request.body.collect(upTo: Limits.body)
    guard let change = try? JSONDecoder().decode(Change.self, from: Data(body.readableBytesView)) else {
      throw Refusal(.badRequest, "This is not the JSON of a request.")
    }
    switch path {
    case "/send":
      guard let action = change.action else { throw Refusal(.badRequest, "“action” is missing.") }
      try session.store(change.store).send(Array(action.utf8))
      return try json(["store": change.store])
    case "/fork":
      guard let position = change.at else { throw Refusal(.badRequest, "“at” is missing.") }
      return try json(["store": try await session.fork(change.store, at: position)])
    case "/continue": return try json(["store": try await session.continueFork(change.store)])
    default:
      try session.drop(change.store)
      return try json(["store": change.store])
    }
  }

  private func json(_ value: some Encodable) throws -> Response {
    Self.ok("application/json", try JSONEncoder().encode(value))
  }
}

extension InspectorError {
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .unknownStore, .unknownPosition: .notFound
    case .undecodable, .unencodable: .badRequest
    case .nameInUse, .storeEnded, .notAFork, .tooManyForks: .conflict
    case .tooLarge: .contentTooLarge
    }
  }
}
