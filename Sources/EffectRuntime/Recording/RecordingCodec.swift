// This source file is part of swift-effects. License: Apache-2.0.

/// Converts states and actions to bytes and back, for recordings.
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
public struct RecordingCodec<State, Action>: Sendable {
  /// Writes a state; called on the store's isolation.
  public let encodeState: @Sendable (State) throws -> [UInt8]
  /// Reads a state.
  public let decodeState: @Sendable ([UInt8]) throws -> State
  /// Writes an action; called on the store's isolation.
  public let encodeAction: @Sendable (Action) throws -> [UInt8]
  /// Reads an action.
  public let decodeAction: @Sendable ([UInt8]) throws -> Action

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
}
