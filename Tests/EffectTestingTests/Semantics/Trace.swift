// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The events of a program, as far as the rules define their order: reductions (and failures) in their order; of runs,
/// which are independent of one another, only the events since the last look.
final class Trace: Sendable {
  private struct Book {
    var reduced: [String] = []
    var runs: [String] = []
    var waiting: [(reduced: Int, runs: Int, waiter: Waiter)] = []
  }

  private let book = Lock(Book())

  func reduced(_ event: String) { note { $0.reduced.append(event) } }
  func run(_ event: String) { note { $0.runs.append(event) } }

  private func note(_ change: (inout Book) -> Void) {
    let ready = book.withLock { book in
      change(&book)
      let (reduced, runs) = (book.reduced.count, book.runs.count)
      defer { book.waiting.removeAll { $0.reduced <= reduced && $0.runs <= runs } }
      return book.waiting.filter { $0.reduced <= reduced && $0.runs <= runs }
    }
    for one in ready { one.waiter.answer(true) }
  }

  /// Suspends until the given numbers of events have happened since the last look.
  func reaches(reduced: Int, runs: Int) async {
    let waiter = Waiter()
    let isThere = book.withLock { book in
      if book.reduced.count >= reduced, book.runs.count >= runs { return true }
      book.waiting.append((reduced, runs, waiter))
      return false
    }
    if !isThere { _ = await waiter.wait() }
  }

  /// The events since the last look.
  func look() -> (reduced: [String], runs: [String]) {
    book.withLock { book in
      defer { (book.reduced, book.runs) = ([], []) }
      return (book.reduced, book.runs.sorted())
    }
  }
}
