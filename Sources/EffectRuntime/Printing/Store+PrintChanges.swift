// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store {
  /// Prints what happens from now on: each action with its cause, what it changed in the state, and the runs that start,
  /// end, are replaced or dropped.
  ///
  /// ```swift
  /// store.printChanges()
  /// store.printChanges(of: \.cart, where: { $0 != .tick })
  /// ```
  /// ```text
  /// 0.000 s  .queryChanged("swift") sent at MyApp/main.swift:12
  ///   query:
  ///     - "sw"
  ///     + "swift"
  ///   run 1 ("search") cancelled: replaced
  ///   run 2 starts: run("search", input: "swift", overlap: restart) at MyApp/Search.swift:14
  /// 0.300 s  .found(["SWIFT"]) from run 2 ("search")
  ///   results[0]:
  ///     + "SWIFT"
  /// 0.300 s  run 2 ("search") finished
  /// ```
  ///
  /// The lines of runs are below the action that caused them, unless something else was printed in between. The change
  /// is a ``StateDifference``.
  ///
  /// - Parameters:
  ///   - part: the part of the state that is compared. With a part, an action that does not change it is not printed.
  ///   - ids: if given, only runs of these ids are printed, and the actions that they send.
  ///   - output: called with one or more lines for each event; by default they go to standard output. It is called on the
  ///     store's isolation, between two pieces of its work. Actions that it sends are only enqueued.
  ///   - isShown: whether an action is printed. If an action is not printed because of this or of `part`, the runs that it
  ///     requests are not printed either.
  /// - Returns: an object to end it with. If you discard it, it prints until the store ends.
  /// - Ordering: what was accepted and not reduced is printed as well.
  /// - Lifetime: it does not keep the store alive. It keeps the part of the state after the last action, so arrays and
  ///   dictionaries in it are copied when the next action changes them.
  /// - Isolation: call it on any thread. It may be called several times, for example with several filters.
  /// - Complexity: each action costs a comparison of the state before and after: O(1) for parts that share their storage,
  ///   otherwise as described for ``StateDifference``.
  @discardableResult
  public nonisolated func printChanges(
    of part: any PartialKeyPath<R.State> & Sendable = \R.State.self,
    ids: [EffectID]? = nil, to output: @escaping @Sendable (String) -> Void = { print($0) },
    where isShown: (@Sendable (R.Action) -> Bool)? = nil
  ) -> TraceListening {
    let filter = ChangePrinter<R.Action>.Filter(
      isShown: isShown, ids: ids.map { Set($0) }, onlyChanges: part != \R.State.self)
    let printing = ListenerState(ChangePrinter<R.Action>(filter))
    return trace.listen { [weak self] event in
      guard let self else { return }
      let text = self.assumeIsolated { store in
        printing.value.text(of: event) { store.core.value.engine.state[keyPath: part] }
      }
      if let text { output(text) }
    }
  }
}
