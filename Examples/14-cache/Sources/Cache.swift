// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Answers of a server by their keys. Start reading here: this is all the logic there is.
///
/// An entry holds what the server has said, and nothing else. A change that the user has made is kept beside it and applied
/// when the entry is shown. So no answer can overwrite a change, and taking a change back restores nothing: it is removed.
struct Cache: Reducer {
  struct State: Equatable, Sendable {
    var entries: [Query: Entry] = [:]
    /// In the order in which the user made them.
    var changes: [PendingChange] = []
    var lastChange = 0
  }

  struct Entry: Equatable, Sendable {
    var pages: [Page] = []
    /// A newer answer is under way, or is needed because the last fetch has failed.
    var isStale = true
    var problem: String?
  }

  struct PendingChange: Equatable, Identifiable, Sendable {
    let id: Int
    let change: Change
    /// Nil until the server has confirmed the change. Then the entries whose next answer will contain it.
    var awaited: Set<Query>?
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case appeared(Query), left(Query)
    case moreTapped(Query)
    case focused
    case changed(Change)
    // From the server.
    case loaded(Query, [Page])
    case appended(Query, Page)
    case loadFailed(Query, String)
    case confirmed(Int)
    case refused(Int)
  }

  enum Work: Hashable, Sendable {
    case fetch(Query)
    case more(Query)
    case send(photo: Int)
  }

  var server: Server

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared(let query):
      guard state.entries[query].map({ $0.problem != nil }) ?? true else { return .none }
      state.entries[query, default: Entry()].problem = nil
      return fetch(query, pages: 1)
    case .left(let query):
      state.entries[query] = nil
      state.arrived(query)
      return .merge(.cancel(id: Work.fetch(query)), .cancel(id: Work.more(query)))
    case .moreTapped(let query):
      // Not while a newer answer is under way: it may not fit to it.
      guard let entry = state.entries[query], !entry.isStale, let next = entry.pages.last?.next else { return .none }
      return .run(id: Work.more(query), overlap: .drop, input: next) { [server] next, send in
        send(.appended(query, try await server.fetch(query, next)))
      } catch: { error, send in
        send(.loadFailed(query, "\(error)"))
      }
    case .focused:
      return refetch(Set(state.entries.keys), in: &state)
    case .changed(let change):
      state.lastChange += 1
      state.changes.append(PendingChange(id: state.lastChange, change: change))
      // The changes of one photo reach the server in their order.
      return .run(id: Work.send(photo: change.photo), overlap: .enqueue, input: change) {
        [server, id = state.lastChange] change, send in
        try await server.send(change)
        send(.confirmed(id))
      } catch: { [id = state.lastChange] _, send in
        send(.refused(id))
      }

    case .loaded(let query, let pages):
      state.entries[query] = Entry(pages: pages, isStale: false)
      state.arrived(query)
    case .appended(let query, let page):
      state.entries[query]?.pages.append(page)
    case .loadFailed(let query, let problem):
      state.entries[query]?.problem = problem
    case .confirmed(let id):
      guard let index = state.changes.firstIndex(where: { $0.id == id }) else { break }
      let stale = state.queries(with: state.changes[index].change.tags)
      if stale.isEmpty { state.changes.remove(at: index) } else { state.changes[index].awaited = stale }
      return refetch(stale, in: &state)
    case .refused(let id):
      guard let index = state.changes.firstIndex(where: { $0.id == id }) else { break }
      // The server may have made the change before the error.
      return refetch(state.queries(with: state.changes.remove(at: index).change.tags), in: &state)
    }
    return .none
  }

  private func refetch(_ queries: Set<Query>, in state: inout State) -> Effect<Action> {
    .merge(
      queries.map { query in
        state.entries[query]?.isStale = true
        state.entries[query]?.problem = nil
        return fetch(query, pages: max(1, state.entries[query]?.pages.count ?? 1))
      })
  }

  /// Replaces a fetch that is under way: its answer may be older than what made the entry stale.
  private func fetch(_ query: Query, pages count: Int) -> Effect<Action> {
    .merge(
      .cancel(id: Work.more(query)),
      .run(id: Work.fetch(query), overlap: .restart, input: count) { [server] count, send in
        var pages: [Page] = []
        while pages.count < count, let next = pages.isEmpty ? 0 : pages.last?.next {
          pages.append(try await server.fetch(query, next))
        }
        send(.loaded(query, pages))
      } catch: { error, send in
        send(.loadFailed(query, "\(error)"))
      })
  }
}
