// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Running closures

extension Effect {
  /// Runs an asynchronous closure and feeds the actions it sends back into the store.
  ///
  /// ```swift
  /// .run { send in
  ///   send(.loaded(try await load()))
  /// } catch: { error, send in
  ///   send(.failed("\(error)"))
  /// }
  /// ```
  ///
  /// This run has no id: it cannot be cancelled or queried by name, and it has no overlap policy. Give it an id with
  /// ``run(id:overlap:name:priority:fileID:line:_:catch:)`` if it can be started again while it
  /// is active.
  ///
  /// - Ordering: registered at once, so that its status shows before anything else can happen; the closure starts
  ///   later, never inside the reducer (rule T4). Its actions are reduced in the order sent, before it counts as ended.
  /// - Cancellation: the closure's task is cancelled, and from the cancelling reduction on none of its actions is
  ///   reduced, whatever the closure does (rule E1). If the closure has not been called yet, a store may skip it.
  /// - Isolation: the closure runs off the store's executor, on the global pool; it inherits neither task-locals nor
  ///   priority of the sender (rule L6).
  /// - Errors: an error thrown while the run is active goes to `catch`; without one it is reported with the run's id,
  ///   input and source line (rule E5). Errors after a cancellation are ignored (rule E4).
  /// - Complexity: O(1).
  ///
  /// - Parameters:
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - operation: the work.
  ///   - catch: what to do with an error of the work.
  /// - Returns: the effect.
  @inlinable
  public static func run(
    name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: nil, overlap: .concurrent, input: nil, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: operation, failure: `catch`))
  }

  /// Runs an asynchronous closure under an id, with a policy for runs of the same id.
  ///
  /// ```swift
  /// .run(id: "search", overlap: .restart) { send in
  ///   send(.found(try await find(query)))
  /// } catch: { error, send in
  ///   send(.failed("\(error)"))
  /// }
  /// ```
  ///
  /// There is no default for `overlap`: what happens if the id is already running is a decision of the feature. Without it
  /// the compiler reports "missing argument for parameter 'overlap' in call".
  ///
  /// - Ordering: registered at once, so that its status shows before anything else can happen; the closure starts
  ///   later, never inside the reducer (rule T4). Its actions are reduced in the order sent, before it counts as ended.
  /// - Cancellation: the closure's task is cancelled, and from the cancelling reduction on none of its actions is
  ///   reduced, whatever the closure does (rule E1). If the closure has not been called yet, a store may skip it.
  /// - Isolation: the closure runs off the store's executor, on the global pool; it inherits neither task-locals nor
  ///   priority of the sender (rule L6).
  /// - Errors: an error thrown while the run is active goes to `catch`; without one it is reported with the run's id,
  ///   input and source line (rule E5). Errors after a cancellation are ignored (rule E4).
  /// - Complexity: O(1).
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by: any hashable value, or an ``EffectID``. An optional is used by its value; if it is
  ///     `nil`, the run has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - name: what to call the run in failure texts.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - operation: the work.
  ///   - catch: what to do with an error of the work.
  /// - Returns: the effect.
  @inlinable
  public static func run(
    id: some Hashable & Sendable, overlap: Overlap, name: String? = nil, priority: TaskPriority? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: EffectID.unwrapping(id), overlap: overlap, input: nil, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: operation, failure: `catch`))
  }

  /// Runs an asynchronous closure on an input that is frozen now, without an id.
  ///
  /// The input is passed to the closure, shown in failures and listed by ``runs``. For the rest see
  /// ``run(name:priority:fileID:line:_:catch:)``.
  ///
  /// - Parameters:
  ///   - input: the value that the closure gets. It is shown in failures and listed by ``runs``.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - operation: the work. Called off the store's isolation, with the input and the `Send` for its actions.
  ///   - catch: what to do with an error of the closure. If there is none, the error is reported (rule E5).
  /// - Returns: the effect.
  @inlinable
  public static func run<Input: Hashable & Sendable>(
    input: Input, name: String? = nil, priority: TaskPriority? = nil, fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ input: Input, _ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: nil, overlap: .concurrent, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: { send in try await operation(input, send) },
        failure: `catch`))
  }

  /// Runs an asynchronous closure on an input that is frozen now, under an id.
  ///
  /// The input is passed to the closure, shown in failures and in the status of the id, listed by ``runs``, and decides what
  /// ``Overlap/join`` may share. For the rest see
  /// ``run(id:overlap:name:priority:fileID:line:_:catch:)``.
  ///
  /// - Parameters:
  ///   - id: the name to cancel and query by: any hashable value, or an ``EffectID``. An optional is used by its value; if it is
  ///     `nil`, the run has no id and `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - input: the value that the closure gets. It also decides what ``Overlap/join`` may share.
  ///   - name: what to call the run in failure texts and timelines.
  ///   - priority: the priority of its task.
  ///   - fileID: the file the run is built in.
  ///   - line: the line the run is built in.
  ///   - operation: the work. Called off the store's isolation, with the input and the `Send` for its actions.
  ///   - catch: what to do with an error of the closure. If there is none, the error is reported (rule E5).
  /// - Returns: the effect.
  @inlinable
  public static func run<Input: Hashable & Sendable>(
    id: some Hashable & Sendable, overlap: Overlap, input: Input, name: String? = nil,
    priority: TaskPriority? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @concurrent @Sendable (_ input: Input, _ send: Send<Action>) async throws -> Void,
    catch: (@concurrent @Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil
  ) -> Effect {
    .run(
      Operation(
        id: EffectID.unwrapping(id), overlap: overlap, input: input, name: name, priority: priority,
        site: CallSite(fileID: fileID, line: line), body: { send in try await operation(input, send) },
        failure: `catch`))
  }
}
