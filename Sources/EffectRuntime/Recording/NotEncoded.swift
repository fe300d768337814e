// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// An action or a state that the codec cannot write into a journal.
struct NotEncoded: Error {
  enum Part {
    case action(Recording.Cause)
    case state
  }

  enum Loss {
    /// The journal has everything in another form.
    case nothing
    /// What is reduced from now on is not in the journal, until a state can be encoded.
    case turnsAreMissing
  }

  private let part: Part
  private let error: any Error
  private let loss: Loss
  /// What the codec had thrown for an action of the same turn.
  private let action: String

  init(_ part: Part, _ error: any Error, _ loss: Loss = .nothing, after action: NotEncoded? = nil) {
    (self.part, self.error, self.loss) = (part, error, loss)
    self.action = action.map { "\($0.subject) " } ?? ""
  }

  /// Equal for errors of which one report is enough.
  var key: String {
    let kind = if case .state = part { "state" } else { "action" }
    return "\(kind) \(ValueDescription.of(error))"
  }

  private var subject: String {
    let what =
      switch part {
      case .action(let cause): "An action, \(cause),"
      case .state: "The state"
      }
    return "\(what) cannot be encoded for the journal: \(ValueDescription.of(error))."
  }
}

extension NotEncoded: CustomStringConvertible {
  /// What cannot be encoded, what the codec has thrown, and what is lost.
  var description: String {
    let effect =
      switch (loss, part) {
      case (.nothing, .action):
        "Nothing is lost: a checkpoint of the state after its turn has replaced the journal. This takes longer than to write "
          + "the action, so change the codec to encode it."
      case (.nothing, .state):
        "Nothing is lost: the journal keeps the actions, and the next checkpoint is tried later. If the store is restored "
          + "meanwhile, it continues in the same way. Change the codec to encode this state."
      case (.turnsAreMissing, _):
        "The journal keeps what it has, and misses the turns from now on, until a state can be encoded again. A restart before "
          + "that loses them. Change the codec to encode this state."
      }
    return "\(action)\(subject) \(effect)"
  }
}
