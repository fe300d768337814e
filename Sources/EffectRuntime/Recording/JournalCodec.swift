// This source file is part of swift-effects. License: Apache-2.0.

/// The codec of a ``Journal``, with its version, and with decoders for older versions.
///
/// ```swift
/// let codec = JournalCodec<Uploads.State, Uploads.Action>(
///   version: 2, .json,
///   older: [
///     1: JournalDecoder(
///       state: { Uploads.State(try JSONDecoder().decode(UploadsV1.State.self, from: Data($0))) },
///       action: { Uploads.Action(try JSONDecoder().decode(UploadsV1.Action.self, from: Data($0))) })
///   ])
/// ```
///
/// Raise the version with every change after which the former bytes mean something else, and keep a decoder for each
/// version that may still be on a disk. A journal has one version: the first checkpoint of a new version of the app
/// replaces what was there.
public struct JournalCodec<State, Action>: Sendable {
  /// The version of what is written.
  public let version: Int
  let current: RecordingCodec<State, Action>
  private let older: [Int: JournalDecoder<State, Action>]

  /// Makes a codec.
  ///
  /// - Parameters:
  ///   - version: the version of the codec, written into the journal.
  ///   - codec: writes and reads states and actions of this version.
  ///   - older: the decoders of other versions, by version. They read the bytes of their version, and return states and
  ///     actions of this version.
  public init(
    version: Int, _ codec: RecordingCodec<State, Action>, older: [Int: JournalDecoder<State, Action>] = [:]
  ) {
    self.version = version
    current = codec
    self.older = older
  }

  /// The codec that reads a journal of a version.
  ///
  /// - Throws: ``JournalError/unknownVersion(_:known:)``.
  func reader(of version: Int) throws(JournalError) -> RecordingCodec<State, Action> {
    if version == self.version { return current }
    guard let decoder = older[version] else {
      throw .unknownVersion(version, known: ([self.version] + older.keys).sorted())
    }
    return RecordingCodec(
      encodeState: current.encodeState, decodeState: decoder.state, encodeAction: current.encodeAction,
      decodeAction: decoder.action)
  }
}

/// Reads what an older version of a ``JournalCodec`` has written.
public struct JournalDecoder<State, Action>: Sendable {
  let state: @Sendable ([UInt8]) throws -> State
  let action: @Sendable ([UInt8]) throws -> Action

  /// Makes a decoder from two closures.
  ///
  /// - Parameters:
  ///   - state: reads a state of the older version, and returns one of the present version.
  ///   - action: likewise for an action. The present reducer then reduces it, beginning with such a state.
  public init(
    state: @escaping @Sendable ([UInt8]) throws -> State, action: @escaping @Sendable ([UInt8]) throws -> Action
  ) {
    self.state = state
    self.action = action
  }
}
