// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What turns speech into text.
struct Speech: Sendable {
  enum Permission: Equatable, Sendable { case allowed, denied }

  /// The whole text so far, again and again.
  var texts: @Sendable () -> AsyncThrowingStream<String, any Error>
}

/// A meeting that takes place: a timer, one speaker after another, and what is said.
struct Recording: Reducer {
  enum Alert: Equatable, Sendable { case end(canDiscard: Bool), speechFailed }

  struct State: Equatable, Sendable {
    let meeting: Meeting
    var alert: Alert?
    var seconds = 0
    var speaker = 0
    var text = ""

    var secondsLeft: Int { meeting.secondsPerSpeaker * meeting.speakers.count - seconds }
  }

  enum Action: Equatable, Sendable {
    case appeared(isRecorded: Bool)
    case nextTapped, endTapped
    case discardTapped, saveTapped, resumeTapped
    case tick, heard(String), speechFailed
    /// With a note, or discarded. The parent closes this screen.
    case ended(note: String?)
  }

  var speech: Speech

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared(let isRecorded):
      let timer = Effect<Action>.timer(id: "timer", overlap: .drop, every: .seconds(1), .tick)
      guard isRecorded else { return timer }
      return .merge(
        timer,
        .stream(id: "speech", overlap: .drop, sequence: { [speech] in speech.texts() }) {
          .heard($0)
        } catch: { _, send in
          send(.speechFailed)
        })
    case .nextTapped:
      guard state.speaker + 1 < state.meeting.speakers.count else {
        state.alert = .end(canDiscard: false)
        break
      }
      state.speaker += 1
      state.seconds = state.speaker * state.meeting.secondsPerSpeaker
    case .endTapped: state.alert = .end(canDiscard: true)
    case .resumeTapped: state.alert = nil
    case .discardTapped: return .send(.ended(note: nil))
    case .saveTapped: return .send(.ended(note: state.text))
    case .tick:
      // No time passes while a question is shown.
      guard state.alert == nil else { break }
      state.seconds += 1
      guard state.seconds.isMultiple(of: state.meeting.secondsPerSpeaker) else { break }
      if state.secondsLeft <= 0 { return .send(.ended(note: state.text)) }
      state.speaker += 1
    case .heard(let text): state.text = text
    case .speechFailed:
      if !state.text.isEmpty { state.text += " (not recorded any more)" }
      state.alert = .speechFailed
    case .ended: break
    }
    return .none
  }
}
