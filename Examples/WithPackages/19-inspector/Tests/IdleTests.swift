// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
import EffectTesting
import Foundation
import InspectorCore
import NIOCore
import NIOEmbedded
import Testing

@testable import Inspector

/// How long a connection is kept that does nothing. Over the network with a shorter time; in the gate, where a test moves the
/// time, with the real one.
@Suite(.timeLimit(.minutes(2))) struct `An idle connection of the inspector` {
  private let store = Store(initialState: Counter.State(), reducer: Counter())
  // Longer than a request takes, also on a busy machine.
  private var idle = TimeAmount.milliseconds(1_500)

  /// Waits until the body has seen that a connection was closed, which must be neither too early nor only after the usual time.
  private func closes(_ body: () async throws -> Void) async throws {
    let began = ContinuousClock.now
    try await body()
    let time = ContinuousClock.now - began
    #expect(time >= Duration(idle) && time < .seconds(Limits.idleSeconds))
  }

  enum Silence: CaseIterable {
    case fromTheBeginning, inTheHead, inTheBody, behindAnAnswer
  }

  @Test(arguments: Silence.allCases)
  func `Is closed, wherever it has stopped to send`(silence: Silence) async throws {
    try await Inspector.whileRunning(store, idle: idle) { inspector, _ in
      let body = #"{"store": 1, "action": "{\"add\":{\"_0\":4}}"}"#
      let request = Wire.request(inspector, "POST", "send", body: body)
      let sent =
        switch silence {
        case .fromTheBeginning: ""
        case .inTheHead: String(request.prefix(60))
        case .inTheBody: String(request.dropLast())
        case .behindAnAnswer: request
        }
      try await closes {
        let answers = try await Wire.exchange(inspector, sent)
        #expect(answers.map(\.status) == (silence == .behindAnAnswer ? [200] : []))
      }
      #expect(await store.state.sum == (silence == .behindAnAnswer ? 4 : 0))
    }
  }

  @Test(arguments: [Silence.inTheHead, .inTheBody])
  func `Is closed as well if a request comes byte by byte`(part: Silence) async throws {
    try await Inspector.whileRunning(store, idle: idle) { inspector, _ in
      let head = "GET \(inspector.url.path())"
      let body = Wire.request(inspector, "POST", "send", ["Content-Length: \(Limits.body)"])
        .replacing("Content-Length: 0\r\n", with: "")
      let other = Wire.request(inspector, "GET", "rows?store=1&before=1", ["Connection: close"])
      try await closes {
        try await Wire.connect(inspector) { _, outbound in
          try await outbound.write(ByteBuffer(string: part == .inTheHead ? head : body))
          await #expect(throws: (any Error).self) {
            while true {
              try await outbound.write(ByteBuffer(string: "1"))
              // The time between two bytes.
              let answered = try await Wire.exchange(inspector, other).map(\.status)
              #expect(answered == [200])
            }
          }
        }
      }
    }
  }

  @Test mutating func `Clients that do not read hold all exports, and only them, until they are closed`() async throws {
    // An export takes longer than a request.
    idle = .seconds(8)
    try await Inspector.whileRunning(store, idle: idle) { inspector, _ in
      let large = try await attachLarge(to: inspector)
      let export = Wire.request(inspector, "GET", "recording?store=\(large)", ["Connection: close"])
      try await closes {
        try await stalled(Limits.exports, export, inspector) {
          #expect(try await Wire.exchange(inspector, export).map(\.status) == [503])
          let rows = Wire.request(inspector, "GET", "rows?store=1&before=1", ["Connection: close"])
          #expect(try await Wire.exchange(inspector, rows).map(\.status) == [200])
          while try await Wire.exchange(inspector, export).map(\.status) != [200] {}
        }
      }
    }
  }

  /// A store whose exports are larger than what the system keeps for a client that does not read.
  private func attachLarge(to inspector: Inspector) async throws -> Int {
    let filler = [UInt8](repeating: 0x78, count: 1_000_000)
    let codec = RecordingCodec<Counter.State, Counter.Action>(
      encodeState: Counter.codec.encodeState, decodeState: Counter.codec.decodeState, encodeAction: { _ in filler },
      decodeAction: Counter.codec.decodeAction)
    let large = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await inspector.attach(large, name: "large", reducer: Counter(), codec: codec)
    for value in 0..<8 { large.send(.add(value)) }
    _ = await large.state
    return id
  }

  /// Opens so many connections, one inside the other, that read only the beginning of their answer.
  private func stalled(
    _ count: Int, _ request: String, _ inspector: Inspector, _ body: @escaping () async throws -> Void
  ) async throws {
    if count == 0 { return try await body() }
    try await Wire.connect(inspector) { reader, outbound in
      try await outbound.write(ByteBuffer(string: request))
      let head = try await reader.some()
      #expect(head?.hasPrefix("HTTP/1.1 200") == true)
      try await stalled(count - 1, request, inspector, body)
    }
  }

  @Test func `A stream whose client reads stays open`() async throws {
    try await Inspector.whileRunning(store, idle: idle) { inspector, _ in
      try await Wire.connect(inspector) { reader, outbound in
        try await outbound.write(ByteBuffer(string: Wire.request(inspector, "GET", "events?store=1")))
        let end = ContinuousClock.now + Duration(idle) * 3
        while ContinuousClock.now < end {
          // Without news it gets a comment each second.
          _ = try #require(try await reader.some())
        }
      }
    }
  }

  @Test func `A client that does not read is closed after the time of the limits, and one that reads slowly is not`()
    throws
  {
    let channel = EmbeddedChannel(handler: RequestGate(Token(), OpenConnections(most: 2)))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 4_000)).wait()
    func change(to isWritable: Bool, for seconds: Int64) {
      channel.isWritable = isWritable
      channel.pipeline.fireChannelWritabilityChanged()
      channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }
    for _ in 0..<3 {
      change(to: false, for: Limits.idleSeconds - 1)
      change(to: true, for: 2 * Limits.idleSeconds)
    }
    change(to: false, for: Limits.idleSeconds - 1)
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }
}
