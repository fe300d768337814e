// This source file is part of swift-effects. License: Apache-2.0.

/// What one server uses at most.
enum Limits {
  /// Bytes of a message from a client.
  static let message = 16_384
  /// Bytes of a message from the server: JSON escapes a byte with at most one more, and the number is added.
  static let numberedMessage = 2 * message + 256
  /// Frames of a message.
  static let framesOfMessage = 256
  /// Bytes that are read of one connection before it is the turn of the others. Small frames take the most time.
  static let read = 2_048
  /// Bytes that the system keeps of a connection until they are read. When the client has closed its side, all of them are
  /// read at once.
  static let unread = 4_096
  /// Bytes of the request that begins a connection.
  static let head = 8_192
  /// Connections at the same time, if the process has enough file descriptors. The one that has waited longest for its end, or to
  /// send its request, makes room.
  static let connections = 160
  /// Of these, those that are WebSockets; each further one is refused.
  static let sockets = 128
  /// Seconds after which a connection is closed that has not sent its request.
  static let handshakeSeconds: Int64 = 10
  /// After twice as many seconds of silence a client is asked whether it is there, and after three times as many it is closed.
  static let idleSeconds: Int64 = 30
  /// Seconds for which an ended connection is kept, so that its answer arrives.
  static let lingerSeconds: Int64 = 2
}
