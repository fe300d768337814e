// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Running sequences

extension Effect {
  /// Runs an asynchronous sequence and sends an action for each element.
  ///
  /// - Ordering: an element is sent when the store has reduced the one before, so a fast sequence cannot outrun the store.
  ///   The run ends with the sequence.
  /// - Cancellation: cancelling the run ends the iteration.
  /// - Isolation: the sequence is iterated, and `transform` is called, off the store's isolation.
  /// - Errors: an error of the sequence goes to `catch`; without one it is reported (rule E5).
  ///
  /// - Parameters:
  ///   - sequence: the elements. Iterated once, when the run starts.
  ///   - input: the request context: shown in failures, listed by ``runs``.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Elements: AsyncSequence & Sendable>(
    sequence: Elements, input: (any Hashable & Sendable)? = nil, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    stream(
      id: EffectID?.none, overlap: .concurrent, sequence: sequence, input: input, name: name, priority: priority,
      fileID: fileID, line: line, transform: transform, catch: `catch`)
  }

  /// Runs an asynchronous sequence under an id; see
  /// ``stream(sequence:input:name:priority:fileID:line:transform:catch:)``.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by. If it is `nil` at run time, the run has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - sequence: the elements. Iterated once, when the run starts.
  ///   - input: the request context: shown in failures and in the status of the id, listed by ``runs``; it also decides
  ///     what ``Overlap/join`` may share.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Elements: AsyncSequence & Sendable>(
    id: EffectID?, overlap: Overlap, sequence: Elements, input: (any Hashable & Sendable)? = nil, name: String? = nil,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: id, overlap: overlap, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line),
        body: { send in
          for try await element in sequence {
            guard await send.delivered(transform(element)) else { return }
          }
        }, failure: `catch`))
  }

  /// Runs an asynchronous sequence under an id of your own type; see
  /// ``stream(id:overlap:sequence:input:name:priority:fileID:line:transform:catch:)-(EffectID?,_,_,_,_,_,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - id: an id of your own type. An optional is used by its value; `nil` leaves the run without an id, and
  ///     `overlap` without effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - sequence: the elements. Iterated once, when the run starts.
  ///   - input: the request context: shown in failures and in the status of the id.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Elements: AsyncSequence & Sendable>(
    id: some Hashable & Sendable, overlap: Overlap, sequence: Elements, input: (any Hashable & Sendable)? = nil,
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    stream(
      id: EffectID.unwrapping(id), overlap: overlap, sequence: sequence, input: input, name: name, priority: priority,
      fileID: fileID, line: line, transform: transform, catch: `catch`)
  }
}
