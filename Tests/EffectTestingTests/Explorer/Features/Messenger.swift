// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// One conversation of a messenger: what was sent, what arrived, and who is typing.
struct Messenger: Reducer {
  struct Message: Hashable, Sendable, Identifiable {
    enum Status: Hashable, Sendable { case sending, sent, failed, received, read }

    var id: Int
    var text: String
    var status: Status
  }

  struct State: Equatable, Sendable {
    var isLoggedIn = true
    var messages: [Message] = []
    var nextID = 1
    var isFriendTyping = false
    var isOffline = false

    init() {}

    var unread: [Int] { messages.filter { $0.status == .received }.map(\.id) }
  }

  enum Event: Hashable, Sendable {
    case typing
    case message(id: Int, text: String)
  }

  enum Action: Equatable, Sendable {
    case appeared
    case sendTapped(String)
    case retryTapped(Int)
    case sent(Int)
    case sendFailed(Int)
    case arrived(Event)
    case connectionLost
    case typingExpired
    case readTapped
    case markedRead([Int])
    case loggedOut
  }

  enum Work: Hashable, Sendable {
    case send(Int), incoming, typing, markRead
  }

  struct Client: Sendable {
    var send: @Sendable (_ id: Int, _ text: String) async throws -> Void
    var incoming: @Sendable () async throws -> AsyncThrowingStream<Event, any Error>
    var markRead: @Sendable ([Int]) async throws -> Void

    init(
      send: @escaping @Sendable (_ id: Int, _ text: String) async throws -> Void,
      incoming: @escaping @Sendable () async throws -> AsyncThrowingStream<Event, any Error>,
      markRead: @escaping @Sendable ([Int]) async throws -> Void
    ) {
      self.send = send
      self.incoming = incoming
      self.markRead = markRead
    }
  }

  var client: Client
  var attempts: Int

  init(client: Client, attempts: Int = 3) {
    self.client = client
    self.attempts = attempts
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      guard state.isLoggedIn else { return .none }
      state.isOffline = false
      return listen()

    case .sendTapped(let text):
      guard state.isLoggedIn, !text.isEmpty else { return .none }
      let message = Message(id: state.nextID, text: text, status: .sending)
      state.nextID += 1
      state.messages.append(message)
      return transmit(message)

    case .retryTapped(let id):
      guard let index = state.messages.firstIndex(where: { $0.id == id && $0.status == .failed }) else { return .none }
      state.messages[index].status = .sending
      return transmit(state.messages[index])

    case .sent(let id):
      set(.sent, of: [id], in: &state)
      return .none

    case .sendFailed(let id):
      set(.failed, of: [id], in: &state)
      return .none

    case .arrived(.typing):
      state.isFriendTyping = true
      return .send(.typingExpired)
        .cancellable(id: Work.typing, overlap: .restart)
        .delay(for: .seconds(5))

    case .arrived(.message(let id, let text)):
      state.isFriendTyping = false
      guard !state.messages.contains(where: { $0.id == id }) else { return .cancel(id: Work.typing) }
      state.messages.append(Message(id: id, text: text, status: .received))
      return .cancel(id: Work.typing)

    case .connectionLost:
      state.isOffline = true
      return .none

    case .typingExpired:
      state.isFriendTyping = false
      return .none

    case .readTapped:
      let unread = state.unread
      guard !unread.isEmpty else { return .none }
      return .run(id: Work.markRead, overlap: .keepLatest, input: unread) { [client] unread, send in
        try await client.markRead(unread)
        send(.markedRead(unread))
      } catch: { _, _ in
        // They stay unread, and the next tap tries again.
      }
      .timeout(after: .seconds(10))

    case .markedRead(let ids):
      set(.read, of: ids, in: &state)
      return .none

    case .loggedOut:
      state = State()
      state.isLoggedIn = false
      return .cancel(.everything)
    }
  }

  private func listen() -> Effect<Action> {
    .stream(id: Work.incoming, overlap: .drop, sequence: client.incoming, transform: { .arrived($0) }) { _, send in
      send(.connectionLost)
    }
    .retry(attempts: 5, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
  }

  private func transmit(_ message: Message) -> Effect<Action> {
    .run(id: Work.send(message.id), overlap: .drop, input: message) { [client] message, send in
      try await client.send(message.id, message.text)
      send(.sent(message.id))
    } catch: { _, send in
      send(.sendFailed(message.id))
    }
    .timeout(after: .seconds(8))
    .retry(attempts: attempts, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
  }

  private func set(_ status: Message.Status, of ids: [Int], in state: inout State) {
    for index in state.messages.indices where ids.contains(state.messages[index].id) {
      state.messages[index].status = status
    }
  }
}
