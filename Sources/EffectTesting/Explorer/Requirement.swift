// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Exploration {
  /// Something that must hold in every schedule of an exploration, about the work of the feature and not only its
  /// state.
  ///
  /// ```swift
  /// await explore(
  ///   initialState: .init(), reducer: Feed(load: load),
  ///   requiring: [.nothingRunsAtTheEnd, .isRunning("feed", exactlyWhile: \.isLoading)]
  /// ) { script in ... }
  /// ```
  public struct Requirement<State> {
    enum Kind {
      case nothingRuns, nothingDropped, cancellationIsHeeded, tasksEnd
      case noDeadlock(except: [EffectID])
      case isRunning(EffectID, isExact: Bool, (State) -> Bool)
    }

    let kind: Kind

    @usableFromInline var forbidsDrops: Bool { if case .nothingDropped = kind { true } else { false } }

    @usableFromInline var observesCancelled: Bool {
      switch kind {
      case .nothingDropped, .cancellationIsHeeded: true
      case .nothingRuns, .noDeadlock, .tasksEnd, .isRunning: false
      }
    }

    @usableFromInline var concernsEnd: Bool {
      switch kind {
      case .nothingRuns, .cancellationIsHeeded, .noDeadlock, .tasksEnd: true
      case .nothingDropped, .isRunning: false
      }
    }

    /// When nothing can happen any more, no run is active. Runs that were cancelled and have not returned do not count.
    public static var nothingRunsAtTheEnd: Requirement { Requirement(kind: .nothingRuns) }

    /// No run sends after it was cancelled, was replaced or has ended. A feature is correct without it (rule E1); with
    /// it, its runs also stop in time. An exploration that starts no run fails, because nothing was tested.
    public static var nothingDropped: Requirement { Requirement(kind: .nothingDropped) }

    /// When nothing can happen any more, each closure that was cancelled has returned. An exploration that cancels no run fails,
    /// because nothing was tested.
    public static var cancellationIsHeeded: Requirement { Requirement(kind: .cancellationIsHeeded) }

    /// No run waits for something that can never come.
    ///
    /// - Parameter ids: of runs that may wait for the test, for example for a stream that the script has not ended. Without their
    ///   ids such runs make an exploration incomplete, because they may wait for work outside of its control.
    /// - Returns: the requirement.
    /// - Errors: it is a failure if an id is given and no schedule starts a run of it; without ids, if no run is
    ///   started at all.
    public static func noDeadlock<each ID: Hashable & Sendable>(except ids: repeat each ID) -> Requirement {
      var all: [EffectID] = []
      repeat all.append(EffectID(each ids))
      return Requirement(kind: .noDeadlock(except: all))
    }

    /// A run of the id is active while the condition holds. Checked after each reduction, and after each end or cancel of a run.
    ///
    /// A loading flag that stays set is found at once. If the condition holds after no reduction of any schedule, the exploration
    /// fails, because nothing was tested.
    ///
    /// - Parameters:
    ///   - id: the id of which a run must be active.
    ///   - condition: whether a state requires the run. It has no side effects.
    /// - Returns: the requirement.
    public static func isRunning(
      _ id: some Hashable & Sendable, while condition: @escaping (State) -> Bool
    ) -> Requirement {
      Requirement(kind: .isRunning(EffectID(id), isExact: false, condition))
    }

    /// A run of the id is active if and only if the condition holds. Checked after each reduction, and after each end or cancel of
    /// a run.
    ///
    /// An action of the run itself may end the condition: the run then goes on to its end without it. If the condition holds after
    /// no reduction of any schedule, the exploration fails, because nothing was tested.
    ///
    /// - Parameters:
    ///   - id: the id of which a run must be active, or not.
    ///   - condition: whether a state requires the run. It has no side effects.
    /// - Returns: the requirement.
    public static func isRunning(
      _ id: some Hashable & Sendable, exactlyWhile condition: @escaping (State) -> Bool
    ) -> Requirement {
      Requirement(kind: .isRunning(EffectID(id), isExact: true, condition))
    }
  }
}

/// The properties that an explored store must satisfy.
@usableFromInline
struct ExploredProperties<State> {
  @usableFromInline let always: ((State) -> Bool)?
  @usableFromInline let eventually: ((State) -> Bool)?
  @usableFromInline let finally: ((State) -> Bool)?
  @usableFromInline let sometimes: KeyValuePairs<String, (State) -> Bool>
  @usableFromInline let requirements: [Exploration.Requirement<State>]
  /// Whether anything but `always` and `eventually` is checked after each reduction.
  @usableFromInline let hasRequirements: Bool
  @usableFromInline let forbidsDrops: Bool
  @usableFromInline let checksEnd: Bool
  /// Whether what a cancelled closure does is checked.
  @usableFromInline var observesCancelled: Bool { requirements.contains { $0.observesCancelled } }

  @inlinable
  init(
    always: ((State) -> Bool)?, eventually: ((State) -> Bool)?, finally: ((State) -> Bool)?,
    sometimes: KeyValuePairs<String, (State) -> Bool> = [:], requirements: [Exploration.Requirement<State>]
  ) {
    self.always = always
    self.eventually = eventually
    self.finally = finally
    self.sometimes = sometimes
    self.requirements = requirements
    hasRequirements = !requirements.isEmpty || !sometimes.isEmpty
    // Closures, because this is called for each schedule: a key path of a generic type is looked up by its name each time.
    // Without requirements nothing is called: that would take a fiftieth of a schedule's time.
    checksEnd = finally != nil || !requirements.isEmpty && requirements.contains { $0.concernsEnd }
    forbidsDrops = !requirements.isEmpty && requirements.contains { $0.forbidsDrops }
  }
}
