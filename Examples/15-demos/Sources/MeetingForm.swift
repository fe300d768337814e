// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The form of a meeting. A meeting has at least one speaker.
struct MeetingForm: Reducer {
  struct State: Equatable, Sendable {
    var meeting: Meeting

    /// Without speakers that have no name.
    var cleaned: Meeting {
      var meeting = meeting
      meeting.speakers.removeAll { $0.allSatisfy(\.isWhitespace) }
      if meeting.speakers.isEmpty { meeting.speakers = [""] }
      return meeting
    }
  }

  enum Action: Equatable, Sendable {
    case titleChanged(String), minutesChanged(Int)
    case speakerAdded, speakerChanged(Int, String), speakerDeleted(Int)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .titleChanged(let title): state.meeting.title = title
    case .minutesChanged(let minutes): state.meeting.minutes = minutes
    case .speakerAdded: state.meeting.speakers.append("")
    case .speakerChanged(let index, let name):
      guard state.meeting.speakers.indices.contains(index) else { break }
      state.meeting.speakers[index] = name
    case .speakerDeleted(let index):
      guard state.meeting.speakers.indices.contains(index) else { break }
      state.meeting.speakers.remove(at: index)
      if state.meeting.speakers.isEmpty { state.meeting.speakers = [""] }
    }
    return .none
  }
}
