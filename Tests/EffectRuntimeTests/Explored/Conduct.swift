// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// What explored runs report to the test, and what they wait for.
// SAFETY: everything that an exploration controls happens on one thread; nothing here leaves it.
final class Conductor: @unchecked Sendable {
  /// The runs that wait to be cancelled.
  private(set) var waiting: [String: CheckedContinuation<Void, Never>] = [:]
  /// Called inside the cancellation handler of a waiting run.
  var onCancel: (String) -> Void = { _ in }
  /// Called with the answer of `delivered`.
  var onAnswer: (String, Bool) -> Void = { _, _ in }

  func effect(of run: Plan.Run) -> Effect<String> {
    let (name, id) = (run.name, run.id.map { EffectID($0) })
    switch run.conduct {
    case .sending, .asking:
      guard run.catches else { return .run(id: id, overlap: run.overlap, name: name) { send in send(name) } }
      return .run(id: id, overlap: run.overlap, name: name) { send in
        send(name)
        throw ReferenceModel.Thrown()
      } catch: { _, send in
        send(name)
      }
    case .throwing:
      return .run(id: id, overlap: run.overlap, name: name) { send in
        send(name)
        throw ReferenceModel.Thrown()
      }
    case .delivering:
      return .run(id: id, overlap: run.overlap, name: name) { [self] send in
        onAnswer(name, await send.delivered(name))
        send(name)
      }
    case .waiting:
      return .run(id: id, overlap: run.overlap, name: name) { [self] send in
        await wait(name)
        send(name)
      }
    }
  }

  private func wait(_ name: String) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[name] = continuation }
      }
    } onCancel: {
      // Cancelled before the wait began: no continuation waits.
      guard let continuation = waiting.removeValue(forKey: name) else { return }
      onCancel(name)
      continuation.resume()
    }
  }
}
