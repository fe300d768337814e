// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The chat of one person. Start reading here: this is all the logic there is.
struct Chat: Reducer {
  struct State: Equatable, Sendable {
    let author: String
    /// The shown messages: all that the server has, up to the last one that has arrived.
    var messages: [Message] = []
    /// Drafts that the server may not have. Only the first is being sent.
    var outbox: [Draft] = []
    /// How many drafts there have been; the id of the next one contains this number.
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

  /// The ids of the runs. They show whether the person is online: `line` runs as long as the line is open.
  enum Work: Hashable, Sendable {
    case dial, line, post
  }

  /// A dependency is a stored property, so that tests can replace it.
  var link: any Link
  /// Measures how long a line stays open. An exploration replaces it: no time passes there.
  var now: @Sendable (Send<Action>) -> Duration = { $0.now }
  /// The waits between two connections. Their seed is different for each person, so that not all clients reconnect at once
  /// to a restarted server.
  var backoff = Backoff.reconnect(seed: 0)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .joined:
      state.failures = 0
      return connect(state)
    case .left:
      // `listen` alone may not close the line: a run that is cancelled before it begins may never be called.
      return .merge(.cancel(.all(of: Work.self)), close(state.line))
    case .sendTapped(let text):
      state.outbox.append(state.draft(text))
      // If there are others before it, it waits for its turn.
      return state.outbox.count == 1 ? post(state) : .none

    case .opened(let line):
      state.line = line
      return .merge(listen(on: line), post(state))
    case .received(let message):
      state.messages.append(message)
      // If this is the first draft of the outbox, the server has it now.
      guard message.draft.id == state.outbox.first?.id else { return .none }
      state.outbox.removeFirst()
      return post(state)
    case .lost(let duration):
      // A connection that stayed open for a while was good: the waits start from the beginning.
      state.failures = duration < .seconds(10) ? state.failures + 1 : 1
      return connect(state)
    }
  }

  /// A new connection replaces an existing one. It requests all messages after the last one.
  private func connect(_ state: State) -> Effect<Action> {
    let dial = Effect<Action>.run(id: Work.dial, overlap: .restart, input: state.messages.count) {
      [link] number, send in
      let line = try await link.open(after: number)
      // No run listens on a line that is opened too late, so close it.
      if await !send.delivered(.opened(line: line)) { await link.close(line) }
    } catch: { _, send in
      send(.lost(after: .zero))
    }
    let stop = Effect<Action>.cancel(.all(of: Work.self))
    guard state.failures > 0 else { return .merge(stop, dial) }
    // A backoff may also give up.
    guard let wait = backoff.wait(after: LineLost(), attempt: state.failures) else { return stop }
    return .merge(stop, dial.delay(for: wait))
  }

  private func listen(on line: Int) -> Effect<Action> {
    .run(id: Work.line, overlap: .restart, input: line) { [link, now] line, send in
      let start = now(send)
      // The next message is read when this one has been reduced: a server that sends too fast must wait.
      while let message = try? await link.next(on: line), await send.delivered(.received(message)) {}
      await link.close(line)
      send(.lost(after: now(send) - start))
    }
  }

  /// Has no id, so nothing cancels it. Because of the number, it does not close a line that is opened meanwhile.
  private func close(_ line: Int) -> Effect<Action> {
    .run(input: line) { [link] line, _ in await link.close(line) }
  }

  /// Sends only the first of the outbox, so that none overtakes another. If it is lost, it is sent over the next line.
  private func post(_ state: State) -> Effect<Action> {
    guard let draft = state.outbox.first else { return .none }
    return .run(id: Work.post, overlap: .enqueue, input: draft) { [link] draft, _ in
      try await link.post(draft)
    } catch: { _, _ in
    }
  }
}

/// Why a connection is made again.
struct LineLost: Error {}

extension Backoff {
  /// The waits of a chat between two connections.
  static func reconnect(seed: UInt64) -> Backoff {
    .exponential(from: .milliseconds(100), upTo: .seconds(30)).jittered(by: 0.5, seed: seed)
  }
}

extension Chat.State {
  /// A new draft, with an id that no other has.
  mutating func draft(_ text: String) -> Draft {
    written += 1
    return Draft(id: "\(author)-\(written)", author: author, text: text)
  }
}
