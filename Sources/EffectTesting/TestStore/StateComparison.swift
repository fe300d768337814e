// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// How a test compares states: as a whole, or a part of them that is `Equatable`.
@usableFromInline
struct StateComparison<State> {
  @usableFromInline let areEqual: (State, State) -> Bool
  /// Whether a copy of a state is the same, after the closure of a step.
  @usableFromInline let isUnchanged: (_ copy: State, _ before: State) -> Bool
  /// What differs, for a failure (- expected, + actual).
  let difference: (_ expected: State, _ actual: State) -> String
  /// What a failure adds: what is compared, and what is not. Empty if the whole state is compared.
  let remark: (State) -> String
}

extension StateComparison {
  /// Compares whole states.
  init() where State: Equatable {
    self.init(areEqual: { Sameness.areSame($0, $1) }, isUnchanged: { Sameness.isUnchanged($0, from: $1) })
  }

  /// Compares whole states with operators that are compiled for their type.
  @usableFromInline
  init(areEqual: @escaping (State, State) -> Bool, isUnchanged: @escaping (State, State) -> Bool) {
    self.areEqual = areEqual
    self.isUnchanged = isUnchanged
    difference = { StateDifference(from: $0, to: $1).indented }
    remark = { _ in "" }
  }

  /// Compares only what a closure takes of a state. The location is that of the call which has the closure as an
  /// argument.
  init<Part: Equatable>(_ part: @escaping (State) -> Part, at location: TestLocation) {
    areEqual = { Sameness.areSame(part($0), part($1)) }
    isUnchanged = { Sameness.isUnchanged(part($0), from: part($1)) }
    difference = { StateDifference(from: part($0), to: part($1)).indented }
    remark = { state in
      let rest = Mirror(reflecting: state).children.filter { !($0.value is any Equatable) }.compactMap(\.label)
      return FailureText.comparedOnly(
        SourceLine.argument("comparing", ofCallAt: location), at: "\(location.fileID):\(location.line)", rest: rest)
    }
  }
}
