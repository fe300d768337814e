// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A feature's state with its history.
struct Undoable<State: Equatable & Sendable>: Equatable, Sendable {
  var present: State
  /// The states before the last steps, the oldest first.
  var past: [State] = []
  /// The states that were undone; the one that was undone last comes last.
  var future: [State] = []
  /// The group of the last step, as long as that step can go on.
  var group: Int?
}

enum UndoAction<Action: Equatable & Sendable>: Equatable, Sendable { case edit(Action), undo, redo }

/// What an action is for the history. An answer of a run is `none`: if it were a step, redo would end with it.
enum UndoStep: Equatable {
  case single, none
  /// Steps of one group, one after another, are one step: what is typed into one field.
  case group(Int)
}

/// Undo and redo around a feature: a reducer that keeps the states before the last steps.
///
/// An undo or redo replaces the state, and cancels the feature's work: its answers would come to a state that did not ask for
/// them, perhaps to a child that was removed. What this work has done outside, for example on a server, is not taken back, and
/// nothing is started again. If a state needs work, `onChange(of:)` around this reducer starts it.
struct Undo<Feature: Reducer>: Reducer where Feature.State: Equatable & Sendable, Feature.Action: Equatable {
  typealias State = Undoable<Feature.State>
  typealias Action = UndoAction<Feature.Action>

  var feature: Feature
  /// How many states are kept.
  var limit = 50
  var step: (Feature.Action) -> UndoStep
  /// Copies what an undo or redo leaves as it is into the state that is restored.
  var keep: (_ restored: inout Feature.State, _ present: Feature.State) -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edit(let edit):
      let former = state.present
      let effect = feature.reduce(into: &state.present, action: edit).scoped("feature", Action.edit)
      note(step(edit), from: former, in: &state)
      return effect
    case .undo: return restore(\.past, keepingPresentIn: \.future, of: &state)
    case .redo: return restore(\.future, keepingPresentIn: \.past, of: &state)
    }
  }

  private func note(_ step: UndoStep, from former: Feature.State, in state: inout State) {
    var group: Int?
    if case .group(let key) = step { group = key }
    guard step != .none, state.present != former, group == nil || group != state.group else { return }
    state.past = (state.past + [former]).suffix(limit)
    state.future = []
    state.group = group
  }

  private func restore(
    _ source: WritableKeyPath<State, [Feature.State]>, keepingPresentIn target: WritableKeyPath<State, [Feature.State]>,
    of state: inout State
  ) -> Effect<Action> {
    guard var restored = state[keyPath: source].popLast() else { return .none }
    keep(&restored, state.present)
    state[keyPath: target].append(state.present)
    state.present = restored
    state.group = nil
    return .cancel(scope: "feature")
  }
}
