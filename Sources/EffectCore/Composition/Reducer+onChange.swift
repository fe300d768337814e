// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Reacts to a change of a part of the state, whichever action made it.
  ///
  /// ```swift
  /// Settings().onChange(of: \.fontSize) { state, former in .send(.layOut) }
  /// ```
  ///
  /// A value that is not equal to itself, because it contains a NaN, has not changed if it is the same as before.
  ///
  /// - Ordering: in the same reduction, after this reducer. The effect of this reducer comes first. A change that
  ///   `react` itself makes does not call it again.
  /// - Complexity: one comparison for each action, and a second one up to the first difference if the value has changed. The
  ///   former value is kept meanwhile: a collection that changes is copied.
  /// - Parameters:
  ///   - value: the part of the state to compare.
  ///   - react: called with the changed state and the former value. It may change the state, and returns an effect.
  /// - Returns: this reducer together with the reaction.
  public func onChange<Value: Equatable>(
    of value: any KeyPath<State, Value> & Sendable,
    _ react: @escaping (_ state: inout State, _ former: Value) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    Reduce { state, action in
      let former = state[keyPath: value]
      let effect = reduce(into: &state, action: action)
      return Sameness.areSame(state[keyPath: value], former) ? effect : .merge(effect, react(&state, former))
    }
  }

  /// Cancels work of an id as soon as a part of the state has changed. For example, results for an old query are not
  /// needed.
  ///
  /// ```swift
  /// Search().cancelling("search", whenChanged: \.query)
  /// ```
  ///
  /// - Ordering: work that was active before this reduction is cancelled. Work that this reducer starts under the same
  ///   id, in the same reduction, is not.
  /// - Complexity: as ``onChange(of:_:)``.
  /// - Parameters:
  ///   - id: the id of the work, without the scopes around this reducer.
  ///   - value: the part of the state whose change cancels it.
  /// - Returns: this reducer together with the cancel.
  public func cancelling<Value: Equatable>(
    _ id: some Hashable & Sendable, whenChanged value: any KeyPath<State, Value> & Sendable
  ) -> some Reducer<State, Action> {
    let cancel = EffectID.unwrapping(id).map { Effect<Action>.cancel(.id($0.implied)) } ?? .none
    return Reduce { state, action in
      let former = state[keyPath: value]
      let effect = reduce(into: &state, action: action)
      return Sameness.areSame(state[keyPath: value], former) ? effect : .merge(cancel, effect)
    }
  }
}
