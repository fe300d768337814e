// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Synchronization

/// One race: two stores that get the same actions, and the tasks that send their events to a browser.
///
/// Only the session keeps the stores: when it is released, they are freed, and all their runs are cancelled.
final class Session: Sendable {
  /// A session has a limit of texts, so that its memory has a limit.
  static let mostTexts = 1000

  let id: String
  let naive: Store<NaiveSearch>
  let chosen: Store<Search>
  let outbox: Outbox
  private let writers: [Task<Void, Never>]
  private let texts = Mutex(0)

  init(id: String, _ settings: Settings, beat: Duration) {
    self.id = id
    var numbers = SystemRandomNumberGenerator()
    let backend = Backend(latency: settings.latency, isDeaf: settings.isDeaf, seed: numbers.next())
    naive = Store(initialState: .init(), reducer: NaiveSearch(find: { try await backend.birds(for: $0) }))
    chosen = Store(
      initialState: .init(),
      reducer: Search(overlap: settings.overlap, find: { try await backend.birds(for: $0) }))
    outbox = Outbox(first: Message(event: "session", data: "\"\(id)\"").text)
    writers =
      Self.writers(of: naive, named: "naive", to: outbox) + Self.writers(of: chosen, named: "chosen", to: outbox)
      + [Self.pulse(to: outbox, beat)]
  }

  deinit {
    outbox.close()
    for writer in writers { writer.cancel() }
  }

  /// Sends both stores the content of the text field; `false` if there have been too many texts.
  func type(_ text: String) -> Bool {
    let isAllowed = texts.withLock { texts in
      texts += 1
      return texts <= Self.mostTexts
    }
    guard isAllowed else { return false }
    naive.send(.typed(text))
    chosen.send(.typed(text))
    return true
  }

  // MARK: - Writing

  /// Tasks that write the events of a store and its state. Neither keeps the store alive; both end with it.
  private static func writers<R: Reducer<Search.State, Search.Action>>(
    of store: Store<R>, named name: String, to outbox: Outbox
  ) -> [Task<Void, Never>] {
    // Begins to listen here, before any action is sent.
    var trace = store.trace.makeAsyncIterator()
    let changes = store.changes
    return [
      Task {
        while let event = await trace.next(isolation: #isolation),
          await outbox.put(Message(event: name, data: event.json).text)
        {}
      },
      Task {
        for await change in changes {
          let shown = Shown(change.state, change.effects)
          guard let data = shown.json, await outbox.put(Message(event: "\(name)-shown", data: data).text) else {
            return
          }
        }
      },
    ]
  }

  /// Only a write shows that a browser has disconnected: so this writes regularly, also when nothing happens.
  private static func pulse(to outbox: Outbox, _ beat: Duration) -> Task<Void, Never> {
    Task {
      repeat {
        do { try await Task.sleep(for: beat) } catch { return }
      } while await outbox.put(": still here\n\n")
    }
  }
}

/// An event as `EventSource` reads it.
struct Message {
  let event: String
  /// JSON, on one line.
  let data: String

  var text: String { "event: \(event)\ndata: \(data)\n\n" }
}

/// What a search shows, as it is sent to the page.
struct Shown: Equatable, Codable, Sendable {
  let query: String
  /// The query of the shown answer.
  let answered: String?
  /// Some of the birds.
  let birds: [String]
  let count: Int
  let outdated: Int
  let isStale: Bool
  let isBusy: Bool

  init(_ state: Search.State, _ effects: LiveEffects) {
    query = state.query
    answered = state.shown?.query
    birds = Array(state.shown?.birds.prefix(4) ?? [])
    count = state.shown?.birds.count ?? 0
    outdated = state.outdated
    isStale = state.isStale
    // Runs that were cancelled and have not returned do not count as busy.
    isBusy =
      effects.unnamed + effects.unnamedQueued > 0
      || effects.byID.values.contains { $0.running + $0.queued > 0 }
  }

  var json: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).flatMap { String(data: $0, encoding: .utf8) }
  }
}
