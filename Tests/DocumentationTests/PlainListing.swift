// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/PlainCode.md; `PlainCodePageTests.swift` compares them.

import EffectTesting

enum PlainListing {
  // listing: cache
  actor ImageServer {
    private(set) var downloads = 0
    func get(_ name: String) -> String { downloads += 1; return "image \(name)" }
  }

  actor ImageCache {
    let server = ImageServer()
    private var images: [String: String] = [:]

    func image(_ name: String) async -> String {
      if let image = images[name] { return image }
      let image = await server.get(name)
      images[name] = image
      return image
    }
  }
  // end

  static func cache() async -> Exploration {
    // listing: explore
    await explore { schedule in
      let cache = ImageCache()
      schedule.run("first") { _ = await cache.image("cat") }
      schedule.run("second") { _ = await cache.image("cat") }
      schedule.finally { await cache.server.downloads == 1 }
    }
    // end
  }

  actor FixedCache {
    let server = ImageServer()
    // listing: fixed
    private var loading: [String: Task<String, Never>] = [:]

    func image(_ name: String) async -> String {
      if let task = loading[name] { return await task.value }
      let task = Task { await server.get(name) }
      loading[name] = task
      return await task.value
    }
    // end
  }

  static func fixedCache() async -> Exploration {
    await explore { schedule in
      let cache = FixedCache()
      schedule.run("first") { _ = await cache.image("cat") }
      schedule.run("second") { _ = await cache.image("cat") }
      schedule.finally { await cache.server.downloads == 1 }
    }
  }

  // listing: update
  actor Stock {
    private(set) var count = 10
    func set(_ count: Int) { self.count = count }
    func take() { count -= 1 }
  }
  // end

  static func update() async -> Exploration {
    // listing: lost
    await explore { schedule in
      let stock = Stock()
      for name in ["Ann", "Bob"] {
        schedule.run(name) {
          let count = await stock.count
          await stock.set(count - 1)
        }
      }
      schedule.finally { await stock.count == 8 }
    }
    // end
  }

  static func fixedUpdate() async -> Exploration {
    await explore { schedule in
      let stock = Stock()
      for name in ["Ann", "Bob"] { schedule.run(name) { await stock.take() } }
      schedule.finally { await stock.count == 8 }
    }
  }

  // listing: ticker
  actor Ticker {
    private let prices = AsyncStream<Int>.makeStream()
    private var task: Task<Void, Never>?
    private(set) var latest = 0

    func begin() {
      task = Task { [prices] in
        for await price in prices.stream { latest = price }
      }
    }
    func publish(_ price: Int) { prices.continuation.yield(price) }
    func end() { task?.cancel() }
  }
  // end

  static func ticker(ends: Bool) async -> Exploration {
    if ends {
      return await explore { schedule in
        let ticker = Ticker()
        schedule.run("screen") {
          await ticker.begin()
          await ticker.publish(7)
          await ticker.end()
        }
      }
    }
    // listing: outlives
    return await explore { schedule in
      let ticker = Ticker()
      schedule.run("screen") {
        await ticker.begin()
        await ticker.publish(7)
      }
    }
    // end
  }

  actor Received {
    private(set) var numbers: [Int] = []
    func add(_ number: Int) { numbers.append(number) }
  }

  static func stream(_ policy: AsyncStream<Int>.Continuation.BufferingPolicy) async -> Exploration {
    if case .unbounded = policy {
      return await explore { schedule in
        let received = Received()
        let stream = AsyncStream<Int>.makeStream()
        schedule.run("sends") {
          for number in 1...3 { stream.continuation.yield(number) }
          stream.continuation.finish()
        }
        schedule.run("reads") { for await number in stream.stream { await received.add(number) } }
        schedule.finally { await received.numbers.last == 3 }
      }
    }
    // listing: stream
    return await explore { schedule in
      let received = Received()
      let stream = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingOldest(2))
      schedule.run("sends") {
        for number in 1...3 { stream.continuation.yield(number) }
        stream.continuation.finish()
      }
      schedule.run("reads") { for await number in stream.stream { await received.add(number) } }
      schedule.finally { await received.numbers.last == 3 }
    }
    // end
  }

  // listing: ticket
  actor Ticket {
    private var waiting: CheckedContinuation<Void, Never>?

    func wait() async { await withCheckedContinuation { waiting = $0 } }
    func call() { waiting?.resume(); waiting = nil }
  }
  // end

  actor FixedTicket {
    private var waiting: CheckedContinuation<Void, Never>?

    // listing: handled
    func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if Task.isCancelled { continuation.resume() } else { waiting = continuation }
        }
      } onCancel: {
        Task { await call() }
      }
    }
    // end
    func call() {
      waiting?.resume()
      waiting = nil
    }
  }

  static func ticket(isFixed: Bool) async -> Exploration {
    if isFixed {
      return await explore { schedule in
        let ticket = FixedTicket()
        schedule.run("customer") { await ticket.wait() }
        schedule.cancel("customer")
      }
    }
    // listing: cancelled
    return await explore { schedule in
      let ticket = Ticket()
      schedule.run("customer") { await ticket.wait() }
      schedule.cancel("customer")
    }
    // end
  }
}
