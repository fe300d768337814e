// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

// Failures that are reported in runs. A run inherits no task-locals (rule L6), so a test library would not know to which
// test they belong. They are kept until the store of the run reports them, in the task of the test.
extension Reporter {
  typealias Kept = (text: String, location: TestLocation, run: Token)

  /// The failures of runs by store, for the stores that report them.
  private static let kept = Lock<[UInt64: [Kept]]>([:])
  private static let hasKept = Atomic(false)

  /// Keeps the failures of a store's runs from now on.
  @usableFromInline
  static func keepFailures(ofRunsOf store: UInt64) {
    kept.withLock { $0[store] = [] }
  }

  /// The store is released: it reports no failures any more.
  @usableFromInline
  static func stopKeepingFailures(ofRunsOf store: UInt64) {
    kept.withLock { $0[store] = nil }
  }

  /// Whether failures of any store are kept.
  @usableFromInline
  static var hasFailuresOfRuns: Bool { hasKept.load(ordering: .acquiring) }

  /// Takes out the failures of a store's runs, in the order in which they were reported.
  static func takeFailures(ofRunsOf store: UInt64) -> [Kept] {
    kept.withLock { kept in
      guard let found = kept[store], !found.isEmpty else { return [] }
      kept[store] = []
      hasKept.store(kept.values.contains { !$0.isEmpty }, ordering: .releasing)
      return found
    }
  }

  /// Keeps a failure; `false` if the store of the run does not report it.
  static func keep(_ text: String, at location: TestLocation, of run: CurrentRun) -> Bool {
    kept.withLock { kept in
      guard kept[run.store]?.append((text, location, run.token)) != nil else { return false }
      hasKept.store(true, ordering: .releasing)
      return true
    }
  }
}
