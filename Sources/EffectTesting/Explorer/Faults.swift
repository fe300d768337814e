// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

extension Exploration {
  /// What goes wrong in some schedules, on purpose.
  ///
  /// ```swift
  /// await explore(
  ///   initialState: .init(), reducer: Feed(load: load), faults: .anyOne(of: .fail("feed"), .hang("feed"))
  /// ) { run in ... } finally: { !$0.isLoading }
  /// ```
  public struct Faults: Sendable {
    let all: [Fault]

    /// Nothing.
    public static let none = Faults(all: [])

    /// At most one of these in a schedule: which, and to which run of the id, is a choice like any other.
    public static func anyOne(of faults: Fault...) -> Faults { Faults(all: faults) }
  }

  /// One thing that goes wrong with a run, as the world outside does it and not the feature.
  public struct Fault: Sendable {
    enum Kind: Sendable {
      case fail(any Error & Sendable)
      case hang
      case delay(Duration)
      case duplicate
    }

    let id: EffectID
    let kind: Kind

    /// Its closure throws at once; what catches errors or tries again does.
    public static func fail(_ id: EffectID, with error: any Error & Sendable = InjectedFailure()) -> Fault {
      Fault(id: id, kind: .fail(error))
    }

    /// Its closure waits until it is cancelled, and does nothing else.
    public static func hang(_ id: EffectID) -> Fault { Fault(id: id, kind: .hang) }

    /// Its closure begins so much virtual time later.
    public static func delay(_ id: EffectID, by duration: Duration) -> Fault { Fault(id: id, kind: .delay(duration)) }

    /// The first action it sends comes twice, one behind the other.
    public static func duplicate(_ id: EffectID) -> Fault { Fault(id: id, kind: .duplicate) }
  }

  /// What a run throws that is made to fail.
  public struct InjectedFailure: Error, Equatable, Sendable {
    /// Makes one.
    public init() {}
  }
}

// MARK: - The two seams: where a body is executed, and where a message is taken

extension ExploredStore {
  /// A run is about to start: perhaps something goes wrong with it.
  func chooseFault(for operation: Effect<Action>.Operation) -> Exploration.Fault? {
    guard !world.hasFailed, let id = operation.id else { return nil }
    let faults = world.settings.faults.filter { $0.id == id }
    let choice = world.choose(faults.count + 1)
    guard choice > 0 else { return nil }
    world.hasFailed = true
    return faults[choice - 1]
  }

  /// Executes a body with a fault; without one, as it is.
  @usableFromInline
  func spawnFaulty(_ body: RunBody<Action>, _ operation: Effect<Action>.Operation, _ token: Token) -> Task<Void, Never>
  {
    guard let fault = chooseFault(for: operation) else { return spawn(body, thrown: nil) }
    switch fault.kind {
    case .duplicate:
      duplicated = token
      return spawn(body, thrown: nil)
    case .fail(let error):
      return Task(executorPreference: executor) { [mailbox] in mailbox.post(.ended(token, error)) }
    case .hang:
      return Task(executorPreference: executor) { [mailbox] in
        let waiter = Waiter()
        await withTaskCancellationHandler {
          _ = await waiter.wait()
        } onCancel: {
          waiter.answer(false)
        }
        mailbox.post(.ended(token, nil))
      }
    case .delay(let duration):
      return Task(executorPreference: executor) { [clock] in
        try? await clock.sleep(for: duration)
        await body()
      }
    }
  }

  /// The message at hand is taken once more if it is to come twice.
  @usableFromInline
  func duplicate(_ action: Action, sentBy token: Token) {
    guard token == duplicated else { return }
    duplicated = .none
    batch.insert(.sent(action, by: token), at: position)
  }
}
