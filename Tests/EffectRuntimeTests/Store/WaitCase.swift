// This source file is part of swift-effects. License: Apache-2.0.

/// How the work that has a waiter can end.
enum WorkEnding: String, CaseIterable {
  case success, errorCaught, errorUncaught
  case cancelledByID, cancelledByDispatch, replaced, droppedOnArrival, droppedFromQueue
  case shutdownCancelling, shutdownDraining, storeReleased
  case waiterCancelled, waiterCancelledBefore

  /// Whether the run never executes.
  var isDropped: Bool { self == .droppedOnArrival || self == .droppedFromQueue }

  /// Whether the caller that waits is cancelled, and not the work.
  var isOfWaiter: Bool { self == .waiterCancelled || self == .waiterCancelledBefore }
}

/// What can be waited for.
enum WaitKind: String, CaseIterable {
  case finish, request, delivered, shutdownCancelling, shutdownDraining

  var isShutdown: Bool { self == .shutdownCancelling || self == .shutdownDraining }
}

/// When the wait begins: before the action has been reduced (for `delivered` the action that is sent with it), while
/// the work is active, when it has settled.
enum WaitMoment: String, CaseIterable {
  case before, running, after
}

/// One way that a wait can go, and how it must end.
struct WaitCase: CustomStringConvertible, Sendable {
  let wait: WaitKind
  let ending: WorkEnding
  let moment: WaitMoment
  let answer: String

  var description: String { "\(wait.rawValue) \(moment.rawValue), \(ending.rawValue): \(answer)" }

  static var all: [WaitCase] {
    WaitKind.allCases.flatMap { wait in
      WorkEnding.allCases.flatMap { ending in
        WaitMoment.allCases.compactMap { moment in
          answer(wait, ending, moment).map { WaitCase(wait: wait, ending: ending, moment: moment, answer: $0) }
        }
      }
    }
  }

  /// The right answer; `nil` for combinations that do not exist.
  private static func answer(_ wait: WaitKind, _ ending: WorkEnding, _ moment: WaitMoment) -> String? {
    switch (wait, ending, moment) {
    case (.finish, _, _):
      return "finished"

    // It begins with its action, and has no dispatch to cancel.
    case (.request, _, .after), (.request, .cancelledByDispatch, _): return nil
    case (.request, .shutdownCancelling, _): return "cutShort"
    case (.request, .waiterCancelled, _), (.request, .waiterCancelledBefore, _): return "cancelled"
    case (.request, _, _): return "value"

    // Only a run that executes can wait.
    case (.delivered, _, _) where ending.isDropped: return nil
    case (.delivered, .waiterCancelledBefore, _), (.delivered, _, .after): return "false"
    // The store is quicker, or is not: both are right, see `DeliveryTests`.
    case (.delivered, .waiterCancelled, .running): return nil
    case (.delivered, .waiterCancelled, _): return "false"
    case (.delivered, .storeReleased, .before): return "false"
    case (.delivered, _, _): return "true"

    // The caller of a shutdown holds its store.
    case (.shutdownCancelling, .storeReleased, .after), (.shutdownDraining, .storeReleased, .after): return nil
    case (.shutdownCancelling, _, _) where ending.isOfWaiter, (.shutdownDraining, _, _) where ending.isOfWaiter:
      return "closures execute"
    case (.shutdownCancelling, _, _): return "ended"
    case (.shutdownDraining, .shutdownCancelling, _): return "ended"
    case (.shutdownDraining, _, _): return "ended, nothing cut short"
    }
  }
}
