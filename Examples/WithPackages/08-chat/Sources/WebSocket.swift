// This source file is part of swift-effects. License: Apache-2.0.

import FlyingSocks
import Foundation

/// The client's side of a WebSocket (RFC 6455), over a socket of FlyingSocks: `URLSession` has none on Linux.
///
/// Nothing is read before it is requested, so a slow reader holds up the server. One task reads at a time, and one
/// writes. It is closed when its last reference is released.
final class WebSocket: Sendable {
  struct Refused: Error {}
  struct Closed: Error {}

  private let socket: AsyncSocket

  private init(_ socket: AsyncSocket) {
    self.socket = socket
  }

  deinit {
    try? socket.close()
  }

  static func connect(to port: UInt16, path: String) async throws -> WebSocket {
    let pool = try await SocketPool<Poll>.client
    let web = WebSocket(try AsyncSocket(socket: Socket(domain: Int32(AF_INET)), pool: pool))
    try await web.socket.connect(to: .inet(ip4: "127.0.0.1", port: port))
    // The key of the RFC's own example, and the answer to it of a server that implements the protocol.
    let (key, answer) = ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    let request = """
      GET \(path) HTTP/1.1
      Host: 127.0.0.1:\(port)
      Upgrade: websocket
      Connection: Upgrade
      Sec-WebSocket-Key: \(key)
      Sec-WebSocket-Version: 13


      """
    try await web.socket.write(Data(request.replacing("\n", with: "\r\n").utf8))
    var header: [UInt8] = []
    while !header.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard header.count < 4096 else { throw Refused() }
      header.append(try await web.socket.read())
    }
    let lines = String(decoding: header, as: UTF8.self)
    guard lines.hasPrefix("HTTP/1.1 101 "), lines.contains(answer) else { throw Refused() }
    return web
  }

  /// The next whole message.
  func read() async throws -> Data {
    var message: [UInt8] = []
    while true {
      let head = try await socket.read(bytes: 2)
      let (isLast, opcode, short) = (head[0] & 0x80 != 0, head[0] & 0x0F, Int(head[1] & 0x7F))
      let extra = try await socket.read(bytes: short == 126 ? 2 : short == 127 ? 8 : 0)
      let payload = try await socket.read(bytes: extra.isEmpty ? short : extra.reduce(0) { $0 << 8 | Int($1) })
      switch opcode {
      case 0, 1, 2: message += payload
      case 9: try await write(payload, opcode: 10)  // ping, pong
      case 10: break
      default: throw Closed()
      }
      if isLast, opcode < 8 { return Data(message) }
    }
  }

  func write(_ text: Data) async throws {
    try await write([UInt8](text), opcode: 1)
  }

  private func write(_ payload: [UInt8], opcode: UInt8) async throws {
    let count = payload.count
    // A client masks what it sends, so that no proxy takes it for HTTP.
    let mask = (0..<4).map { _ in UInt8.random(in: 0...255) }
    var frame = [0x80 | opcode]
    switch count {
    case ..<126: frame += [0x80 | UInt8(count)]
    case ...0xFFFF: frame += [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
    default: frame += [0x80 | 127] + (0..<8).reversed().map { UInt8(count >> (8 * $0) & 0xFF) }
    }
    frame += mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    try await socket.write(Data(frame))
  }
}
