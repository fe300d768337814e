// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Search {
  /// The reducer for replaying a recording: the recording holds what was found, and nothing is searched.
  static var replaying: Search { Search { _ in AsyncThrowingStream { $0.finish() } } }
}

/// Records from now on, if there is a file for it.
func record(_ store: Store<Search>, to file: String?, checkpoints: Int = 1) async throws -> StoreRecorder? {
  guard let file else { return nil }
  return try await store.record(with: Search.codec, checkpoints: checkpoints, to: file)
}

/// A test that replays the recording, as Swift source.
func testSource(of recording: Recording) -> String {
  recording.testSource(
    name: "A recorded session leads to the same states", importing: ["live_search"], reducer: "Search.replaying",
    codec: "Search.codec")
}
