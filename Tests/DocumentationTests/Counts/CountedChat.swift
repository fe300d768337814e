// This source file is part of swift-effects. License: Apache-2.0.

/// The chat of the examples, with the link to a room that the tests of the chat use.
enum CountedChat {
  /// Where the line breaks, once.
  enum Trouble: CaseIterable { case never, onDialling, beforeTaken, behindTaken }

  enum Action { case joined, left, sendTapped, opened(line: Int), received(Int), lost }

  struct State {
    // The state of the reducer. A message is represented by its number.
    var messages: [Int] = []
    var outbox: [Int] = []
    var failures = 0
    // The state of the link: the room, all visits so far, and the visit of the line that was opened last.
    var trouble = Trouble.never
    var room: [Int] = []
    var visits: [Visit] = []
    var current: Int?

    mutating func strikes(_ kind: Trouble) -> Bool {
      guard trouble == kind else { return false }
      trouble = .never
      return true
    }
  }

  /// A reader of all messages after a number. It waits until there are more, or until the end.
  struct Visit {
    var number: Int
    var isEnded = false
    var isRung = false
  }

  private typealias Effect = CountedEffect<State, Action>
  private typealias Part = CountedRun<State, Action>.Part

  static func schedules(_ script: [Action], from start: State, isEager: Bool = true) -> Int {
    CountedFeature<State, Action>(start: start, script: script, isEager: isEager, descends: true) { state, action in
      switch action {
      case .joined:
        state.failures = 0
        return connect(state)
      case .left: return [cancel, .run(.init(parts: []))]
      case .sendTapped:
        state.outbox.append(state.outbox.count + state.messages.count + 1)
        return state.outbox.count == 1 ? post(state) : []
      case .opened(let line): return [.run(.init(id: "line", overlap: .restart, parts: read(line)))] + post(state)
      case .received(let message):
        state.messages.append(message)
        guard message == state.outbox.first else { return [] }
        state.outbox.removeFirst()
        return post(state)
      case .lost:
        state.failures += 1
        return connect(state)
      }
    }.schedules()
  }

  private static var cancel: Effect { .cancel(["dial", "line", "post"]) }

  private static func connect(_ state: State) -> [Effect] {
    let number = state.messages.count
    let open = Part.look { state in
      if state.strikes(.onDialling) { return [.fail] }
      let enter = Part.look { state in
        state.visits.append(Visit(number: number))
        state.current = state.visits.count - 1
        // If the action is not reduced the line is closed, which changes no order.
        return [.delivered(.opened(line: state.visits.count))]
      }
      return [.returnIfCancelled, enter]
    }
    let delay = state.failures == 0 ? nil : 1
    return [cancel, .run(.init(id: "dial", overlap: .restart, parts: [open], failure: [.send(.lost)], delay: delay))]
  }

  private static func read(_ line: Int) -> [Part] {
    [
      .look { state in
        guard line == state.visits.count, let visit = state.current else { return lose(line) }
        return next(on: line, visit)
      }
    ]
  }

  private static func next(on line: Int, _ visit: Int) -> [Part] {
    let goOn = Part.look { state in
      guard state.visits[visit].isRung else { return lose(line) }
      state.visits[visit].isRung = false
      return next(on: line, visit)
    }
    let message = Part.look { state in
      let number = state.visits[visit].number
      guard number < state.room.count else {
        return [.wait { $0.visits[visit].isRung || $0.visits[visit].isEnded }, goOn]
      }
      state.visits[visit].number += 1
      return [.delivered(.received(state.room[number]))] + read(line)
    }
    return [message]
  }

  private static func lose(_ line: Int) -> [Part] {
    let close = Part.look { state in
      if line == state.visits.count { state.current = nil }
      return []
    }
    return [close, .send(.lost)]
  }

  private static func post(_ state: State) -> [Effect] {
    guard let message = state.outbox.first else { return [] }
    let write = Part.look { state in
      guard let visit = state.current else { return [.fail] }
      let isTaken = !state.strikes(.beforeTaken)
      if !isTaken || state.strikes(.behindTaken) { state.visits[visit].isEnded = true }
      guard isTaken, !state.room.contains(message) else { return [] }
      state.room.append(message)
      for visit in state.visits.indices where !state.visits[visit].isEnded { state.visits[visit].isRung = true }
      return []
    }
    return [.run(.init(id: "post", overlap: .enqueue, parts: [write], failure: []))]
  }
}
