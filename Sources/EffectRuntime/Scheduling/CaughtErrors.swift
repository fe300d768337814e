// This source file is part of swift-effects. License: Apache-2.0.

/// The errors whose `catch` closures execute, by the slots of the runs.
struct CaughtErrors: Sendable {
  private var errors: [Int32: any Error] = [:]

  /// Whether no `catch` closure executes.
  var isEmpty: Bool { errors.isEmpty }

  /// The `catch` closure of a run is about to execute.
  mutating func add(_ error: any Error, of run: Int32) { errors[run] = error }

  /// The error whose `catch` closure executes; `nil` if none does.
  func error(of run: Int32) -> (any Error)? { errors[run] }

  /// Removes the error whose `catch` closure has returned or was cancelled; `nil` if none executes.
  mutating func remove(of run: Int32) -> (any Error)? {
    // Checked first, because an empty dictionary computes the hash all the same.
    errors.isEmpty ? nil : errors.removeValue(forKey: run)
  }
}
