// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration.Script {
  /// Sends up to `limit` of these actions, as the search chooses: each sequence of them, including the empty one, in
  /// some schedule. So you need not guess which script shows a bug.
  ///
  /// ```swift
  /// await explore(initialState: .init(), reducer: Feed(load: load)) { script in
  ///   script.send(anyOf: [.refresh, .more, .close], upTo: 4)
  /// } always: { $0.isConsistent }
  /// ```
  ///
  /// A failure shows the actions that are needed, as code for a script of its own. To find these, actions are left
  /// out or replaced by earlier ones of the list, as long as the same property is violated.
  ///
  /// - Parameters:
  ///   - actions: what may be sent, the simplest first. An empty list is a mistake, which traps.
  ///   - limit: how many are sent at most. Less than 1 is a mistake, which traps.
  ///   - fileID: the file that a trap names, and the line of each send.
  ///   - line: likewise.
  /// - Ordering: as ``send(_:fileID:line:)``. The actions are chosen while the body is executed. In every second
  ///   schedule of a random search only a random part of the actions is chosen from (swarm testing).
  /// - Complexity: with `n` actions there are more than `n`^`k` scripts of up to `k` sends, each with all of its
  ///   orders. A random search, with which the standard search begins, finds what an exhaustive search would not
  ///   reach.
  public func send(anyOf actions: [Action], upTo limit: Int, fileID: StaticString = #fileID, line: UInt = #line) {
    generate(actions.count, upTo: limit, fileID, line) { number, _ in actions[number] }
  }

  /// Sends up to `limit` actions with values that the search chooses too.
  ///
  /// ```swift
  /// script.send(anyOf: [.clear], .values(0...3).map(Search.Action.typed), upTo: 4)
  /// ```
  ///
  /// A failure shows the actions that are needed, with the simplest values that violate the same property. To find these,
  /// actions are left out or replaced by earlier ones, and values are made simpler.
  ///
  /// - Parameters:
  ///   - actions: what may be sent, the simplest first: lists of actions, and generators. Each action of a list is as
  ///     probable as a whole generator. None at all, a generator without a value, and one with more than 10,000 values in
  ///     one choice are mistakes, which trap.
  ///   - limit: how many are sent at most. Less than 1 is a mistake, which traps.
  ///   - fileID: the file that a trap names, and the line of each send.
  ///   - line: likewise.
  /// - Ordering: as ``send(_:fileID:line:)``. Actions and values are chosen while the body is executed.
  /// - Complexity: each value of a generator counts as an action of a list. An exhaustive search needs small ranges.
  public func send(
    anyOf actions: Exploration.Values<Action>..., upTo limit: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    generate(actions, upTo: limit, fileID, line, condition: nil)
  }

  /// Sends up to `limit` actions that the search chooses, each only if the state allows it when it would be sent: as a button that
  /// is shown, or enabled, in some states.
  ///
  /// ```swift
  /// script.send(anyOf: [.open, .close], upTo: 4) { (state: Door.State, action) in
  ///   action != .close || state.isOpen
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - actions: what may be sent, the simplest first: lists of actions, and generators.
  ///   - limit: how many are sent at most. Less than 1 is a mistake, which traps.
  ///   - fileID: the file that a trap names, and the line of each send.
  ///   - line: likewise.
  ///   - isPossible: whether the action can be sent in this state. It must depend on the two only.
  /// - Ordering: as ``send(_:fileID:line:)``. The condition is asked when the step would be taken. Actions that were sent before
  ///   may not have been reduced then.
  /// - Errors: a condition of another state than that of the feature is a failure.
  public func send<State>(
    anyOf actions: Exploration.Values<Action>..., upTo limit: Int, fileID: StaticString = #fileID, line: UInt = #line,
    where isPossible: @escaping (State, Action) -> Bool
  ) {
    let site = CallSite(fileID: fileID, line: line)
    // Not retained: the runner keeps the script, and with it the conditions.
    generate(actions, upTo: limit, fileID, line) { [unowned runner] state, action in
      if let own = state as? State { return isPossible(own, action) }
      runner.misuse = FailureText.otherConditionState(type(of: state), State.self, at: site)
      return false
    }
  }

  private func generate(
    _ actions: [Exploration.Values<Action>], upTo limit: Int, _ fileID: StaticString, _ line: UInt,
    condition: ((Any, Action) -> Bool)?
  ) {
    var alternatives: [(values: Exploration.Values<Action>, first: Int?)] = []
    for values in actions {
      if values.isEmpty {
        fatalError("Script.send(anyOf:upTo:): a generator has no value to choose", file: fileID, line: line)
      }
      if values.largest > 10_000 {
        fatalError(
          "Script.send(anyOf:upTo:): a generator has more than 10,000 values; choose among fewer", file: fileID,
          line: line)
      }
      if values.isList {
        for number in 0..<values.count { alternatives.append((values, number)) }
      } else {
        alternatives.append((values, nil))
      }
    }
    generate(alternatives.count, upTo: limit, fileID, line, condition: condition) { number, choose in
      let (values, first) = alternatives[number]
      return first.map { values.make($0, choose) } ?? values.value(choose)
    }
  }

  private func generate(
    _ count: Int, upTo limit: Int, _ fileID: StaticString, _ line: UInt, condition: ((Any, Action) -> Bool)? = nil,
    _ action: (Int, (Int) -> Int) -> Action
  ) {
    // Not `precondition`: optimised builds would trap without a message.
    if count < 1 {
      fatalError("Script.send(anyOf:upTo:): there is no action to choose", file: fileID, line: line)
    }
    if limit < 1 {
      fatalError("Script.send(anyOf:upTo:): upTo is \(limit); it is at least 1", file: fileID, line: line)
    }
    script.isGenerated = true
    let subset = runner.subset(of: count)
    for _ in 0..<limit {
      let choice = runner.chooseAction(of: count, from: subset)
      if choice == 0 { return }
      let action = action(choice - 1, runner.choose)
      send(action, fileID: fileID, line: line)
      script.noteGenerated()
      if let condition { script.noteCondition { condition($0, action) } }
    }
  }
}
