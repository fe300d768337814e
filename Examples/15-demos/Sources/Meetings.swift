// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A regular meeting, and the notes of those that have taken place.
struct Meeting: Equatable, Identifiable, Sendable {
  let id: Int
  var title = ""
  var speakers: [String] = [""]
  var minutes = 5
  var notes: [String] = []

  var secondsPerSpeaker: Int { max(1, minutes * 60 / max(1, speakers.count)) }
}

/// Demo 3, meeting notes: a list, a detail with a form, and a meeting that is recorded.
struct Meetings: Reducer {
  struct State: Equatable, Sendable {
    var meetings: [Meeting] = []
    /// A sheet with a new meeting.
    var adding: MeetingForm.State?
    var detail: MeetingDetail.State?
  }

  enum Action: Equatable, Sendable {
    case addTapped, addConfirmed, addDismissed, adding(MeetingForm.Action)
    case tapped(Meeting.ID), backTapped, detail(MeetingDetail.Action)
    case notSaved
  }

  static let adding = CasePath(Action.adding)
  static let detail = CasePath(Action.detail)

  var newID: @Sendable () -> Int
  var save: @Sendable ([Meeting]) async throws -> Void
  var speech: Speech

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    list.onChange(of: \.meetings) { [save] state, _ in
      // A second after the last change.
      .run(id: "save", overlap: .restart, input: state.meetings.count) { [meetings = state.meetings] _, _ in
        try await save(meetings)
      } catch: { _, send in
        send(.notSaved)
      }
      .debounce(for: .seconds(1))
    }
    .reduce(into: &state, action: action)
  }

  private var list: some Reducer<State, Action> {
    Reduce<State, Action> { [newID] state, action in
      switch action {
      case .addTapped: state.adding = MeetingForm.State(meeting: Meeting(id: newID()))
      case .addDismissed: state.adding = nil
      case .addConfirmed:
        guard let form = state.adding else { break }
        state.meetings.append(form.cleaned)
        state.adding = nil
      case .tapped(let id):
        state.detail = state.meetings.first { $0.id == id }.map { MeetingDetail.State(meeting: $0) }
      case .backTapped: state.detail = nil
      case .detail(.deleteConfirmed):
        state.meetings.removeAll { $0.id == state.detail?.id }
        state.detail = nil
      case .detail:
        // The detail has changed its meeting: the list has one as well.
        guard let changed = state.detail?.meeting else { break }
        for index in state.meetings.indices where state.meetings[index].id == changed.id {
          state.meetings[index] = changed
        }
      case .adding, .notSaved: break
      }
      return .none
    }
    .ifLet(\.adding, action: Self.adding) { MeetingForm() }
    .ifLet(\.detail, action: Self.detail) { MeetingDetail(speech: speech) }
  }
}
