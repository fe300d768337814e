// This source file is part of swift-effects. License: Apache-2.0.

/// The codec of a ``Journal``, with a version, and with decoders for what older versions have written.
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
  /// The version with which is written.
  public let version: Int
  let current: RecordingCodec<State, Action>
  private let older: [Int: JournalDecoder<State, Action>]

  /// Makes a codec.
  ///
  /// - Parameters:
  ///   - version: the version of the codec, written into the journal.
  ///   - codec: writes and reads states and actions of this version.
  ///   - older: reads those of other versions, and makes states and actions of this version of them.
  public init(
    version: Int, _ codec: RecordingCodec<State, Action>, older: [Int: JournalDecoder<State, Action>] = [:]
  ) {
    self.version = version
    current = codec
    self.older = older
  }

  /// What reads a journal of a version.
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

  /// Makes a decoder of two closures.
  ///
  /// - Parameters:
  ///   - state: reads a state, and makes one of the present version of it.
  ///   - action: likewise for an action. It is then reduced by the present reducer, from such a state.
  public init(
    state: @escaping @Sendable ([UInt8]) throws -> State, action: @escaping @Sendable ([UInt8]) throws -> Action
  ) {
    self.state = state
    self.action = action
  }
}
