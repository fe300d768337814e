// This source file is part of swift-effects. License: Apache-2.0.

/// A codec cannot read a part of a recording or journal.
///
/// Thrown by ``Replay``, by the `replay` of a `TestStore`, and when a store is restored.
public struct RecordingDecodingError: Error, Sendable {
  /// What cannot be read.
  public let part: Part
  /// Where the action comes from; `nil` for the state at the beginning.
  public let cause: Recording.Cause?
  /// The source line that sent the action: the line of the `send`, or of the run that sent it; `nil` if it was not
  /// recorded. For a follow-up, the line of the action that began its turn.
  public let line: String?
  /// What the codec has thrown.
  public let error: any Error

  /// A part of a recording.
  public enum Part: Hashable, Sendable {
    /// The state at the beginning.
    case initialState
    /// An action, by the number of actions before it.
    case action(Int)
    /// The state that was recorded after an action, by the number of actions before that action.
    case state(after: Int)
  }
}

extension RecordingDecodingError: CustomStringConvertible {
  /// The part, where it comes from, and what the codec has thrown.
  public var description: String {
    let what =
      switch part {
      case .initialState: "The state at the beginning of the recording"
      case .action(let index): "Action \(index) of the recording, \(origin),"
      case .state(after: let index): "The state after action \(index) of the recording, \(origin),"
      }
    return """
      \(what) cannot be decoded: \(ValueDescription.of(error)). Use the codec of the version that recorded it, or record again.
      """
  }

  private var origin: String {
    guard let cause else { return "" }
    if case .user = cause { return "\(cause)" }
    return line.map { "\(cause), built at \($0)" } ?? "\(cause)"
  }
}

// MARK: - Decoding

extension Recording {
  /// Reads the state at the beginning.
  ///
  /// - Parameter codec: reads the bytes.
  /// - Returns: the state.
  /// - Throws: a ``RecordingDecodingError`` with what the codec has thrown.
  package func decodeInitialState<State, Action>(with codec: RecordingCodec<State, Action>) throws -> State {
    do {
      return try codec.decodeState(initialState)
    } catch {
      throw RecordingDecodingError(part: .initialState, cause: nil, line: nil, error: error)
    }
  }

  /// Reads an action.
  ///
  /// - Parameters:
  ///   - index: an index of ``steps``.
  ///   - codec: reads the bytes.
  /// - Returns: the action.
  /// - Throws: a ``RecordingDecodingError`` with what the codec has thrown.
  package func decodeAction<State, Action>(_ index: Int, with codec: RecordingCodec<State, Action>) throws -> Action {
    do {
      return try codec.decodeAction(steps[index].action)
    } catch {
      throw RecordingDecodingError(part: .action(index), cause: steps[index].cause, line: line(of: index), error: error)
    }
  }

  /// Reads the state after an action.
  ///
  /// - Parameters:
  ///   - index: an index of ``steps``.
  ///   - codec: reads the bytes.
  /// - Returns: the state; `nil` if none was recorded there.
  /// - Throws: a ``RecordingDecodingError`` with what the codec has thrown.
  package func decodeState<State, Action>(
    after index: Int, with codec: RecordingCodec<State, Action>
  ) throws -> State? {
    guard let bytes = steps[index].state else { return nil }
    do {
      return try codec.decodeState(bytes)
    } catch {
      throw RecordingDecodingError(
        part: .state(after: index), cause: steps[index].cause, line: line(of: index), error: error)
    }
  }

  /// The source line that an action comes from.
  private func line(of index: Int) -> String? {
    // A follow-up belongs to the turn of the last action before it that is not a follow-up.
    guard let first = steps[...index].lastIndex(where: { $0.cause != .followUp }) else { return nil }
    switch steps[first].cause {
    case .user(let line): return line.isEmpty ? nil : line
    case .run(let number):
      // As `run 1 registered: run("search") at App/Search.swift:7`. A name of a file or folder may contain spaces.
      let note = notes.last {
        $0.text.hasPrefix("run \(number) ") && $0.text.contains(": run(") && $0.text.contains(") at ")
      }
      return note?.text.split(separator: ") at ").last.map(String.init)
    case .followUp: return nil
    }
  }
}
