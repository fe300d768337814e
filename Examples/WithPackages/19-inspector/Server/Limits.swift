// This source file is part of swift-effects. License: Apache-2.0.

/// What one inspector uses at most.
enum Limits {
  /// Bytes of a request line, or of one header.
  static let line = 16_384
  /// Bytes of a request line and all headers.
  static let head = 32_768
  /// How many headers a request has.
  static let headers = 100
  /// Bytes of the body of a request.
  static let body = 65_536
  /// Connections, if the process has enough file descriptors. The one that has waited longest for a request makes room.
  static let connections = 64
  /// Seconds after which a connection is closed that sends no request, only a part of one, or does not read its answer.
  static let idleSeconds: Int64 = 30
  /// Seconds for which a refused connection is kept, so that its answer arrives.
  static let lingerSeconds: Int64 = 2
  /// Streams of news.
  static let streams = 12
  /// Bytes of descriptions that one request searches. Meanwhile other requests wait.
  static let searchedBytes = 1_000_000
  /// Exports at the same time.
  static let exports = 2
  /// Bytes of the actions and notes of an export. Its text is in memory as well.
  static let exportedBytes = 67_108_864
  /// The largest number in a query: what a script of the page can count to.
  static let number = 9_007_199_254_740_991
}
