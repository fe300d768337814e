// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// What a mock does, as a plain value. Jobs are executed in the order in which they became ready.
private struct MockModel {
  enum Job {
    case begin(Int)
    case resume(Int, String)
  }

  var pending: [Int] = []
  var results: [String] = []
  var misuses = 0
  private var jobs: [Job] = []
  private var cancelled: Set<Int> = []

  mutating func call(_ input: Int) { jobs.append(.begin(input)) }

  mutating func answer(at position: Int, _ text: String) {
    guard pending.indices.contains(position) else { return misuses += 1 }
    let input = pending.remove(at: position)
    jobs.append(.resume(input, text))
  }

  mutating func answer(where isChosen: (Int) -> Bool, _ text: String) {
    answer(at: pending.firstIndex(where: isChosen) ?? -1, text)
  }

  mutating func cancel(_ input: Int) {
    cancelled.insert(input)
    guard let position = pending.firstIndex(of: input) else { return }
    answer(at: position, "cancelled")
  }

  mutating func drain() {
    let ready = jobs
    jobs = []
    for job in ready {
      switch job {
      case .begin(let input) where cancelled.contains(input): results.append("\(input): cancelled")
      case .begin(let input): pending.append(input)
      case .resume(let input, let text): results.append("\(input): \(text)")
      }
    }
  }
}

@Suite struct `A mock and a plain value` {
  private struct Refused: Error {
    let text: String
  }

  @Test func `Random orders of calls, answers and cancels do what the value does`() {
    var ends = Set<String>()
    for seed in 1...TestSize.of(10_000, short: 1_000) {
      let found = play(UInt64(seed))
      ends.formUnion(found.ends)
      guard let difference = found.difference else { continue }
      Issue.record("seed \(seed): \(difference)")
      break
    }
    #expect(ends.isSuperset(of: ["oldest", "even", "refused", "cancelled"]))
  }

  /// Plays twenty steps with a mock and with the value. Returns how they differ, and how the calls ended.
  private func play(_ seed: UInt64) -> (difference: String?, ends: Set<String>) {
    var numbers = SeededNumbers(seed: seed)
    let executor = TestExecutor()
    // Without a file: a text is made for each misuse, and would read it.
    let mock = Mock<Int, String>(filePath: "")
    let results = Diary<String>()
    let misuses = Diary<String>()
    var model = MockModel()
    var tasks: [Task<Void, Never>] = []
    for step in 0..<20 {
      Reporter.$diversion.withValue(
        Reporter.Diversion { text, _ in
          misuses.write(text)
          return true
        }
      ) {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0..<3:
          model.call(tasks.count)
          tasks.append(call(mock, tasks.count, on: executor, results))
        case 3:
          mock.answer("oldest \(step)")
          model.answer(at: 0, "oldest \(step)")
        case 4:
          let position = Int.random(in: 0..<3, using: &numbers)
          mock.answer("\(step)", at: position)
          model.answer(at: position, "\(step)")
        case 5:
          mock.answer("even \(step)", where: { $0.isMultiple(of: 2) })
          model.answer(where: { $0.isMultiple(of: 2) }, "even \(step)")
        case 6:
          mock.answer(throwing: Refused(text: "refused \(step)"))
          model.answer(at: 0, "refused \(step)")
        case 7 where !tasks.isEmpty:
          let input = Int.random(in: 0..<tasks.count, using: &numbers)
          tasks[input].cancel()
          model.cancel(input)
        default:
          executor.drain()
          model.drain()
        }
      }
      if mock.pending != model.pending || results.all != model.results || misuses.count != model.misuses {
        return ("step \(step): \(mock.pending) \(results.all) instead of \(model)", [])
      }
    }
    for task in tasks { task.cancel() }
    executor.drain()
    let isOver = results.count == tasks.count && mock.pending.isEmpty
    let ends = Set(results.all.map { String($0.split(separator: " ")[1]) })
    return (isOver ? nil : "\(tasks.count - results.count) calls have not ended", ends)
  }

  private func call(
    _ mock: Mock<Int, String>, _ input: Int, on executor: TestExecutor, _ results: Diary<String>
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) {
      do {
        results.write("\(input): \(try await mock(input))")
      } catch let error as Refused {
        results.write("\(input): \(error.text)")
      } catch {
        results.write("\(input): \(error is CancellationError ? "cancelled" : "?")")
      }
    }
  }
}
