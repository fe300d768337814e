// This source file is part of swift-effects. License: Apache-2.0.

extension FailureText {
  static func replayDiffers(_ difference: String, index: Int, action: any Sendable, cause: String) -> String {
    """
    Action \(index) of the recording, \(brief(action)) \(cause), leads to another state than when it was recorded \
    (- recorded, + now):

    \(difference)

    If the reducer was changed on purpose, record again; otherwise fix it. What follows in the recording was not compared.
    """
  }

  static let nothingToReplay = """
    The recording has no action, so nothing was replayed.

    Call `store.record(with:)` before the first action is sent.
    """

  static func replayBeginsElsewhere(_ difference: String) -> String {
    """
    The recording begins with another state than the store has (- recorded, + now), so nothing was replayed:

    \(difference)

    Make the store with the recorded state, and replay first. To get this state, pass `initialState` of the recording \
    to `decodeState` of its codec.
    """
  }

  static func noCheckpoints(_ actions: Int) -> String {
    """
    The recording has no state behind \(actions == 1 ? "its action" : "any of its \(actions) actions"), so nothing was \
    compared.

    Record with `checkpoints: 1`, which is the default of `record(with:)`.
    """
  }

  static func damaged(_ damage: String) -> String {
    """
    The recording is damaged: \(damage). What could be read was replayed.

    Copy the recording again from its file, or record again.
    """
  }
}
