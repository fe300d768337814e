// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A crawl over a site. Start reading here: this is all the logic there is.
struct Crawl: Reducer {
  struct State: Equatable, Sendable {
    /// All known pages, from the reduction that finds them. So no page is requested twice.
    var pages: [Page: Visit] = [:]
    /// Whether more pages were found than are visited.
    var isFull = false
    var isStopping = false
  }

  enum Visit: Equatable, Sendable {
    /// Not requested yet, or waiting to be requested again.
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

  /// The ids of the runs: one for each page, one for the queue of its host, and one for the queue of all.
  enum Work: Hashable, Sendable {
    case page(Page)
    case host(String)
    case all
    case turn(String)
  }

  /// Requests a page. A dependency is a stored property, so that tests can replace it.
  var fetch: @Sendable (Page) async throws -> Answer
  /// Measures how long a page takes. An exploration replaces it: no time passes there.
  var now: @Sendable (Send<Action>) -> Duration = { $0.now }
  /// The hosts on whose pages links are followed. Pages of other hosts are only requested.
  var hosts: Set<String>
  /// How many pages are requested at once: from one host, and from all.
  var limit = 2, limitOfAll = 4
  /// How many pages are visited: a site can make any number of them.
  var mostPages = 10_000
  /// The shortest time between the requests of two pages of one host.
  var pause = Duration.milliseconds(20)
  /// How long a page may take, and how often it is requested if it is busy.
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
      // Again, after the pages that already wait.
      state.pages[page] = .waiting(tries: state.tries(page))
      return state.isStopping ? .none : ask(page)
    case .answered(let page, let answer, let took):
      state.pages[page] = .done(answer, took: took)
      return visit(answer.leads(following: hosts.contains(page.host)), &state)
    case .stopped:
      // Active requests finish. Waiting pages never begin, and stay in the state as waiting.
      state.isStopping = true
      return .cancel(ids: state.waiting.map(Work.page))
    }
  }

  /// Requests the pages that were not found before.
  private func visit(_ found: [Page], _ state: inout State) -> Effect<Action> {
    var new: [Page] = []
    for page in found where state.pages[page] == nil {
      guard state.pages.count < mostPages else {
        state.isFull = true
        break
      }
      state.pages[page] = .waiting()
      new.append(page)
    }
    return state.isStopping ? .none : .merge(new.map(ask))
  }

  private func ask(_ page: Page) -> Effect<Action> {
    .concatenate(
      // The turns of a host run one after another, each as long as the pause.
      .run(id: Work.turn(page.host), overlap: .enqueue) { [pause] send in
        try await send.sleep(for: pause)
      },
      // The state contains the request before it is sent.
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
    // All this holds one of the slots for all hosts, inside a slot of its host. `exclusive`: the slot is free only when
    // the request has ended, also after a timeout, so the limit is never exceeded.
    .cancellable(id: Work.all, overlap: .enqueue(limit: limitOfAll, exclusive: true))
    .cancellable(id: Work.host(page.host), overlap: .enqueue(limit: limit))
    .cancellable(id: Work.page(page), overlap: .concurrent)
  }
}

extension Crawl.State {
  /// The pages that are known and wait to be requested.
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
