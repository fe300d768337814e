// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// Exploring code that has no store.
extension Exploration.Schedule {
  /// Executes a piece of code at the same time as the others, in a task of its own.
  ///
  /// ```swift
  /// await explore { schedule in
  ///   let cache = ImageCache()
  ///   schedule.run("first") { await cache.image("x") }
  ///   schedule.run("second") { await cache.image("x") }
  ///   schedule.finally { await cache.downloads == 1 }
  /// }
  /// ```
  ///
  /// All orders of the jobs of these tasks are tried, also of child tasks, of calls of actors, and of each `Task {}` that the code
  /// makes. Use either runs or ``store(initialState:reducer:requiring:sometimes:always:eventually:finally:)``.
  ///
  /// - Parameters:
  ///   - name: what a failure calls it. Each run has a name of its own.
  ///   - mayWait: whether it may wait for ever. Otherwise it is a failure if it has not returned when nothing can happen any more.
  ///   - fileID: the file that a failure shows for it.
  ///   - line: likewise.
  ///   - body: the code. An error that it throws is a failure, except a `CancellationError`.
  /// - Ordering: it may begin at any time after the body of the schedule.
  /// - Cancellation: by ``cancel(_:)``. At the end of a schedule all runs and their tasks are cancelled.
  /// - Isolation: none. One piece executes at a time, on the thread of the test.
  public func run(
    _ name: String, mayWait: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @concurrent @Sendable () async throws -> Void
  ) {
    plan.pieces.append(PlainCode.Piece(name: name, mayWait: mayWait, site: (fileID, line), body: body))
  }

  /// Cancels the task of a run, at any time after the steps before.
  ///
  /// - Parameter name: the name of a run.
  public func cancel(_ name: String) { plan.steps.append { $0.cancel(name) } }

  /// Lets at least this much time of ``clock`` pass between the step before and the step after it.
  ///
  /// - Parameter duration: how much time passes at least.
  public func advance(by duration: Duration) { plan.steps.append { $0.advance(by: duration) } }

  /// What must hold whenever a run has returned. It is executed at the end of each run, while others go on.
  ///
  /// - Parameter condition: whether it holds. It may call actors. An error that it throws is a failure.
  public func always(_ condition: @escaping @concurrent @Sendable () async throws -> Bool) { plan.always = condition }

  /// What must hold when nothing can happen any more.
  ///
  /// - Parameter condition: whether it holds. It may call actors. An error that it throws is a failure.
  public func finally(_ condition: @escaping @concurrent @Sendable () async throws -> Bool) { plan.finally = condition }

  /// Each `Task {}` that the code makes may wait for ever, for example for the next element of a stream. Otherwise it is a failure
  /// if one has not ended when nothing can happen any more.
  public func tasksMayWait() { plan.tasksMayWait = true }
}
