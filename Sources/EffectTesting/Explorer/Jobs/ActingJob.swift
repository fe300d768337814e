// This source file is part of swift-effects. License: Apache-2.0.

/// What the job has done that is being executed, as far as it decides whether the job stops.
struct ActingJob {
  /// Whether the job stops before it posts a message, if others could already react to what it has done before.
  var stops = false
  /// Whether it stops after its first message as well.
  var isPart = false
  /// Whether it has posted a message.
  var hasPosted = false
  /// How many jobs had become ready in the schedule when it began.
  var count: Int32 = 0
  /// Whether it had to stop and could not.
  var hasMissed = false
}
