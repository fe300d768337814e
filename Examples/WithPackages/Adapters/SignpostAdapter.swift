// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(os)
  public import EffectRuntime
  public import os

  extension Trace {
    /// Draws each run as an interval and each action as an event, for Instruments.
    @discardableResult
    public func signposts(to signposter: OSSignposter) -> TraceListening {
      let ids = LiveRuns<OSSignpostID>()
      return listen(timed: false) { event in
        switch event.kind {
        case .reduced, .dropped, .refused:
          signposter.emitEvent("action", "\(event.kind.description, privacy: .public)")
        case .run(let run, .registered):
          // A run that waited for its time and then waits for a slot is reported again.
          guard ids[run] == nil else { return }
          let id = signposter.makeSignpostID()
          _ = signposter.beginInterval("run", id: id, "\(run.description.description, privacy: .public)")
          ids[run] = id
        case .run(let run, .ended(let outcome)):
          guard let id = ids[run] else { return }
          ids[run] = nil
          signposter.endInterval("run", .beginState(id: id), "\(outcome.description, privacy: .public)")
        default: break
        }
      }
    }
  }
#endif
