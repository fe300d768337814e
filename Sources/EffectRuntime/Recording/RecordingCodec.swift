// This source file is part of swift-effects. License: Apache-2.0.

/// Converts states and actions to bytes and back, for recordings and journals.
///
/// ```swift
/// let codec = RecordingCodec<Search.State, Search.Action>(
///   encodeState: { try Array(JSONEncoder().encode($0)) },
///   decodeState: { try JSONDecoder().decode(Search.State.self, from: Data($0)) },
///   encodeAction: { try Array(JSONEncoder().encode($0)) },
///   decodeAction: { try JSONDecoder().decode(Search.Action.self, from: Data($0)) })
/// ```
///
/// Decoded values must behave like the encoded ones. A replay compares only states, by their own `==`.
///
/// A codec has version 1. Raise it with each change after which the former bytes mean something else, and keep a decoder for
/// each version that may still be on a disk:
///
/// ```swift
/// let codec = RecordingCodec<Uploads.State, Uploads.Action>.json.version(2).reading(
///   version: 1,
///   state: { Uploads.State(try JSONDecoder().decode(UploadsV1.State.self, from: Data($0))) },
///   action: { Uploads.Action(try JSONDecoder().decode(UploadsV1.Action.self, from: Data($0))) })
/// ```
public struct RecordingCodec<State, Action>: Sendable {
  /// Writes a state; called on the store's isolation.
  public let encodeState: @Sendable (State) throws -> [UInt8]
  /// Reads a state.
  public let decodeState: @Sendable ([UInt8]) throws -> State
  /// Writes an action; called on the store's isolation.
  public let encodeAction: @Sendable (Action) throws -> [UInt8]
  /// Reads an action.
  public let decodeAction: @Sendable ([UInt8]) throws -> Action
  /// The version of what is written; 1 unless ``version(_:)`` says another.
  public private(set) var version = 1
  private var older: [Int: Decoder] = [:]

  /// Reads what an older version has written.
  private struct Decoder: Sendable {
    let state: @Sendable ([UInt8]) throws -> State
    let action: @Sendable ([UInt8]) throws -> Action
  }

  /// Makes a codec from four closures.
  ///
  /// - Parameters:
  ///   - encodeState: writes a state; called on the store's isolation.
  ///   - decodeState: reads what `encodeState` wrote.
  ///   - encodeAction: writes an action; called on the store's isolation.
  ///   - decodeAction: reads what `encodeAction` wrote.
  public init(
    encodeState: @escaping @Sendable (State) throws -> [UInt8],
    decodeState: @escaping @Sendable ([UInt8]) throws -> State,
    encodeAction: @escaping @Sendable (Action) throws -> [UInt8],
    decodeAction: @escaping @Sendable ([UInt8]) throws -> Action
  ) {
    self.encodeState = encodeState
    self.decodeState = decodeState
    self.encodeAction = encodeAction
    self.decodeAction = decodeAction
  }

  // MARK: - Versions

  /// The same codec with another version, which is written into each recording.
  ///
  /// - Parameter number: the version.
  /// - Returns: the codec.
  public func version(_ number: Int) -> Self {
    var codec = self
    codec.version = number
    return codec
  }

  /// Adds a decoder for what another version of the codec has written; read when a store is restored from a ``Journal``.
  ///
  /// - Parameters:
  ///   - number: that version.
  ///   - state: reads a state of that version, and returns one of the present version.
  ///   - action: likewise for an action. The present reducer then reduces it, beginning with such a state.
  /// - Returns: the codec, which writes what it wrote before.
  public func reading(
    version number: Int, state: @escaping @Sendable ([UInt8]) throws -> State,
    action: @escaping @Sendable ([UInt8]) throws -> Action
  ) -> Self {
    var codec = self
    codec.older[number] = Decoder(state: state, action: action)
    return codec
  }

  /// The codec that reads a journal of a version.
  ///
  /// - Throws: ``RecordingError/unknownVersion(_:known:)``.
  func reader(of version: Int) throws(RecordingError) -> Self {
    if version == self.version { return self }
    guard let decoder = older[version] else {
      throw .unknownVersion(version, known: ([self.version] + older.keys).sorted())
    }
    return Self(
      encodeState: encodeState, decodeState: decoder.state, encodeAction: encodeAction, decodeAction: decoder.action)
  }
}
