// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// A program of actors, tasks and streams without a store; wrong, or corrected.
struct PlainProgram: Sendable, CustomTestStringConvertible {
  var name: String
  /// Whether the corrected program has more states than the budget has schedules.
  var isLarge: Bool
  var body: @Sendable (Exploration.Schedule, _ isCorrect: Bool) -> Void

  var testDescription: String { name }

  init(
    _ name: String, isLarge: Bool = false,
    _ body: @escaping @Sendable (Exploration.Schedule, _ isCorrect: Bool) -> Void
  ) {
    (self.name, self.isLarge, self.body) = (name, isLarge, body)
  }
}

/// Something that takes a moment, on no actor.
@concurrent
func pause() async { await Task.yield() }

// MARK: - Actors

/// Answers after a moment. A task that an actor makes must not call `Task.yield()`, which leaves the schedule.
private actor ImageServer {
  func get(_ name: String) -> String { "image \(name)" }
}

/// Loads an image once for all that ask.
private actor ImageCache {
  private var images: [String: String] = [:]
  private var tasks: [String: Task<String, Never>] = [:]
  private let server = ImageServer()
  private(set) var downloads = 0
  let isCorrect: Bool

  init(isCorrect: Bool) { self.isCorrect = isCorrect }

  func image(_ name: String) async -> String {
    if let image = images[name] { return image }
    if isCorrect {
      if let task = tasks[name] { return await task.value }
      let task = Task { await download(name) }
      tasks[name] = task
      return await task.value
    }
    let image = await download(name)
    images[name] = image
    return image
  }

  private func download(_ name: String) async -> String {
    downloads += 1
    return await server.get(name)
  }
}

private actor Wallet10 {
  private(set) var balance = 10

  func withdraw(_ amount: Int, isCorrect: Bool) async -> Bool {
    guard balance >= amount else { return false }
    if isCorrect {
      balance -= amount
      await audit()
    } else {
      await audit()
      balance -= amount
    }
    return true
  }

  func canWithdraw(_ amount: Int) -> Bool { balance >= amount }
  func take(_ amount: Int) { balance -= amount }
  func takeIfPossible(_ amount: Int) { if balance >= amount { balance -= amount } }

  private func audit() async { await Task.yield() }
}

private actor StoredNumber {
  private(set) var value = 0

  func set(_ value: Int) { self.value = value }
  func add() { value += 1 }
}

/// A lock that tasks wait for.
private actor AsyncLock {
  private var isHeld = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func lock() async {
    if isHeld { await withCheckedContinuation { waiting.append($0) } } else { isHeld = true }
  }

  func unlock() {
    if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
  }
}

private actor Session {
  private(set) var token = 1
  private(set) var refreshes = 0
  private let server = ImageServer()
  private var refreshing: Task<Int, Never>?

  func fresh(isCorrect: Bool) async -> Int {
    if isCorrect {
      if let refreshing { return await refreshing.value }
      let task = Task { await refresh() }
      refreshing = task
      return await task.value
    }
    return await refresh()
  }

  private func refresh() async -> Int {
    refreshes += 1
    let new = refreshes + 1
    _ = await server.get("token")
    token = new
    return new
  }
}

private actor LoadingScreen {
  var isLoading = false
  var active = 0
  var shown = ""
  var wanted = ""

  func begin() { (isLoading, active) = (true, active + 1) }
  func end(counts: Bool) {
    active -= 1
    if !counts || active == 0 { isLoading = false }
  }
  var isWrong: Bool { active > 0 && !isLoading }

  func want(_ query: String) { wanted = query }
  func show(_ answer: String, checks: Bool) { if !checks || answer == wanted { shown = answer } }
}

extension PlainProgram {
  static let actors: [PlainProgram] = [
    PlainProgram("an actor that loads twice") { schedule, isCorrect in
      let cache = ImageCache(isCorrect: isCorrect)
      schedule.run("first") { _ = await cache.image("x") }
      schedule.run("second") { _ = await cache.image("x") }
      schedule.finally { await cache.downloads == 1 }
    },
    PlainProgram("a balance that is checked before an `await`") { schedule, isCorrect in
      let account = Wallet10()
      schedule.run("first") { _ = await account.withdraw(7, isCorrect: isCorrect) }
      schedule.run("second") { _ = await account.withdraw(7, isCorrect: isCorrect) }
      schedule.finally { await account.balance >= 0 }
    },
    PlainProgram("check, then act, on an actor") { schedule, isCorrect in
      let account = Wallet10()
      for name in ["first", "second"] {
        schedule.run(name) {
          if isCorrect {
            await account.takeIfPossible(7)
          } else if await account.canWithdraw(7) {
            await pause()
            await account.take(7)
          }
        }
      }
      schedule.finally { await account.balance >= 0 }
    },
    PlainProgram("a lost update across an `await`") { schedule, isCorrect in
      let counter = StoredNumber()
      for name in ["first", "second"] {
        schedule.run(name) {
          if isCorrect { await counter.add() } else { await counter.set(counter.value + 1) }
        }
      }
      schedule.finally { await counter.value == 2 }
    },
    PlainProgram("two locks in opposite orders") { schedule, isCorrect in
      let (a, b) = (AsyncLock(), AsyncLock())
      schedule.run("first") {
        await a.lock()
        await b.lock()
        await b.unlock()
        await a.unlock()
      }
      schedule.run("second") {
        let (outer, inner) = isCorrect ? (a, b) : (b, a)
        await outer.lock()
        await inner.lock()
        await inner.unlock()
        await outer.unlock()
      }
    },
    PlainProgram("a token that is refreshed twice") { schedule, isCorrect in
      let session = Session()
      schedule.run("first") { _ = await session.fresh(isCorrect: isCorrect) }
      schedule.run("second") { _ = await session.fresh(isCorrect: isCorrect) }
      schedule.finally { await session.refreshes == 1 }
    },
    PlainProgram("a flag that the first of two answers resets", isLarge: true) { schedule, isCorrect in
      let screen = LoadingScreen()
      for name in ["first", "second"] {
        schedule.run(name) {
          await screen.begin()
          await pause()
          await screen.end(counts: isCorrect)
        }
      }
      schedule.always { await !screen.isWrong }
    },
    PlainProgram("an old answer that overwrites a new one") { schedule, isCorrect in
      let screen = LoadingScreen()
      schedule.run("user") {
        await screen.want("a")
        let first = Task { await screen.show("a", checks: isCorrect) }
        await screen.want("b")
        let second = Task { await screen.show("b", checks: isCorrect) }
        _ = await (first.value, second.value)
      }
      schedule.finally { await screen.shown == "b" }
    },
  ]
}
