// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Reducers` {
  private struct Counter: Reducer {
    enum Action: Sendable { case add(Int), save }
    var step = 1

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .add(let count):
        state += count * step
        return .none
      case .save: return .run(id: "save", overlap: .drop, input: state) { _, _ in }
      }
    }
  }

  /// Not Sendable, which is not required.
  private final class Document {
    var text = ""
  }

  @Test func `A reducer changes state and returns work`() {
    var state = 1
    #expect(Counter(step: 2).reduce(into: &state, action: .add(3)).isNone)
    #expect(state == 7)
    #expect(
      Counter().reduce(into: &state, action: .save).runs == [EffectRun(id: "save", overlap: .drop, input: 7)])
    #expect(state == 7)
  }

  @Test func `A closure is a reducer`() {
    let toggle = Reduce<Bool, String> { isOn, action in
      isOn.toggle()
      return .send(action + "!")
    }
    var isOn = false
    #expect(toggle.reduce(into: &isOn, action: "on").description == #"send("on!")"#)
    #expect(isOn)
    #expect(toggle.reduce(into: &isOn, action: "off").description == #"send("off!")"#)
    #expect(!isOn)
  }

  @Test func `Reducers of two types become one type`() {
    let reducers = [
      Reduce(Counter(step: 10)),
      Reduce<Int, Counter.Action> { state, _ in
        state = -1; return .none
      },
    ]
    var states = [0, 0]
    for index in reducers.indices { _ = reducers[index].reduce(into: &states[index], action: .add(1)) }
    #expect(states == [10, -1])
  }

  @Test func `A reducer can be kept as any of its state and actions`() {
    let reducer: any Reducer<Int, Counter.Action> = Counter(step: 3)
    var state = 0
    _ = reducer.reduce(into: &state, action: .add(1))
    #expect(state == 3)
  }

  @Test func `State need not be Sendable, nor equatable`() {
    let write = Reduce<Document, String> { document, text in
      document.text += text
      return .none
    }
    var document = Document()
    _ = write.reduce(into: &document, action: "a")
    _ = write.reduce(into: &document, action: "b")
    #expect(document.text == "ab")
  }
}
