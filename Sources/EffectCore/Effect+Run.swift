// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Running closures

extension Effect {
  /// Runs an asynchronous closure and feeds the actions it sends back into the store.
  ///
  /// ```swift
  /// .run(id: "search", overlap: .restart) { send in
  ///   send(.found(try await find(query)))
  /// } catch: { error, send in
  ///   send(.failed("\(error)"))
  /// }
  /// ```
  ///
  /// - Ordering: registered at once, so that its status shows before anything else can happen; the closure starts
  ///   later, never inside the reducer (rule T4). Its actions are reduced in the order sent, before it counts as ended.
  /// - Cancellation: the closure's task is cancelled, and from the cancelling reduction on none of its actions is
  ///   reduced, whatever the closure does (rule E1). Where the closure has not been called yet, a store may leave it out.
  /// - Isolation: the closure runs off the store's executor, on the global pool; it inherits neither task-locals nor
  ///   priority of the sender (rule L6).
  /// - Errors: an error thrown while the run is live goes to `catch`; without one it is reported with the run's id,
  ///   input and source line (rule E5). Errors after a cancel are swallowed (rule E4).
  /// - Complexity: O(1).
  ///
  /// - Parameters:
  ///   - id: the name to cancel and ask by; `nil` for a run that needs none.
  ///   - overlap: what happens when others of the id are live. It means nothing without an id.
  ///   - name: what to call the run in failure texts.
  ///   - priority: how urgent its task is.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - operation: the work.
  ///   - catch: what to do with an error of the work.
  @inlinable
  public static func run(
    id: EffectID? = nil, overlap: Overlap = .concurrent, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: id, overlap: overlap, input: nil, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: operation, failure: `catch`))
  }

  /// Runs an asynchronous closure under an id of your own type; see
  /// ``run(id:overlap:name:priority:fileID:line:_:catch:)-(EffectID?,_,_,_,_,_,_,_)``.
  @inlinable
  public static func run(
    id: some Hashable & Sendable, overlap: Overlap = .concurrent, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      id: EffectID.unwrapping(id), overlap: overlap, name: name, priority: priority, fileID: fileID, line: line,
      operation, catch: `catch`)
  }

  /// Runs an asynchronous closure on an input that is frozen now: the request context.
  ///
  /// The input is handed to the closure, shown in failures and in the status of the id, listed by ``runs``, and decides what
  /// ``Overlap/join`` may share. For the rest see
  /// ``run(id:overlap:name:priority:fileID:line:_:catch:)-(EffectID?,_,_,_,_,_,_,_)``.
  @inlinable
  public static func run<Input: Hashable & Sendable>(
    id: EffectID? = nil, overlap: Overlap = .concurrent, input: Input, name: String? = nil,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ input: Input, _ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: id, overlap: overlap, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: { send in try await operation(input, send) },
        failure: `catch`))
  }

  /// Runs an asynchronous closure on an input that is frozen now, under an id of your own type; see
  /// ``run(id:overlap:input:name:priority:fileID:line:_:catch:)-(EffectID?,_,_,_,_,_,_,_,_)``.
  @inlinable
  public static func run<Input: Hashable & Sendable>(
    id: some Hashable & Sendable, overlap: Overlap = .concurrent, input: Input, name: String? = nil,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ input: Input, _ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      id: EffectID.unwrapping(id), overlap: overlap, input: input, name: name, priority: priority, fileID: fileID,
      line: line, operation, catch: `catch`)
  }

  /// Runs an asynchronous sequence and sends an action for each element.
  ///
  /// The run ends with the sequence; cancelling the run ends the iteration. An element is sent when the store has
  /// reduced the one before, so that a fast sequence cannot outrun it. An error of the sequence goes to `catch`. For
  /// the rest see ``run(id:overlap:name:priority:fileID:line:_:catch:)-(EffectID?,_,_,_,_,_,_,_)``.
  @inlinable
  public static func stream<Elements: AsyncSequence & Sendable>(
    id: EffectID? = nil, overlap: Overlap = .concurrent, sequence: Elements, name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    run(
      id: id, overlap: overlap, name: name, fileID: fileID, line: line,
      { send in
        for try await element in sequence {
          guard await send.delivered(transform(element)) else { return }
        }
      }, catch: `catch`)
  }

  /// Runs an asynchronous sequence under an id of your own type; see
  /// ``stream(id:overlap:sequence:name:fileID:line:transform:catch:)-(EffectID?,_,_,_,_,_,_,_)``.
  @inlinable
  public static func stream<Elements: AsyncSequence & Sendable>(
    id: some Hashable & Sendable, overlap: Overlap = .concurrent, sequence: Elements, name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    transform: @escaping @Sendable (Elements.Element) -> Action,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    stream(
      id: EffectID.unwrapping(id), overlap: overlap, sequence: sequence, name: name, fileID: fileID, line: line,
      transform: transform, catch: `catch`)
  }
}
