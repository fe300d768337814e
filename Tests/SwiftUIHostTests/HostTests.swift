// This source file is part of swift-effects. License: Apache-2.0.

import SwiftUI
import TestSupport
import Testing

/// The host is tested with plain SwiftUI code, because all other tests rely on it.
@MainActor @Suite struct `The host of views` {
  @Observable final class Model {
    var name = "a"
    var count = 0
    var isShown = true
    var numbers = [1, 2, 3]
  }

  struct CountView: View {
    let model: Model
    var body: some View { Text("\(model.count)") }
  }

  struct NameView: View {
    let model: Model
    @SwiftUI.State private var taps = 0
    var body: some View {
      Text("\(model.name) \(taps)")
      Button("Tap") { taps += 1 }
    }
  }

  struct Root: View {
    let model: Model
    var body: some View {
      VStack {
        CountView(model: model)
        NameView(model: model)
        if model.isShown { Text("shown") }
      }
    }
  }

  private let model = Model()

  @Test func `Only bodies that have read what changed are evaluated, and only when a frame is drawn`() {
    let host = ViewHost(Root(model: model))
    #expect(host.takeEvaluations() == ["Root": 1, "CountView": 1, "NameView": 1])
    model.count += 1
    model.count += 1
    #expect(host.takeEvaluations() == [:])
    host.frame()
    #expect(host.takeEvaluations() == ["CountView": 1])
    model.isShown = false
    host.frame()
    #expect(host.takeEvaluations() == ["Root": 1])
    #expect(host.screen == "2\na 0\n[Tap]")
  }

  @Test func `State belongs to the place, and not to the value`() {
    let host = ViewHost(Root(model: model))
    host.tap("Tap")
    model.isShown = false
    model.name = "b"
    host.frame()
    #expect(host.screen.contains("b 1"))
  }

  struct Row: View {
    let number: Int
    @SwiftUI.State private var taps = 0
    var body: some View { Button("\(number): \(taps)") { taps += 1 } }
  }

  struct Rows: View {
    let model: Model
    var body: some View { ForEach(model.numbers, id: \.self) { Row(number: $0) } }
  }

  @Test func `Rows are found by their ids`() {
    let host = ViewHost(Rows(model: model))
    host.tap("2: 0")
    model.numbers = [0, 2, 1]
    host.frame()
    #expect(host.screen == "[0: 0]\n[2: 1]\n[1: 0]")
    #expect(host.takeEvaluations() == ["Rows": 2, "Row": 5])
  }

  struct Working: View {
    let model: Model
    let log: Recorder<String>
    var body: some View {
      if model.isShown {
        Text("a").task(id: model.name) { [name = model.name, log] in
          log.record("begins \(name)")
          try? await Task.sleep(for: .seconds(1_000))
          log.record("ends \(name)")
        }
      }
    }
  }

  @Test func `A task begins when its view appears, and is cancelled when the id changes and when the view disappears`()
    async
  {
    let log = Recorder<String>()
    let host = ViewHost(Working(model: model, log: log))
    await log.wait(for: "begins a")
    model.name = "b"
    host.frame()
    await host.cancelledTasksHaveEnded()
    await log.wait(for: "begins b")
    model.isShown = false
    host.frame()
    await host.cancelledTasksHaveEnded()
    #expect(Set(log.events.prefix(3)) == ["begins a", "ends a", "begins b"])
    #expect(log.events.last == "ends b")
  }

  struct Presenter: View {
    @Bindable var model: Model
    let log: Recorder<String>
    var body: some View {
      Text("base").sheet(isPresented: $model.isShown, onDismiss: { log.record("dismissed") }) {
        CountView(model: model).onDisappear { log.record("gone") }
      }
    }
  }

  @Test func `A dismissed sheet is drawn once more, and then removed`() {
    let log = Recorder<String>()
    let host = ViewHost(Presenter(model: model, log: log))
    #expect(host.screen == "base\n--- sheet\n0")
    host.dismissTop()
    model.count = 5
    host.frame()
    #expect(host.screen == "base\n--- sheet, leaving\n5")
    #expect(log.events == [])
    host.frame()
    #expect(host.screen == "base")
    #expect(log.events.sorted() == ["dismissed", "gone"])
  }

  struct Changing: View {
    let model: Model
    var body: some View {
      CountView(model: model)
      Changer(model: model)
    }
  }
  struct Changer: View {
    let model: Model
    var body: some View {
      let _ = model.count += 1
      Text("changed")
    }
  }

  @Test func `A change made while a body is evaluated is reported`() {
    let host = ViewHost(Changing(model: model))
    #expect(host.warnings.first == "CountView was changed while Changer was evaluated")
  }

  struct Thousand: View {
    let isConditional: Bool
    var body: some View {
      List {
        if isConditional {
          ForEach(0..<1_000, id: \.self) { number in if number >= 0 { Row(number: number) } }
        } else {
          ForEach(0..<1_000, id: \.self) { Row(number: $0) }
        }
      }
    }
  }

  @Test func `A list builds only the rows that it shows, unless their number is not known from their type`() {
    #expect(ViewHost(Thousand(isConditional: false)).takeEvaluations()["Row"] == 20)
    #expect(ViewHost(Thousand(isConditional: true)).takeEvaluations()["Row"] == 1_000)
  }

  @Test func `What is changed within an animation is evaluated with it`() {
    let host = ViewHost(Root(model: model))
    withAnimation { model.count = 1 }
    model.name = "b"
    host.frame()
    #expect(host.takeAnimated() == ["CountView"])
  }
}
