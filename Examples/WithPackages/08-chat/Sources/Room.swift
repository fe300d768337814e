// This source file is part of swift-effects. License: Apache-2.0.

/// The data of the server. It stays when the server is killed, as a database would.
actor Room {
  private(set) var messages: [Message] = []
  private var ids: Set<String> = []
  private(set) var visits: [Visit] = []

  /// Accepts each draft once, however often it is sent.
  func accept(_ draft: Draft) {
    guard ids.insert(draft.id).inserted else { return }
    messages.append(Message(number: messages.count + 1, draft: draft))
    visits.removeAll { !$0.ring() }
  }

  func enter(after number: Int) -> Visit {
    let visit = Visit(in: self, after: number)
    visits.append(visit)
    return visit
  }

  /// Ends the visit, and forgets it.
  func leave(_ visit: Visit) {
    visit.end()
    visits.removeAll { $0 === visit }
  }

  func message(behind number: Int) -> Message? {
    messages.indices.contains(number) ? messages[number] : nil
  }
}

/// A reader of the room: its position, and a bell. However slow it is, no messages are queued for it.
actor Visit {
  private let room: Room
  private var number: Int
  private let bell: AsyncStream<Void>
  private let rope: AsyncStream<Void>.Continuation

  init(in room: Room, after number: Int) {
    self.room = room
    self.number = number
    (bell, rope) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The next message, as soon as there is one; `nil` when the visit has ended.
  func next() async -> Message? {
    repeat {
      guard let message = await room.message(behind: number) else { continue }
      number = message.number
      return message
    } while await isRung()
    return nil
  }

  private func isRung() async -> Bool {
    for await _ in bell { return true }
    return false
  }

  /// Returns whether the visit has not ended.
  nonisolated func ring() -> Bool {
    if case .terminated = rope.yield() { false } else { true }
  }

  nonisolated func end() {
    rope.finish()
  }
}
