// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectTesting

/// Random programs of tasks, groups, an actor and a stream: what real executions give is among what the explorer tries.
@Suite struct RandomPlainTests {
  // `EFFECTS_PLAIN_PROGRAMS=1000 EFFECTS_PLAIN_EXECUTIONS=100` tries more.
  private static func wished(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
  }

  @Test func `Results of real executions are among the explored ones`() async {
    let programs = Self.wished("EFFECTS_PLAIN_PROGRAMS", TestSize.of(20, short: 5))
    var compared = 0
    for seed in 0..<UInt64(programs) {
      let program = RandomPlainProgram(seed: seed)
      let explored = Shared<Set<String>>([])
      let account = await Account(schedules: 3_000) { schedule in
        let world = PlainWorld()
        schedule.runner.executor.playing {
          for (number, piece) in program.pieces.enumerated() {
            schedule.run("\(number)") { await world.execute(piece) }
          }
        }
        schedule.finally {
          let result = await world.result
          explored.value.insert(result)
          return true
        }
      }
      #expect(account.text == nil, "seed \(seed): \(account.text ?? "")")
      // One that has too many orders is not compared.
      guard account.result.completeLevel == .steps else { continue }
      compared += 1
      for _ in 0..<Self.wished("EFFECTS_PLAIN_EXECUTIONS", 10) {
        let world = PlainWorld()
        await withTaskGroup { group in
          for piece in program.pieces { group.addTask { await world.execute(piece) } }
        }
        let result = await world.result
        #expect(explored.value.contains(result), "seed \(seed), \(program.pieces): \(result)")
      }
    }
    Measured.print("\(compared) of \(programs) programs compared")
    #expect(compared * 4 > programs * 3)
  }
}

/// What a piece of a program does, one after the other. Between two of them others act.
indirect enum PlainOperation: Sendable {
  /// Writes a number into a diary.
  case write(Int)
  /// Reads a number, and writes it changed after others have acted.
  case update(Int)
  /// Calls an actor.
  case call(Int)
  /// Calls an actor that waits before it changes its number.
  case callSlowly(Int)
  /// Adds an element to a stream.
  case put(Int)
  /// Waits for an element of the stream. Only one piece does.
  case take
  /// Executes two branches at the same time.
  case group([PlainOperation], [PlainOperation])
  /// Makes a task and waits for it.
  case task([PlainOperation])
}

/// What the pieces of a program share.
final class PlainWorld: Sendable {
  private actor Register {
    private(set) var value = 0

    func change(_ number: Int) { value = (value * 3 + number) % 1_000 }

    func changeSlowly(_ number: Int) async {
      let read = value
      await Task.yield()
      value = (read * 3 + number) % 1_000
    }
  }

  private let diary = Diary<Int>()
  private let number = Shared(0)
  private let register = Register()
  private let stream: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  var result: String {
    get async { "\(diary.all) \(number.value) \(await register.value)" }
  }

  func execute(_ operations: [PlainOperation]) async {
    for (place, operation) in operations.enumerated() {
      if place > 0 { await Task.yield() }
      await execute(operation)
    }
  }

  private func write(_ number: Int) { diary.write(number) }

  private func execute(_ operation: PlainOperation) async {
    switch operation {
    case .write(let number): write(number)
    case .update(let added):
      let read = number.value
      await Task.yield()
      number.value = (read * 3 + added) % 1_000
    case .call(let number): await register.change(number)
    case .callSlowly(let number): await register.changeSlowly(number)
    case .put(let number): continuation.yield(number)
    case .take:
      for await number in stream.prefix(1) { write(number) }
    case .group(let first, let second):
      await withTaskGroup { group in
        group.addTask { await self.execute(first) }
        group.addTask { await self.execute(second) }
      }
    case .task(let operations):
      await Task { await self.execute(operations) }.value
    }
  }
}

/// Two or three pieces with a few operations. There are at least as many elements as are taken.
struct RandomPlainProgram {
  private(set) var pieces: [[PlainOperation]] = []
  private var numbers: Numbers
  private var made = 0

  init(seed: UInt64) {
    numbers = Numbers(seed: seed)
    let takes = next(3) == 0
    pieces = takes ? [[.take]] : [operations(1 + next(2), depth: 1)]
    pieces.append(operations(1, depth: 0))
    if takes { pieces.append([.put(90)]) }
  }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  private mutating func operations(_ count: Int, depth: Int) -> [PlainOperation] {
    (0..<count).map { _ in operation(depth: depth) }
  }

  // A `Task {}` that yields inside an actor leaves the control of the search.
  private mutating func operation(depth: Int, mayYieldInActor: Bool = true) -> PlainOperation {
    made += 1
    switch next(depth > 0 ? 7 : 5) {
    case 0: return .write(made)
    case 1: return .update(made)
    case 2: return .call(made)
    case 3: return mayYieldInActor ? .callSlowly(made) : .call(made)
    case 4: return .put(made)
    case 5: return .group([operation(depth: 0)], [operation(depth: 0)])
    default: return .task([operation(depth: 0, mayYieldInActor: false)])
    }
  }
}
