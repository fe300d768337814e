// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Inspected {
  func recording(newest: Int?, upTo position: Int?, mostBytes: Int) throws -> Recording {
    let history = recorder.history
    let last = position ?? history.count
    guard (history.oldest...history.count).contains(last) else {
      throw InspectorError.unknownPosition(last, oldest: history.oldest, newest: history.count)
    }
    let first = max(history.oldest, last - max(0, newest ?? last))
    var size = 0
    do {
      let beginning = try codec.encodeState(states(at: first, in: history).after)
      var recording = Recording(initialState: beginning, codecVersion: codec.version)
      for position in first..<last {
        guard let entry = history.entry(at: position + 1) else { continue }
        let action = try codec.encodeAction(entry.action)
        size += action.count
        recording.steps.append(Recording.Step(time: entry.time, cause: Recording.Cause(entry.source), action: action))
        for other in history.others(after: position + 1) {
          guard case .run = other.kind else { continue }
          let text = "\(other.kind)"
          size += text.utf8.count
          recording.notes.append(Recording.Note(after: recording.steps.count, time: other.time, text: text))
        }
        guard size <= mostBytes else { throw InspectorError.tooLarge(mostBytes) }
      }
      // So a replay can tell whether it leads to the same state.
      if !recording.steps.isEmpty {
        let state = try states(at: last, in: history).after
        recording.steps[recording.steps.count - 1].state = try codec.encodeState(state)
      }
      return recording
    } catch let error as InspectorError {
      throw error
    } catch {
      throw InspectorError.unencodable("\(error)")
    }
  }

  func testSource(newest: Int?, upTo position: Int?, mostBytes: Int) throws -> String {
    try recording(newest: newest, upTo: position, mostBytes: mostBytes).testSource(
      name: "A session of \(name)", importing: test.modules, reducer: test.reducer, codec: test.codec)
  }
}

extension Recording.Cause {
  fileprivate init(_ source: TraceSource) {
    self =
      switch source {
      case .user(_, let site): .user(source.isByHand ? "by hand" : site.map { "\($0)" } ?? "")
      case .run(let run): .run(run?.number ?? 0)
      case .followUp: .followUp
      }
  }
}
