// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

// MARK: - Tasks, groups, streams and cancellation

private struct ImportFailed: Error {}

private actor NumberLog {
  private(set) var entries: [Int] = []

  func add(_ entry: Int) { entries.append(entry) }
}

private actor NumberFeed {
  private let stream = AsyncStream<Int>.makeStream()
  private var task: Task<Void, Never>?
  private(set) var seen = 0

  func begin() {
    let stream = stream.stream
    task = Task { for await number in stream { see(number) } }
  }

  func send(_ number: Int) { stream.continuation.yield(number) }
  func end() { task?.cancel() }
  private func see(_ number: Int) { seen = number }
}

/// A number of places for tasks.
private actor Places {
  private(set) var free: Int
  private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var next = 0
  private let isCorrect: Bool

  init(_ free: Int, isCorrect: Bool) { (self.free, self.isCorrect) = (free, isCorrect) }

  /// Returns whether a place was taken.
  func take() async -> Bool {
    if free > 0 {
      free -= 1
      return true
    }
    next += 1
    let id = next
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting.append((id, $0)) }
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().continuation.resume(returning: true) }
  }

  private func cancel(_ id: Int) {
    guard isCorrect, let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(returning: false)
  }
}

private actor Occurrence {
  private var hasHappened = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var isOver: Bool { hasHappened }
  func wait() async { await withCheckedContinuation { waiting.append($0) } }
  func waitUnlessOver() async { if !hasHappened { await wait() } }

  func happen() {
    hasHappened = true
    for one in waiting { one.resume() }
    waiting = []
  }
}

private actor WaitingSlot {
  private var waiting: CheckedContinuation<Void, Never>?
  private var others: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func wait(isCorrect: Bool) async {
    if isOpen { return }
    await withCheckedContinuation { continuation in
      if isCorrect { others.append(continuation) } else { waiting = continuation }
    }
  }

  func open() {
    isOpen = true
    waiting?.resume()
    for one in others { one.resume() }
    (waiting, others) = (nil, [])
  }
}

private actor LoadedValue {
  private(set) var value: Int?
  private var generation = 0
  private(set) var source = 1

  func load(isCorrect: Bool) async {
    let (read, begun) = (source, generation)
    await Task.yield()
    if !isCorrect || begun == generation { value = read }
  }

  func change() {
    source = 2
    value = nil
    generation += 1
  }

  var isStale: Bool { value == 1 && source == 2 }
}

extension PlainProgram {
  static let tasks: [PlainProgram] = [
    PlainProgram("an error in a group loses the results of others") { schedule, isCorrect in
      let log = NumberLog()
      schedule.run("import") {
        try? await withThrowingTaskGroup(of: Int?.self) { group in
          for number in 1...2 {
            group.addTask {
              if number == 1 {
                if isCorrect { return nil }
                throw ImportFailed()
              }
              return number
            }
          }
          for try await number in group { if let number { await log.add(number) } }
        }
      }
      schedule.finally { await log.entries == [2] }
    },
    PlainProgram("a stream that keeps only its newest element") { schedule, isCorrect in
      let log = NumberLog()
      let stream = AsyncStream<Int>.makeStream(bufferingPolicy: isCorrect ? .unbounded : .bufferingNewest(1))
      schedule.run("sender") {
        for number in 1...2 { stream.continuation.yield(number) }
        stream.continuation.finish()
      }
      schedule.run("reader") { for await number in stream.stream { await log.add(number) } }
      schedule.finally { await log.entries == [1, 2] }
    },
    PlainProgram("a stream that drops its last element") { schedule, isCorrect in
      let log = NumberLog()
      let stream = AsyncStream<Int>.makeStream(bufferingPolicy: isCorrect ? .unbounded : .bufferingOldest(1))
      schedule.run("sender") {
        stream.continuation.yield(1)
        await Task.yield()
        stream.continuation.yield(2)
        stream.continuation.finish()
      }
      schedule.run("reader") { for await number in stream.stream { await log.add(number) } }
      schedule.finally { await log.entries.last == 2 }
    },
    PlainProgram("a continuation that is not resumed when its task is cancelled") { schedule, isCorrect in
      let semaphore = Places(0, isCorrect: isCorrect)
      schedule.run("waits") { _ = await semaphore.take() }
      schedule.cancel("waits")
    },
    PlainProgram("a task that outlives its owner") { schedule, isCorrect in
      let feed = NumberFeed()
      schedule.run("owner") {
        await feed.begin()
        await feed.send(1)
        if isCorrect { await feed.end() }
      }
    },
    PlainProgram("a lost update of a detached task") { schedule, isCorrect in
      let counter = RacyNumber()
      schedule.run("owner") {
        let task = Task.detached { await counter.add(isAtomic: isCorrect) }
        await counter.add(isAtomic: isCorrect)
        await task.value
      }
      schedule.finally { await counter.value == 2 }
    },
    PlainProgram("a cancellation that is checked too early") { schedule, isCorrect in
      let log = NumberLog()
      let order = RacyNumber()
      schedule.run("order") {
        if Task.isCancelled { return }
        await Task.yield()
        if isCorrect, Task.isCancelled { return }
        await log.add(Task.isCancelled && !isCorrect ? 1 : 0)
        _ = order
      }
      schedule.cancel("order")
      schedule.finally { await !log.entries.contains(1) }
    },
    PlainProgram("an `async let` that is not awaited") { schedule, isCorrect in
      let log = NumberLog()
      schedule.run("save") {
        async let saved: Void = {
          await Task.yield()
          if !Task.isCancelled { await log.add(1) }
        }()
        if isCorrect { await saved }
      }
      schedule.finally { await log.entries == [1] }
    },
    PlainProgram("a wait that begins after its event") { schedule, isCorrect in
      let event = Occurrence()
      schedule.run("waits") {
        if isCorrect { return await event.waitUnlessOver() }
        if await event.isOver { return }
        await pause()
        await event.wait()
      }
      schedule.run("happens") { await event.happen() }
    },
    PlainProgram("a continuation that overwrites another one") { schedule, isCorrect in
      let slot = WaitingSlot()
      schedule.run("first") { await slot.wait(isCorrect: isCorrect) }
      schedule.run("second") { await slot.wait(isCorrect: isCorrect) }
      schedule.run("opens") { await slot.open() }
    },
    PlainProgram("a load that writes an old value after a change") { schedule, isCorrect in
      let memo = LoadedValue()
      schedule.run("load") { await memo.load(isCorrect: isCorrect) }
      schedule.run("change") { await memo.change() }
      schedule.finally { await !memo.isStale }
    },
    PlainProgram("a place that a cancelled task keeps") { schedule, isCorrect in
      let semaphore = Places(1, isCorrect: true)
      for name in ["first", "second"] {
        schedule.run(name) {
          guard await semaphore.take() else { return }
          if !isCorrect, Task.isCancelled { return }
          await semaphore.give()
        }
      }
      schedule.cancel("second")
      schedule.finally { await semaphore.free == 1 }
    },
    PlainProgram("a debounce that does not look whether it was cancelled", isLarge: true) { schedule, isCorrect in
      let log = NumberLog()
      let clock = schedule.clock
      schedule.run("user") {
        let first = Task {
          if isCorrect { try await clock.sleep(for: .seconds(1)) } else { try? await clock.sleep(for: .seconds(1)) }
          await log.add(1)
        }
        first.cancel()
        let second = Task {
          try await clock.sleep(for: .seconds(1))
          await log.add(2)
        }
        _ = await (first.result, second.result)
      }
      schedule.finally { await log.entries == [2] }
    },
  ]
}

private actor RacyNumber {
  private(set) var value = 0

  func add(isAtomic: Bool) async {
    let read = value
    if !isAtomic { await Task.yield() }
    value = read + 1
  }
}
