// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A time modifier that needs the id of a run was used with a run that has no id.
package struct MissingID: Error, CustomStringConvertible {
  /// The modifier.
  let modifier: RunTiming.Window

  /// The name of the modifier.
  package var name: String {
    switch modifier {
    case .debounce: "debounce"
    case .throttle: "throttle"
    }
  }

  /// What is wrong, and what to do about it.
  package var description: String {
    "`\(name)` needs an id, because it decides about the runs of one. The run was not started. Give it an id, "
      + #"by the arguments `id: "search", overlap: .restart`, or by `.cancellable(id: "search", overlap: .restart)` "#
      + "on the run or `send` itself."
  }
}
