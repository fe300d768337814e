// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct UndoLosesAnswerTests {
  @Test func `Undo takes back the text and keeps the picture, in every order`() async {
    await explore(initialState: Note.State(), reducer: Note(upload: { "/pictures/\($0)" })) { script in
      script.send(.pictureChosen("cat"))
      script.send(.typed("A cat"))
      script.send(.undoTapped)
    } finally: { state in
      state.text == "" && state.pictures == ["/pictures/cat"]
    }
  }
}
