// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import SwiftUI
import TestSupport
import Testing

/// Deletes things, and asks before.
private struct Deleting: Reducer {
  struct Question: Equatable, Sendable, Identifiable { var id: String }
  enum Answer: Equatable, Sendable { case yes, sure }
  struct State: Equatable, Sendable {
    var question: Question?
    var deleted: [String] = []
  }
  enum Action: Equatable, Sendable { case ask(String), question(Answer), closed }
  static let question = CasePath(
    embed: Action.question, extract: { if case .question(let answer) = $0 { answer } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ask(let name): state.question = Question(id: name)
    case .closed: state.question = nil
    case .question(.yes):
      if let question = state.question { state.deleted.append(question.id) }
      state.question = nil
    case .question(.sure): state.question = state.question.map { Question(id: "really \($0.id)") }
    }
    return .none
  }
}

private struct DeletingView: View {
  let store: ObservableStore<Deleting.State, Deleting.Action>
  var isDialog = false

  private var question: Presentation<Deleting.Question, Deleting.Answer> {
    store.presentation(\.question, action: Deleting.question, dismiss: .closed)
  }

  var body: some View {
    if isDialog {
      Text("list").confirmationDialog("?", question) {
        buttons($0)
      } message: {
        Text("Delete \($0.id)?")
      }
    } else {
      Text("list").alert("?", question) {
        buttons($0)
      } message: {
        Text("Delete \($0.id)?")
      }
    }
  }

  @ViewBuilder private func buttons(_ question: ObservableStore<Deleting.Question, Deleting.Answer>) -> some View {
    Button("Yes") { question.send(.yes) }
    Button("Sure") { question.send(.sure) }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Alerts and dialogs` {
  private let store = ObservableStore(initialState: Deleting.State(), reducer: Deleting())

  private func host(isDialog: Bool) -> ViewHost { ViewHost(DeletingView(store: store, isDialog: isDialog)) }

  @Test(arguments: [false, true])
  func `An alert whose child was replaced deletes nothing, and the one of the other child is shown (M2)`(
    isDialog: Bool
  ) {
    let host = host(isDialog: isDialog)
    store.send(.ask("A"))
    host.frame()
    #expect(host.screen.contains("Delete A?"))
    store.send(.closed)
    store.send(.ask("B"))
    // Before the next frame the screen still asks for A.
    host.tap("Yes")
    #expect(store.deleted == [])
    #expect(store.question?.id == "B")
    for _ in 1...3 { host.frame() }
    #expect(host.screen.contains("Delete B?") && !host.screen.contains("Delete A?"))
    host.tap("Yes")
    #expect(store.deleted == ["B"])
    for _ in 1...3 { host.frame() }
    #expect(host.screen == "list")
    #expect(host.warnings == [])
  }

  @Test(arguments: [false, true])
  func `A button that asks another question shows it (M8)`(isDialog: Bool) {
    let host = host(isDialog: isDialog)
    store.send(.ask("A"))
    host.frame()
    host.tap("Sure")
    #expect(store.question?.id == "really A")
    for _ in 1...3 { host.frame() }
    #expect(host.screen.contains("Delete really A?"))
    host.tap("Yes")
    #expect(store.deleted == ["really A"])
    for _ in 1...3 { host.frame() }
    #expect(host.screen == "list")
  }

  @Test(arguments: [false, true])
  func `An alert is dismissed with its child, and shown again for the next one (M2)`(isDialog: Bool) {
    let host = host(isDialog: isDialog)
    for name in ["A", "B", "B"] {
      store.send(.ask(name))
      host.frame()
      #expect(host.screen.contains("Delete \(name)?"))
      store.send(.closed)
      for _ in 1...2 { host.frame() }
      #expect(host.screen == "list")
    }
    store.send(.ask("C"))
    host.frame()
    host.tap("Yes")
    #expect(store.deleted == ["C"])
  }
}

/// Asks questions without an id.
private struct Asking: Reducer {
  struct Question: Equatable, Sendable {
    var text: String
    var answer = ""
  }
  enum Answer: Equatable, Sendable { case sure, never, later, typed(String), counted }
  struct State: Equatable, Sendable {
    var question: Question?
    var closed = 0
  }
  enum Action: Equatable, Sendable { case ask, question(Answer), closed }
  static let question = CasePath(
    embed: Action.question, extract: { if case .question(let answer) = $0 { answer } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ask: state.question = Question(text: "Delete?")
    case .closed:
      state.question = nil
      state.closed += 1
    case .question(.sure): state.question = Question(text: state.question?.text == "Delete?" ? "Really?" : "Deleted.")
    case .question(.never): state.question = nil
    case .question(.later): break
    case .question(.typed(let text)): state.question?.answer = text
    case .question(.counted): state.question?.text = "Delete it now?"
    }
    return .none
  }
}

private struct AskingView: View {
  let store: ObservableStore<Asking.State, Asking.Action>
  var isDialog = false
  /// Whether the buttons send to the store around the question.
  var usesParent = false

  var body: some View {
    let question = store.presentation(\.question, action: Asking.question, dismiss: .closed)
    if isDialog {
      Text("list").confirmationDialog("?", question) {
        content($0)
      } message: {
        Text($0.text)
      }
    } else {
      Text("list").alert("?", question) {
        content($0)
      } message: {
        Text($0.text)
      }
    }
  }

  @ViewBuilder private func content(_ question: ObservableStore<Asking.Question, Asking.Answer>) -> some View {
    TextField("Why", text: question.binding(\.answer, send: Asking.Answer.typed))
    Button("Sure") { send(.sure, question) }
    Button("Never") { send(.never, question) }
    Button("Later") { send(.later, question) }
    Button("Cancel") {}
  }

  private func send(_ answer: Asking.Answer, _ question: ObservableStore<Asking.Question, Asking.Answer>) {
    if usesParent { store.send(.question(answer)) } else { question.send(answer) }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Alerts and dialogs without an id` {
  private let store = ObservableStore(initialState: Asking.State(), reducer: Asking())

  @Test(arguments: [false, true], [false, true])
  func `A question that replaces another one is not removed by its dismissal (M2, M8)`(
    isDialog: Bool, usesParent: Bool
  ) {
    let host = ViewHost(AskingView(store: store, isDialog: isDialog, usesParent: usesParent))
    store.send(.ask)
    host.frame()
    for text in ["Really?", "Deleted."] {
      host.tap("Sure")
      #expect(store.closed == 0)
      // What is on the screen until the next frame is the former question, whose buttons do nothing any more.
      if !usesParent { host.tap("Never") }
      for _ in 1...3 { host.frame() }
      #expect(host.screen.contains(text))
      #expect(store.question?.text == text)
    }
    host.tap("Never")
    for _ in 1...3 { host.frame() }
    #expect(host.screen == "list")
    #expect(store.question == nil && store.closed == 0)
    #expect(host.warnings == [])
  }

  @Test(arguments: [false, true], ["Later", "Cancel"])
  func `A question that the button leaves as it is is removed, also if a field in it was written (M8)`(
    isDialog: Bool, button: String
  ) {
    let host = ViewHost(AskingView(store: store, isDialog: isDialog))
    for number in 1...2 {
      store.send(.ask)
      host.frame()
      host.type("no", into: "Why")
      #expect(store.question?.answer == "no")
      host.tap(button)
      #expect(store.question == nil && store.closed == number)
      for _ in 1...2 { host.frame() }
      #expect(host.screen == "list")
    }
  }

  @Test func `A question that is changed while it is shown is shown again (M8)`() {
    let host = ViewHost(AskingView(store: store))
    store.send(.ask)
    host.frame()
    store.send(.question(.counted))
    for _ in 1...3 { host.frame() }
    #expect(host.screen.contains("Delete it now?"))
    host.tap("Cancel")
    #expect(store.question == nil && store.closed == 1)
  }
}
