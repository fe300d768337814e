// This source file is part of swift-effects. License: Apache-2.0.

/// What a list shows of an action.
public struct Row: Codable, Equatable, Sendable {
  /// How many actions had been reduced after it.
  public let position: Int
  /// The number of its event.
  public let number: UInt64
  /// Milliseconds since the store was made.
  public let time: Double
  /// The action as text.
  public let action: String
  /// `user`, `hand` for one that was sent on the page, `run` or `followUp`.
  public let kind: String
  /// `sent at App/View.swift:12`, `sent here by hand`, `from run 2`, `as a follow-up`.
  public let source: String
  /// What happened between this action and the next one: runs that start and end, actions that are dropped.
  public let notes: [String]
}

/// Which actions a list shows.
public struct RowFilter: Equatable, Sendable {
  /// A part of the text of the action, its source or its notes, in any case; empty for all.
  public var text: String
  /// The kind of source, as in ``Row/kind``; `nil` for all.
  public var kind: String?

  /// Makes a filter.
  ///
  /// - Parameters:
  ///   - text: what to find; empty for all actions.
  ///   - kind: the kind of source; `nil` for all.
  public init(text: String = "", kind: String? = nil) {
    self.text = text.lowercased()
    self.kind = kind
  }

  /// Whether the row is shown.
  public func shows(_ row: Row) -> Bool {
    guard kind == nil || row.kind == kind else { return false }
    return text.isEmpty || ([row.action, row.source] + row.notes).contains { $0.lowercased().contains(text) }
  }
}

/// Some of the rows, the newest first.
public struct RowPage: Codable, Equatable, Sendable {
  /// The rows that the filter shows.
  public let rows: [Row]
  /// All positions above this one have been searched.
  public let searched: Int
}

/// What happened at a position.
public struct Moment: Codable, Equatable, Sendable {
  /// The position.
  public let position: Int
  /// The action; `nil` at the oldest position, of which only the state is known.
  public let row: Row?
  /// What the action changed, as lines.
  public let difference: [String]
  /// The state after it, as text.
  public let state: String
  /// The action as its codec writes it, if that is text.
  public let encoded: String?
}

/// A store in a list of stores.
public struct StoreSummary: Codable, Equatable, Sendable {
  /// A run that is active.
  public struct Work: Codable, Equatable, Sendable {
    /// The number of the run.
    public let run: UInt64
    /// Its description.
    public let text: String
    /// What it does: `runs`, `queued`, `waits`, `sleeps`, `cancelled`.
    public let phase: String
    /// Milliseconds since the store was made.
    public let since: Double
  }

  /// Where a fork comes from.
  public struct Origin: Codable, Equatable, Sendable {
    /// The number of the store that it was forked from, which may be gone.
    public let store: Int
    /// The name of that store.
    public let name: String
    /// The position with whose state it began.
    public let position: Int
    /// How many actions the fork had reduced when it was continued; 0 for one that was not.
    public internal(set) var actions: Int
  }

  /// The number by which the page calls it.
  public let id: Int
  /// Its name.
  public let name: String
  /// `attached`; `fork`, which runs no effect; or `continued`, a fork that runs its effects.
  public let kind: String
  /// Where it comes from, if it is a fork.
  public let origin: Origin?
  /// The newest position.
  public let count: Int
  /// The oldest position.
  public let oldest: Int
  /// Whether it has ended, so that no action follows.
  public let hasEnded: Bool
  /// At most 100 of its active runs.
  public let active: [Work]
  /// How many there are.
  public let activeCount: Int
}

/// Why a request cannot be done. Nothing has changed.
public enum InspectorError: Error, Equatable, CustomStringConvertible {
  /// A case of an action.
  public struct Case: Equatable, Sendable {
    /// Its name.
    public let name: String
    /// An action of this case, as the codec writes it, if one is known.
    public let example: String?
  }

  /// There is no such store; a fork may have been dropped.
  case unknownStore(Int)
  /// Another store has the name.
  case nameInUse(String)
  /// The position is not kept.
  case unknownPosition(Int, oldest: Int, newest: Int)
  /// The codec cannot read the action; with the cases that there are.
  case undecodable(String, cases: [Case])
  /// The codec cannot write an action or state.
  case unencodable(String)
  /// The store has ended.
  case storeEnded(String)
  /// It can be done only with a fork that runs no effect.
  case notAFork(String)
  /// There are as many forks as are allowed.
  case tooManyForks(Int)
  /// The export would have more bytes than are allowed.
  case tooLarge(Int)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unknownStore(let id): "There is no store \(id). If it was a fork, it has been dropped."
    case .nameInUse(let name): "A store named “\(name)” is attached already. Give each store a name of its own."
    case .unknownPosition(let position, let oldest, let newest):
      "Position \(position) is not kept. Choose one from \(oldest) to \(newest)."
    case .undecodable(let reason, let cases):
      "The codec cannot read this action: \(reason)" + (cases.isEmpty ? "" : "\nThere are these actions, for example:")
        + cases.map { "\n\($0.name): \($0.example ?? "no example is known")" }.joined()
    case .unencodable(let reason): "The codec cannot write this: \(reason)"
    case .storeEnded(let name): "“\(name)” has ended, so it takes no action. Fork it, and send the action to the fork."
    case .notAFork(let name): "“\(name)” is not a fork without effects. Fork it first."
    case .tooManyForks(let most): "There are \(most) forks already. Drop one first."
    case .tooLarge(let most):
      "An export has at most \(most) bytes of actions and notes. Export fewer of the newest ones."
    }
  }
}
