// This source file is part of swift-effects. License: Apache-2.0.

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
