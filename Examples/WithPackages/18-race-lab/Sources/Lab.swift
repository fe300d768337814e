// This source file is part of swift-effects. License: Apache-2.0.

/// All sessions. A session exists as long as its stream: see ``EventStream``.
actor Lab {
  enum Answer: Equatable {
    case done, unknownSession, tooManyTexts
  }

  static let mostSessions = 8

  private let beat: Duration
  private var sessions: [String: Session] = [:] { didSet { wake() } }
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// - Parameter beat: the time between two writes to each browser, which show whether it has disconnected.
  init(beat: Duration = .seconds(1)) {
    self.beat = beat
  }

  /// A new session, which replaces another one if `former` is its id; `nil` if there are too many.
  func open(_ settings: Settings, replacing former: String?) -> Session? {
    if let former { close(former) }
    guard sessions.count < Self.mostSessions else { return nil }
    // Random, so that another page cannot guess it.
    let id = String(UInt64.random(in: .min ... .max), radix: 36)
    let session = Session(id: id, settings, beat: beat)
    sessions[id] = session
    return session
  }

  /// Releases the session. A late or second call does nothing.
  func close(_ id: String) {
    sessions.removeValue(forKey: id)?.outbox.close()
  }

  func type(_ text: String, in id: String) -> Answer {
    guard let session = sessions[id] else { return .unknownSession }
    return session.type(text) ? .done : .tooManyTexts
  }

  /// Returns when there is this number of sessions.
  func has(sessions count: Int) async {
    guard sessions.count != count else { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }

  private func wake() {
    let due = waiting.filter { $0.count == sessions.count }
    waiting.removeAll { $0.count == sessions.count }
    for (_, continuation) in due { continuation.resume() }
  }
}
