// This source file is part of swift-effects. License: Apache-2.0.

/// The children without an id about which alerts and dialogs of a store ask now.
///
/// A button sends an action, and then the alert is dismissed. If that action has replaced the child, the dismissal must not
/// remove the new one. With an id it is seen that this is another child. Without one, a change counts as a replacement.
@MainActor
final class AskedChildren {
  /// An alert or a dialog keeps this as long as it asks.
  final class Asking {
    /// Reads the child before an action, and returns a closure that compares it after the action.
    fileprivate let compare: @MainActor () -> (@MainActor () -> Void)?

    init(_ compare: @escaping @MainActor () -> (@MainActor () -> Void)?) { self.compare = compare }
  }

  private struct Entry { weak var asking: Asking? }
  private var entries: [Entry] = []

  nonisolated init() {}

  /// An alert or a dialog asks from now on.
  func add(_ asking: Asking) {
    entries.removeAll { $0.asking == nil }
    entries.append(Entry(asking: asking))
  }

  /// A view sends an action, which may be the answer to one of them.
  func answer(_ send: () -> StoreTask) -> StoreTask {
    guard !entries.isEmpty else { return send() }
    entries.removeAll { $0.asking == nil }
    let comparisons = entries.compactMap { $0.asking?.compare() }
    defer { for compare in comparisons { compare() } }
    return send()
  }
}
