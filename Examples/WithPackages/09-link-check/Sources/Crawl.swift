// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A crawl over a site. Start reading here: this is all the logic there is.
struct Crawl: Reducer {
  struct State: Equatable, Sendable {
    /// All pages that are known, from the reduction on that finds them. So none is asked for twice.
    var pages: [Page: Visit] = [:]
    var isStopping = false
  }

  enum Visit: Equatable, Sendable {
    /// Not asked for yet, or not yet again.
    case waiting(tries: Int = 0)
    case asked(tries: Int)
    case done(Answer, took: Duration)
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case started(at: Page)
    case stopped
    // From the visits.
    case began(Page)
    case answered(Page, Answer, took: Duration)
  }

  /// The names of what runs: each page under its own, in the queue of its host, and in the queue of all.
  enum Work: Hashable, Sendable {
    case page(Page)
    case host(String)
    case all
    case turn(String)
  }

  /// Asks for a page. A dependency is a stored property, so that tests put in another one.
  var fetch: @Sendable (Page) async throws -> Answer
  /// Measures how long a page takes. An exploration replaces it: no time passes there.
  var now: @Sendable (Send<Action>) -> Duration = { $0.now }
  /// The hosts on whose pages links are followed. Pages of others are only asked for.
  var hosts: Set<String>
  /// How many pages of a host at once, and of all.
  var limit = 2, limitOfAll = 4
  /// How long after a page the next one of its host is asked for, at the earliest.
  var pause = Duration.milliseconds(20)
  /// How long a page may take, and how often it may be busy.
  var patience = Duration.seconds(10), tries = 3

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started(let page):
      return visit([page], &state)
    case .began(let page):
      guard case .waiting(let tries) = state.pages[page] else { return .none }
      state.pages[page] = .asked(tries: tries + 1)
      return .none
    case .answered(let page, .busy, _) where state.tries(page) < tries:
      // Again, behind those that wait already.
      state.pages[page] = .waiting(tries: state.tries(page))
      return state.isStopping ? .none : ask(page)
    case .answered(let page, let answer, let took):
      state.pages[page] = .done(answer, took: took)
      return visit(answer.leads(following: hosts.contains(page.host)), &state)
    case .stopped:
      // Who has begun comes to an end. Who waits never begins, and stays in the state as one who waits.
      state.isStopping = true
      return .cancel(ids: state.waiting.map(Work.page))
    }
  }

  /// Asks for those that nobody has found before.
  private func visit(_ found: [Page], _ state: inout State) -> Effect<Action> {
    var new: [Page] = []
    for page in found where state.pages[page] == nil {
      state.pages[page] = .waiting()
      new.append(page)
    }
    return state.isStopping ? .none : .merge(new.map(ask))
  }

  private func ask(_ page: Page) -> Effect<Action> {
    .concatenate(
      // The turns of a host come one by one, each as long as the pause.
      .run(id: Work.turn(page.host), overlap: .enqueue) { [pause] send in
        try await send.sleep(for: pause)
      },
      // The state knows of it before it happens.
      .send(.began(page)),
      .run(input: page) { [fetch, now] page, send in
        let start = now(send)
        let answer = try await fetch(page)
        send(.answered(page, answer, took: now(send) - start))
      } catch: { [patience] error, send in
        send(.answered(page, error is EffectTimeout ? .silent : .unreachable, took: patience))
      }
      .timeout(after: patience)
    )
    // All this holds a place among all, and that a place of the host. `exclusive`: it ends when the request is gone, also
    // one that is out of time, so that there are never more.
    .cancellable(id: Work.all, overlap: .enqueue(limit: limitOfAll, exclusive: true))
    .cancellable(id: Work.host(page.host), overlap: .enqueue(limit: limit))
    .cancellable(id: Work.page(page), overlap: .concurrent)
  }
}

extension Crawl.State {
  /// The pages that are known and have not been asked for.
  var waiting: [Page] {
    pages.compactMap { page, visit in if case .waiting = visit { page } else { nil } }
  }

  func tries(_ page: Page) -> Int {
    switch pages[page] {
    case .waiting(let tries), .asked(let tries): tries
    case .done, nil: 0
    }
  }
}
