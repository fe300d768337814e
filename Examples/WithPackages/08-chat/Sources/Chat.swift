// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// One who chats. Start reading here: this is all the logic there is.
struct Chat: Reducer {
  struct State: Equatable, Sendable {
    let author: String
    /// What is shown: all that the server has, up to the last that has come from there.
    var messages: [Message] = []
    /// What the server may not have. Only the first is under way.
    var outbox: [Draft] = []
    /// How many drafts there have been; the next one's id follows from it.
    var written = 0
    /// How many connections in a row have failed.
    var failures = 0
    /// The line that was opened last.
    var line = 0
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case joined, left
    case sendTapped(String)
    // From the connection.
    case opened(line: Int)
    case received(Message)
    case lost(after: Duration)
  }

  /// The names of what runs. Whether somebody is online is asked of these: a line runs as long as it is open.
  enum Work: Hashable, Sendable {
    case dial, line, post
  }

  /// A dependency is a stored property, so that tests put in another one.
  var link: any Link
  /// Measures how long a line holds. An exploration replaces it: no time passes there.
  var now: @Sendable (Send<Action>) -> Duration = { $0.now }
  /// What the waits between two connections are spread by; another for each who chats.
  var seed: UInt64 = 0
  var backoff = Backoff.exponential(from: .milliseconds(100), upTo: .seconds(30))

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .joined:
      state.failures = 0
      return connect(state)
    case .left:
      // Not left to `listen`: a run that is cancelled before it begins may never be called.
      return .merge(.cancel(.all(of: Work.self)), close(state.line))
    case .sendTapped(let text):
      state.outbox.append(state.draft(text))
      // Behind others it waits for its turn.
      return state.outbox.count == 1 ? post(state) : .none

    case .opened(let line):
      state.line = line
      return .merge(listen(on: line), post(state))
    case .received(let message):
      state.messages.append(message)
      // One's own message is the answer: now the server has it.
      guard message.draft.id == state.outbox.first?.id else { return .none }
      state.outbox.removeFirst()
      return post(state)
    case .lost(let duration):
      // A connection that has held for a while was a good one: the waits begin anew.
      state.failures = duration < .seconds(10) ? state.failures + 1 : 1
      return connect(state)
    }
  }

  /// A new connection takes the place of the one there may be. It asks for what is behind the last message.
  private func connect(_ state: State) -> Effect<Action> {
    let dial = Effect<Action>.run(id: Work.dial, overlap: .restart, input: state.messages.count) {
      [link] number, send in
      let line = try await link.open(after: number)
      // Nobody listens on a line that is opened too late.
      if await !send.delivered(.opened(line: line)) { await link.close(line) }
    } catch: { _, send in
      send(.lost(after: .zero))
    }
    return .merge(.cancel(.all(of: Work.self)), state.failures == 0 ? dial : dial.delay(for: wait(state.failures)))
  }

  /// How long to wait after so many failures in a row. Not all come back at one moment: the server has just been down.
  func wait(_ failures: Int) -> Duration {
    Jitter.equal.apply(to: backoff.wait(after: failures), seed: seed, attempt: failures)
  }

  private func listen(on line: Int) -> Effect<Action> {
    .run(id: Work.line, overlap: .restart, input: line) { [link, now] line, send in
      let start = now(send)
      // The next one is read when this one has been reduced: who sends too much must wait.
      while let message = try? await link.next(on: line), await send.delivered(.received(message)) {}
      await link.close(line)
      send(.lost(after: now(send) - start))
    }
  }

  /// Has no id, so that nothing cancels it. The number protects a line that is opened meanwhile.
  private func close(_ line: Int) -> Effect<Action> {
    .run(input: line) { [link] line, _ in await link.close(line) }
  }

  /// Only the first of the outbox, so that none overtakes another. If it does not arrive, it goes over the next line.
  private func post(_ state: State) -> Effect<Action> {
    guard let draft = state.outbox.first else { return .none }
    return .run(id: Work.post, overlap: .enqueue, input: draft) { [link] draft, _ in
      try await link.post(draft)
    } catch: { _, _ in
    }
  }
}

extension Chat.State {
  /// A new draft, with an id that no other has.
  mutating func draft(_ text: String) -> Draft {
    written += 1
    return Draft(id: "\(author)-\(written)", author: author, text: text)
  }
}
