// This source file is part of swift-effects. License: Apache-2.0.

/// A codec cannot read a part of a recording; thrown by ``Replay`` and by the `replay` of a `TestStore`.
public struct RecordingDecodingError: Error, Sendable {
  /// What cannot be read.
  public let part: Part
  /// Where the action comes from; `nil` for the state at the beginning.
  public let cause: Recording.Cause?
  /// The source line that sent the action: the line of the `send`, or of the run that sent it, as far as it was
  /// recorded. For a follow-up, the line of the action before it.
  public let line: String?
  /// What the codec has thrown.
  public let error: any Error

  /// A part of a recording.
  public enum Part: Hashable, Sendable {
    /// The state at the beginning.
    case initialState
    /// The action with this number of actions before it.
    case action(Int)
    /// The state that was recorded after the action with this number of actions before it.
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
  package func decodeInitialState<State, Action>(with codec: RecordingCodec<State, Action>) throws -> State {
    do {
      return try codec.decodeState(initialState)
    } catch {
      throw RecordingDecodingError(part: .initialState, cause: nil, line: nil, error: error)
    }
  }

  /// Reads an action.
  package func decodeAction<State, Action>(_ index: Int, with codec: RecordingCodec<State, Action>) throws -> Action {
    do {
      return try codec.decodeAction(steps[index].action)
    } catch {
      throw RecordingDecodingError(part: .action(index), cause: steps[index].cause, line: line(of: index), error: error)
    }
  }

  /// Reads the state after an action; `nil` where none was recorded.
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
    // A follow-up belongs to the turn of an action before it.
    guard let first = steps[...index].lastIndex(where: { $0.cause != .followUp }) else { return nil }
    switch steps[first].cause {
    case .user(let line): return line.isEmpty ? nil : line
    case .run(let number):
      // As `run 1 registered: run("search") at App/Search.swift:7`.
      let note = notes.last {
        $0.text.hasPrefix("run \(number) ") && $0.text.contains(": run(") && $0.text.contains(" at ")
      }
      return note?.text.split(separator: " ").last.map(String.init)
    case .followUp: return nil
    }
  }
}
