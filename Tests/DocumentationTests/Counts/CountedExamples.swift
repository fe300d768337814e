// This source file is part of swift-effects. License: Apache-2.0.

/// The features of the examples.
enum CountedExamples {
  static func liveSearch() -> Int {
    enum Action { case typed, started, found, finished }
    return CountedFeature<Void, Action>(start: (), script: [.typed, .typed], descends: true) { _, action in
      guard action == .typed else { return [] }
      let parts: [CountedRun<Void, Action>.Part] = [
        .sleep(150), .send(.started), .delivered(.found), .send(.finished),
      ]
      return [.run(.init(id: "search", overlap: .restart, parts: parts))]
    }.schedules()
  }

  enum LoginAction { case tap, typed, loggedIn, failed }

  struct LoginState {
    var isRight: Bool
    var isLoggedIn = false
  }

  static func login(_ script: [LoginAction], isRight: Bool, mayFail: Bool = false) -> Int {
    CountedFeature<LoginState, LoginAction>(
      start: .init(isRight: isRight), script: script, faults: mayFail ? ["login": [.fails]] : [:]
    ) { state, action in
      switch action {
      case .tap where !state.isLoggedIn:
        let parts: [CountedRun<LoginState, LoginAction>.Part] = state.isRight ? [.send(.loggedIn)] : [.fail]
        return [
          .run(.init(parts: [])),  // counts the tap
          .run(.init(id: "login", overlap: .join, parts: parts, failure: [.send(.failed)])),
        ]
      case .tap, .failed: return []
      case .typed:
        state.isRight = true
        return [.cancel(["login"])]
      case .loggedIn:
        state.isLoggedIn = true
        return []
      }
    }.schedules()
  }

  enum ProfileAction { case load, cancel, leave, person, photo }

  static func profile(_ script: [ProfileAction], mayHang: Bool = false) -> Int {
    CountedFeature<Void, ProfileAction>(
      start: (), script: script, faults: mayHang ? ["person": [.hangs], "photo": [.hangs]] : [:]
    ) { _, action in
      switch action {
      case .load: [.run(.init(id: "person", overlap: .drop, parts: [.send(.person)]))]
      case .cancel: [.cancel(["person", "photo"])]
      case .leave: [.cancelEverything]
      case .person: [.run(.init(id: "photo", overlap: .restart, parts: [.send(.photo)]))]
      case .photo: []
      }
    }.schedules()
  }

  static func rows(descends: Bool) -> Int {
    enum Action { case appeared(Int), deleted(Int), rated }
    return CountedFeature<Void, Action>(
      start: (), script: [.appeared(1), .appeared(2), .deleted(2)], descends: descends
    ) { _, action in
      switch action {
      case .appeared(let row): [.run(.init(id: "rating of \(row)", overlap: .restart, parts: [.send(.rated)]))]
      case .deleted(let row): [.cancel(["rating of \(row)"])]
      case .rated: []
      }
    }.schedules()
  }

  enum DetailAction { case opened(Int), appeared, loaded, shareTapped, sendTapped, done, closed }

  /// The state is the number of the recipe whose detail is open.
  static func detail(_ script: [DetailAction], reachesLinks: Bool = false) -> Int {
    CountedFeature<Int, DetailAction>(
      start: 0, script: script, reached: reachesLinks ? ["link of 0", "link of 1"] : []
    ) { detail, action in
      let work = ["steps of \(detail)", "link of \(detail)"]
      switch action {
      case .opened(let recipe):
        detail = recipe
        return [.cancel(work), .send(.appeared)]
      case .appeared: return [.run(.init(id: work[0], overlap: .enqueue, parts: [.send(.loaded)]))]
      case .sendTapped: return [.run(.init(id: work[1], overlap: .drop, parts: [.send(.done)]))]
      case .done: return [.cancel([work[1]])]
      case .closed: return [.cancel(work)]
      case .loaded, .shareTapped: return []
      }
    }.schedules()
  }

  static func race(_ overlap: CountedRun<Void, String>.Overlap, _ choices: CountedChoices = .all) -> Int {
    CountedFeature<Void, String>(start: (), script: ["s", "sw"], choices: choices) { _, action in
      if action == "found" { return [] }
      return [.run(.init(id: "search", overlap: overlap, input: action, parts: [.send("found")]))]
    }.schedules()
  }

  enum ArticlesAction { case end, refresh, question, loaded, appended, failed }

  /// The state is whether there are more pages to load.
  static func articles(
    _ script: [ArticlesAction], mayFail: Bool = false, _ choices: CountedChoices = .all
  ) -> Int {
    CountedFeature<Bool, ArticlesAction>(
      start: true, script: script, faults: mayFail ? ["load": [.fails], "more": [.fails]] : [:],
      choices: choices
    ) { hasMore, action in
      let load = CountedRun<Bool, ArticlesAction>(
        id: "load", overlap: .restart, parts: [.send(.loaded)], failure: [.send(.failed)])
      let more = CountedRun<Bool, ArticlesAction>(
        id: "more", overlap: .drop, parts: [.send(.appended)], failure: [.send(.failed)])
      switch action {
      case .end: return hasMore ? [.run(more)] : []
      case .refresh: return [.cancel(["more"]), .run(load)]
      case .question:
        hasMore = false
        return [.cancel(["more"]), .run(load)]
      case .loaded:
        hasMore = true
        return [.cancel(["more"])]
      case .appended:
        hasMore = false
        return []
      case .failed: return []
      }
    }.schedules()
  }

  enum DownloadAction { case resume, pause, received, finished, added, removed }

  struct DownloadState {
    var isPaused = true
    var isDone = false
    /// How many of the file's four bytes are on the disk.
    var size = 0
  }

  static func download() -> Int {
    CountedFeature<DownloadState, DownloadAction>(
      start: .init(), script: [.resume, .pause, .resume], descends: true
    ) { state, action in
      switch action {
      case .resume where state.isPaused:
        state.isPaused = false
        // There are more slots than runs.
        return [.run(.init(id: "a", parts: [.look { parts(from: $0.size) }], endIsStep: true))]
      case .pause where !state.isDone:
        state.isPaused = true
        return [.cancel(["a"])]
      case .finished:
        state.isDone = true
        return []
      default: return []
      }
    }.schedules()
  }

  private static func parts(from position: Int) -> [CountedRun<DownloadState, DownloadAction>.Part] {
    let write = CountedRun<DownloadState, DownloadAction>.Part.look { state in
      state.size = max(state.size, position + 2)
      return parts(from: position + 2)
    }
    return [.delivered(.received), position == 4 ? .send(.finished) : write]
  }

  static func onePlace() -> Int {
    let parts: [CountedRun<Void, DownloadAction>.Part] = [
      .delivered(.received), .sleep(10, goesOnIfCancelled: true), .delivered(.received), .send(.finished),
    ]
    return CountedFeature<Void, DownloadAction>(start: (), script: [.added, .removed], descends: true) { _, action in
      switch action {
      case .added:
        ["a", "b"].map { file in
          .run(
            .init(id: "queue", name: file, overlap: .enqueue, parts: parts, isExclusive: true, endIsStep: true))
        }
      case .removed: [.cancel(["a"])]
      default: []
      }
    }.schedules()
  }

  private static let circles: [Character: String] = ["a": "bc", "b": "c", "c": "ac"]

  static func crawl(_ script: [CountedCrawl.Line]) -> Int { CountedCrawl(script, links: circles).rest() }

  static func crawlWithOnePlace() -> Int {
    CountedCrawl([.start], links: ["a": "bc"], limit: 1, slow: ["b", "c"]).rest()
  }
}
