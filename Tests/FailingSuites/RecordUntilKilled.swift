// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Testing

/// Records until it is killed, in a child process only: `RecordingFileTests` kills it and reads the recording.
@Suite(.enabled(if: FailOnPurpose.isAsked && FailOnPurpose.recordsTo != nil))
struct RecordUntilKilled {
  @Test func records() async throws {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state += action
        return .none
      })
    let codec = RecordingCodec<Int, Int>(
      encodeState: { Array("\($0)".utf8) }, decodeState: { _ in 0 }, encodeAction: { Array("\($0)".utf8) },
      decodeAction: { _ in 0 })
    let path = try #require(FailOnPurpose.recordsTo)
    try await store.record(with: codec, to: path)
    for action in 1... {
      await store.send(action).finish()
      // The reducer has returned, so the system has the line, and the reader of this output can depend on it.
      if action.isMultiple(of: 100) {
        try FileHandle.standardOutput.write(contentsOf: Data("recorded \(action)\n".utf8))
      }
    }
  }
}
