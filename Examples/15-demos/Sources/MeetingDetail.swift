// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// One meeting: its form, its deletion, and a recording.
struct MeetingDetail: Reducer {
  enum Alert: Equatable, Sendable { case delete, speechDenied }

  struct State: Equatable, Identifiable, Sendable {
    var meeting: Meeting
    var alert: Alert?
    var editing: MeetingForm.State?
    var recording: Recording.State?
    var id: Meeting.ID { meeting.id }
  }

  enum Action: Equatable, Sendable {
    case deleteTapped, deleteConfirmed, alertDismissed
    case editTapped, editConfirmed, editDismissed, editing(MeetingForm.Action)
    case noteDeleted(Int)
    case startTapped(Speech.Permission), startWithoutRecording, recording(Recording.Action)
  }

  static let editing = CasePath(Action.editing)
  static let recording = CasePath(Action.recording)

  var speech: Speech

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .deleteTapped: state.alert = .delete
      case .alertDismissed: state.alert = nil
      case .editTapped: state.editing = MeetingForm.State(meeting: state.meeting)
      case .editDismissed: state.editing = nil
      case .editConfirmed:
        if let form = state.editing { state.meeting = form.cleaned }
        state.editing = nil
      case .noteDeleted(let index):
        guard state.meeting.notes.indices.contains(index) else { break }
        state.meeting.notes.remove(at: index)
      case .startTapped(.denied): state.alert = .speechDenied
      case .startTapped(.allowed):
        state.recording = Recording.State(meeting: state.meeting)
        return .send(.recording(.appeared(isRecorded: true)))
      case .startWithoutRecording:
        (state.alert, state.recording) = (nil, Recording.State(meeting: state.meeting))
        return .send(.recording(.appeared(isRecorded: false)))
      case .recording(.ended(let note)):
        // The timer and the recording are work of the child: they end with its state.
        if let note { state.meeting.notes.insert(note, at: 0) }
        state.recording = nil
      case .deleteConfirmed, .editing, .recording: break
      }
      return .none
    }
    .ifLet(\.editing, action: Self.editing) { MeetingForm() }
    .ifLet(\.recording, action: Self.recording) { Recording(speech: speech) }
  }
}
