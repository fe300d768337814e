// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

extension ReferenceModel {
  enum Phase { case waiting, queued, asked, live, cancelled, over }

  /// A wait for the return of a cancelled closure.
  final class Wait {
    let closure: Node
    /// Whether a sequence or tree around it goes on only when the closure has returned.
    let isExclusive: Bool
    /// The branch that goes on then; none if nothing waits, or only a cancelled tree keeps its slot.
    var branch: Node?

    init(for closure: Node, isExclusive: Bool) {
      (self.closure, self.isExclusive) = (closure, isExclusive)
      closure.waits.append(self)
    }
  }

  /// Something that settles: a run, a branch of an effect, all that an action causes.
  final class Node {
    enum Kind { case dispatch(UInt64), share, sequence, tree(Plan), run(Plan.Run), joined(Node) }

    let kind: Kind
    let id: String?
    /// The scopes around it, each followed by a slash.
    let scope: String
    let overlap: Overlap
    var phase: Phase
    /// What it is a part of; nothing for a dispatch, and for what was cancelled.
    var parent: Node?
    /// Its parts, in the order they came.
    var parts: [Node] = []
    /// The parts of a sequence that have not begun.
    var rest: [Plan] = []
    /// How many things must settle before it does: parts, sends on their way, exclusive closures, and what holds it.
    var open = 0
    /// A dispatch that was cancelled: it starts nothing any more.
    var isRefusing = false
    /// Cancelled closures that it waits for (a sequence or tree), or that keep its slot (a cancelled exclusive tree).
    var closures: [Wait] = []
    /// Of a closure: the waits for its return, that of the run's own branch first, then those of joiners in their order.
    var waits: [Wait] = []
    /// Whether a sequence or tree around it waits for its closure to return.
    var isExclusive: Bool
    /// Its catch closure executes, which cannot throw.
    var isCatching: Bool { caught != nil }
    /// What the closure threw, as soon as the start of the catch closure is requested.
    var caught: (any Error)?
    var watchers = 0
    /// Of a shared run, or a share: the parts elsewhere that settle with it.
    var joiners: [Node] = []
    /// What the actions of a shared run belong to, as long as its owners stay the same.
    var share: Node?
    /// When it began to wait.
    var order = 0
    /// How often the closure of a run has been started.
    var attempt = 0
    /// When all attempts together have taken too long.
    var end: Duration?
    /// Of an exclusive run: the closure of the attempt that ran out of time and has not returned.
    var late: Node?
    /// The next attempt waits for that one only.
    var isDue = false

    init(
      _ kind: Kind, id: String? = nil, _ overlap: Overlap = .concurrent, phase: Phase, parent: Node?, scope: String = ""
    ) {
      self.kind = kind
      self.scope = scope
      self.id = id
      self.overlap = overlap
      self.phase = phase
      self.parent = parent
      isExclusive = (id != nil && overlap.exclusive) || (parent?.isExclusive ?? false)
    }

    /// The dispatch, or share, that it is a part of.
    var dispatch: Node { parent?.dispatch ?? self }
    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }
    var keepsSlot: Bool { id != nil && overlap.exclusive && !isCatching }
    var isPresent: Bool { phase != .cancelled && phase != .over }
    var isRun: Bool { if case .run = kind { true } else { false } }
    var isDispatch: Bool {
      switch kind {
      case .dispatch, .share: true
      case .sequence, .tree, .run, .joined: false
      }
    }
    var isTree: Bool { if case .tree = kind { true } else { false } }
    var isSequence: Bool { if case .sequence = kind { true } else { false } }
    var run: Plan.Run? { if case .run(let run) = kind { run } else { nil } }
    var shared: Node? { if case .joined(let shared) = kind { shared } else { nil } }
    /// Only a share of work that is elsewhere.
    var isJoined: Bool { shared != nil }

    /// Whether something goes on when the closure of the cancelled run returns.
    var isAwaited: Bool { isExclusive || waits.contains(where: \.isExclusive) }

    /// This node and all that is in it.
    var all: [Node] { [self] + parts.flatMap(\.all) }
  }
}
