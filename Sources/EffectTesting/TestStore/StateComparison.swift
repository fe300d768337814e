// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// How a test compares states: as a whole, or a part of them that is `Equatable`.
@usableFromInline
struct StateComparison<State> {
  @usableFromInline let areEqual: (State, State) -> Bool
  /// What differs, for a failure (- expected, + actual).
  let difference: (_ expected: State, _ actual: State) -> String
  /// What a failure adds: what is compared, and what is not. Empty if the whole state is compared.
  let remark: (State) -> String
}

extension StateComparison {
  /// Compares whole states.
  init() where State: Equatable {
    self.init { Sameness.areSame($0, $1) }
  }

  /// Compares whole states with an operator that is compiled for their type.
  @usableFromInline
  init(areEqual: @escaping (State, State) -> Bool) {
    self.areEqual = areEqual
    difference = { StateDifference(from: $0, to: $1).indented }
    remark = { _ in "" }
  }

  /// Compares only what a closure takes of a state. The location is that of the call which has the closure as an
  /// argument.
  init<Part: Equatable>(_ part: @escaping (State) -> Part, at location: TestLocation) {
    areEqual = { Sameness.areSame(part($0), part($1)) }
    difference = { StateDifference(from: part($0), to: part($1)).indented }
    remark = { state in
      let rest = Mirror(reflecting: state).children.filter { !($0.value is any Equatable) }.compactMap(\.label)
      return FailureText.comparedOnly(
        SourceLine.argument("comparing", ofCallAt: location), at: "\(location.fileID):\(location.line)", rest: rest)
    }
  }
}
