// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import demos

@Suite struct MeetingsTests {
  struct Broken: Error {}
  private static let meeting = Meeting(id: 1, title: "Design", speakers: ["Ann", "Bob"], minutes: 1)

  /// Says this and ends, or fails.
  private static func speech(_ texts: [String], isBroken: Bool = false) -> Speech {
    Speech {
      AsyncThrowingStream { continuation in
        for text in texts { continuation.yield(text) }
        continuation.finish(throwing: isBroken ? Broken() : nil)
      }
    }
  }

  private static func meetings(_ speech: Speech, _ save: @escaping @Sendable ([Meeting]) throws -> Void = { _ in })
    -> Meetings
  {
    Meetings(newID: { 2 }, save: { try save($0) }, speech: speech)
  }

  @Test func `A meeting is added without nameless speakers, and saved a second later`() async {
    let saved = Mutex([[Meeting]]())
    let store = TestStore(
      initialState: Meetings.State(),
      reducer: Self.meetings(Self.speech([])) { all in saved.withLock { $0.append(all) } })
    store.send(.addTapped) { $0.adding = MeetingForm.State(meeting: Meeting(id: 2)) }
    store.send(.adding(.titleChanged("Plan"))) { $0.adding?.meeting.title = "Plan" }
    store.send(.adding(.minutesChanged(10))) { $0.adding?.meeting.minutes = 10 }
    store.send(.adding(.speakerAdded)) { $0.adding?.meeting.speakers = ["", ""] }
    store.send(.adding(.speakerChanged(1, "Cem"))) { $0.adding?.meeting.speakers = ["", "Cem"] }
    let plan = Meeting(id: 2, title: "Plan", speakers: ["Cem"], minutes: 10)
    store.send(.addConfirmed) {
      $0.adding = nil
      $0.meetings = [plan]
    }
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(saved.withLock(\.self) == [[plan]])
  }

  @Test func `A form that is dismissed changes nothing; the last speaker cannot be removed`() async {
    let store = TestStore(initialState: Meetings.State(), reducer: Self.meetings(Self.speech([])))
    store.send(.addTapped) { $0.adding = MeetingForm.State(meeting: Meeting(id: 2)) }
    store.send(.adding(.speakerDeleted(0)))
    store.send(.addDismissed) { $0.adding = nil }
    await store.finish()
  }

  @Test func `A meeting is edited and deleted, and a save that fails is received`() async {
    let store = TestStore(
      initialState: Meetings.State(meetings: [Self.meeting]),
      reducer: Self.meetings(Self.speech([])) { _ in throw Broken() })
    store.send(.tapped(1)) { $0.detail = MeetingDetail.State(meeting: Self.meeting) }
    store.send(.detail(.editTapped)) { $0.detail?.editing = MeetingForm.State(meeting: Self.meeting) }
    store.send(.detail(.editing(.titleChanged("Plan")))) { $0.detail?.editing?.meeting.title = "Plan" }
    store.send(.detail(.editConfirmed)) {
      $0.detail?.editing = nil
      $0.detail?.meeting.title = "Plan"
      $0.meetings[0].title = "Plan"
    }
    store.advance(by: .seconds(1))
    await store.receive(.notSaved)
    store.send(.detail(.deleteTapped)) { $0.detail?.alert = .delete }
    store.send(.detail(.alertDismissed)) { $0.detail?.alert = nil }
    store.send(.detail(.deleteConfirmed)) {
      $0.detail = nil
      $0.meetings = []
    }
    store.advance(by: .seconds(1))
    await store.receive(.notSaved)
    await store.finish()
  }

  @Test func `A recording: no time passes while a question is shown, and its end is a note`() async {
    let short = Meeting(id: 1, speakers: ["Ann", "Bob"], minutes: 0)
    let store = TestStore(
      initialState: MeetingDetail.State(meeting: short), reducer: MeetingDetail(speech: Self.speech(["Hello."])))
    store.send(.startTapped(.denied)) { $0.alert = .speechDenied }
    store.send(.alertDismissed) { $0.alert = nil }
    store.send(.startTapped(.allowed)) { $0.recording = Recording.State(meeting: short) }
    await store.receive(.recording(.appeared(isRecorded: true)))
    await store.receive(.recording(.heard("Hello."))) { $0.recording?.text = "Hello." }
    store.send(.recording(.endTapped)) { $0.recording?.alert = .end(canDiscard: true) }
    store.advance(by: .seconds(1))
    await store.receive(.recording(.tick))
    store.send(.recording(.resumeTapped)) { $0.recording?.alert = nil }
    store.advance(by: .seconds(1))
    await store.receive(.recording(.tick)) {
      $0.recording?.seconds = 1
      $0.recording?.speaker = 1
    }
    store.send(.recording(.nextTapped)) { $0.recording?.alert = .end(canDiscard: false) }
    store.send(.recording(.resumeTapped)) { $0.recording?.alert = nil }
    store.advance(by: .seconds(1))
    await store.receive(.recording(.tick)) { $0.recording?.seconds = 2 }
    await store.receive(.recording(.ended(note: "Hello."))) {
      $0.recording = nil
      $0.meeting.notes = ["Hello."]
    }
    store.send(.noteDeleted(0)) { $0.meeting.notes = [] }
    await store.finish()
  }

  @Test func `Speech that fails asks; a meeting without a recording can be discarded`() async {
    let store = TestStore(
      initialState: MeetingDetail.State(meeting: Self.meeting),
      reducer: MeetingDetail(speech: Self.speech(["Hel"], isBroken: true)))
    store.send(.startTapped(.allowed)) { $0.recording = Recording.State(meeting: Self.meeting) }
    await store.receive(.recording(.appeared(isRecorded: true)))
    await store.receive(.recording(.heard("Hel"))) { $0.recording?.text = "Hel" }
    await store.receive(.recording(.speechFailed)) {
      $0.recording?.text = "Hel (not recorded any more)"
      $0.recording?.alert = .speechFailed
    }
    store.send(.recording(.saveTapped))
    await store.receive(.recording(.ended(note: "Hel (not recorded any more)"))) {
      $0.recording = nil
      $0.meeting.notes = ["Hel (not recorded any more)"]
    }
    store.send(.startWithoutRecording) { $0.recording = Recording.State(meeting: store.state.meeting) }
    await store.receive(.recording(.appeared(isRecorded: false)))
    store.send(.recording(.nextTapped)) {
      $0.recording?.speaker = 1
      $0.recording?.seconds = 30
    }
    store.send(.recording(.discardTapped))
    await store.receive(.recording(.ended(note: nil))) { $0.recording = nil }
    await store.finish()
  }

  @Test func `However a recording ends, its timer and its speech end with it, and nothing arrives later (M2, E1)`()
    async
  {
    let result = await explore(
      initialState: Meetings.State(meetings: [Self.meeting], detail: MeetingDetail.State(meeting: Self.meeting)),
      reducer: Self.meetings(Self.speech(["a"])), requiring: [.nothingRunsAtTheEnd],
      budget: .schedules(2_000), options: .init(deadlines: 2)
    ) { script in
      script.send(.detail(.startTapped(.allowed)))
      script.send(.detail(.recording(.saveTapped)))
    } always: { state in
      state.detail?.recording != nil || state.meetings[0].notes.count <= 1
    } finally: { state in
      state.detail?.recording == nil && state.meetings[0].notes.count == 1
    }
    // A timer may always tick once more before the next tap, so the number of orders has no limit.
    #expect(result.failure == nil && (result.completeLevel == .answers || result.schedules > 1_000))
  }
}
