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
