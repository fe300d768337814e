// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Running sequences

extension Effect {
  /// Runs an asynchronous sequence and sends an action for each element.
  ///
  /// ```swift
  /// .stream(id: "prices", overlap: .restart, input: name, sequence: { try await market.prices(of: $0) }) { .price($0) }
  /// ```
  ///
  /// This run has no id; see ``stream(id:overlap:name:priority:fileID:line:sequence:transform:catch:)``.
  ///
  /// - Ordering: an element is sent when the store has reduced the one before, so a fast sequence cannot outrun the store.
  ///   The run ends with the sequence.
  /// - Cancellation: cancelling the run ends the iteration.
  /// - Isolation: the sequence is made and iterated, and `transform` is called, off the store's isolation.
  /// - Errors: an error of the sequence goes to `catch`; without one it is reported (rule E5). A sequence without an element is
  ///   an error as well after an attempt that failed, and if it is an `AsyncStream` that a run has read before: it can be read
  ///   only once. When the task of its first reader is cancelled it ends for all; two readers at a time share its elements.
  ///
  /// - Parameters:
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - sequence: makes the elements. Called when the run starts, and again for each attempt; not for a run that is
  ///     dropped. Make a new sequence each time: each run needs one of its own.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Elements: AsyncSequence & SendableMetatype>(
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    sequence: @escaping @concurrent @Sendable () async throws -> Elements,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      name: name, priority: priority, fileID: fileID, line: line,
      { send in try await read(try await sequence(), transform, send) }, catch: `catch`)
  }

  /// Runs an asynchronous sequence under an id; see
  /// ``stream(name:priority:fileID:line:sequence:transform:catch:)``.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by: any hashable value, or an ``EffectID``. An optional is used by its value; if it is
  ///     `nil`, the run has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - sequence: makes the elements, when the run starts and for each attempt.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Elements: AsyncSequence & SendableMetatype>(
    id: some Hashable & Sendable, overlap: Overlap, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    sequence: @escaping @concurrent @Sendable () async throws -> Elements,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      id: id, overlap: overlap, name: name, priority: priority, fileID: fileID, line: line,
      { send in try await read(try await sequence(), transform, send) }, catch: `catch`)
  }
}

// MARK: - With an input

extension Effect {
  /// Runs an asynchronous sequence that is made of an input, which is frozen now; see
  /// ``stream(name:priority:fileID:line:sequence:transform:catch:)``.
  ///
  /// - Parameters:
  ///   - input: the value that `sequence` gets: shown in failures, listed by ``runs``.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - sequence: makes the elements of the input, when the run starts and for each attempt.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Input: Hashable & Sendable, Elements: AsyncSequence & SendableMetatype>(
    input: Input, name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line, sequence: @escaping @concurrent @Sendable (_ input: Input) async throws -> Elements,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      input: input, name: name, priority: priority, fileID: fileID, line: line,
      { input, send in try await read(try await sequence(input), transform, send) }, catch: `catch`)
  }

  /// Runs an asynchronous sequence that is made of an input, under an id; see
  /// ``stream(name:priority:fileID:line:sequence:transform:catch:)``.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by: any hashable value, or an ``EffectID``. An optional is used by its value; if it is
  ///     `nil`, the run has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - input: the value that `sequence` gets: shown in failures and in the status of the id, listed by ``runs``; it also
  ///     decides what ``Overlap/join`` may share.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - sequence: makes the elements of the input, when the run starts and for each attempt.
  ///   - transform: the action of an element.
  ///   - catch: what to do with an error of the sequence.
  /// - Returns: the effect.
  @inlinable
  public static func stream<Input: Hashable & Sendable, Elements: AsyncSequence & SendableMetatype>(
    id: some Hashable & Sendable, overlap: Overlap, input: Input, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    sequence: @escaping @concurrent @Sendable (_ input: Input) async throws -> Elements,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      id: id, overlap: overlap, input: input, name: name, priority: priority, fileID: fileID, line: line,
      { input, send in try await read(try await sequence(input), transform, send) }, catch: `catch`)
  }

  /// The closure of all streams.
  @inlinable @concurrent
  static func read<Elements: AsyncSequence & SendableMetatype>(
    _ elements: Elements, _ transform: @Sendable (Elements.Element) -> Action, _ send: Send<Action>
  ) async throws {
    let isNew = ReadOnce.object(in: elements).map { send.sink.isFirstReader(of: $0) } ?? true
    var isEmpty = true
    for try await element in elements {
      isEmpty = false
      guard await send.delivered(transform(element)), !Task.isCancelled else { return }
    }
    if isEmpty { throw EmptySequence(wasRead: !isNew) }
  }
}

/// The sequence of a stream has ended without an element. That is an error if the elements were read before: by an attempt
/// before, or by another run.
@usableFromInline
package struct EmptySequence: Error, CustomStringConvertible {
  /// Whether it is a stream that a run had begun to read before.
  package let wasRead: Bool

  @usableFromInline
  package init(wasRead: Bool = false) {
    self.wasRead = wasRead
  }

  @usableFromInline
  package var description: String {
    """
    the sequence had no element, and \(wasRead ? "a run" : "an attempt that failed") had read it before: it can be read once. \
    Make a new one in the closure, as in `sequence: { client.updates() }`, instead of returning one that exists.
    """
  }
}

/// Sequences whose elements can be read once, although the sequence can be copied.
@usableFromInline
package enum ReadOnce {
  /// The object that all copies of an `AsyncStream` share, also if operators such as `map` are applied to it; `nil` for other
  /// sequences.
  @usableFromInline
  package static func object(in sequence: Any) -> AnyObject? {
    var value = sequence
    // Operators hold the sequence that they change. More of them in succession are not usual.
    for _ in 0..<8 {
      let isStream = value is any SharedElements
      let part = Mirror(reflecting: value).children.first { $0.label == (isStream ? "context" : "base") }
      guard let part else { return nil }
      if isStream { return type(of: part.value) is AnyClass ? part.value as AnyObject : nil }
      value = part.value
    }
    return nil
  }
}

private protocol SharedElements {}
extension AsyncStream: SharedElements {}
extension AsyncThrowingStream: SharedElements {}
