// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

// MARK: - Queries

extension Scheduler {
  /// The present status of an id.
  package func status(of id: EffectID) -> EffectStatus {
    names.find(id).map(status) ?? EffectStatus()
  }

  private func status(at place: Int32) -> EffectStatus {
    let counts = names.counts(at: place)
    let newest = newestWork(at: place)
    var input: (any Hashable & Sendable)?
    if let newest, case .run(let operation) = workTree[newest] { input = operation.input }
    return EffectStatus(
      running: counts.running, queued: counts.queued + counts.waiting, cancelling: counts.cancelling,
      attempt: counts.running > 0 ? newest.map(attempt) : nil, input: input)
  }

  /// The newest active work, or else the newest that waits.
  private func newestWork(at place: Int32) -> Int32? {
    names.last(.active, at: place) ?? names.last(.queued, at: place) ?? names.last(.waiting, at: place)
  }

  /// Whether work of an id is active.
  package func isRunning(_ id: EffectID) -> Bool {
    names.find(id).map { names.counts(at: $0).running > 0 } ?? false
  }

  /// Whether a cancel of the same selection would reach active work.
  package func isRunning(_ selection: Cancellation) -> Bool {
    switch selection {
    case .id(let id): return isRunning(id)
    case .ids(let ids): return ids.contains(where: isRunning)
    case .scope, .everything:
      guard let scope = scope(of: selection) else { return false }
      return holdsActiveRun(scope)
        || names.firstPlace(inside: scope) { names.counts(at: $0).running > 0 || holdsActiveRun($0) } != nil
    case .matching(let predicate, _):
      guard let scope = scope(of: selection) else { return false }
      func isMeant(_ place: Int32) -> Bool {
        guard names.counts(at: place).running > 0, let first = names.first(.active, at: place) else { return false }
        return id(of: first).map(predicate.callAsFunction) ?? false
      }
      return names.firstPlace(inside: scope, where: isMeant) != nil
    }
  }

  /// All work that a cancel of the same selection would reach, and cancelled work in it that has not returned.
  package func effects(_ selection: Cancellation) -> LiveEffects {
    var found: [EffectID: LiveEffects.Entry] = [:]
    var (unnamed, unnamedQueued) = (0, 0)
    func add(_ id: EffectID, _ place: Int32) {
      guard let newest = newestMember(at: place), let site = site(of: newest) else { return }
      found[id] = LiveEffects.Entry(status: status(at: place), site: site)
    }
    switch selection {
    case .id(let id): if let place = names.find(id) { add(id, place) }
    case .ids(let ids): for id in ids { if let place = names.find(id) { add(id, place) } }
    case .scope, .everything, .matching:
      guard let scope = scope(of: selection) else { break }
      var predicate: IDPredicate?
      if case .matching(let given, _) = selection { predicate = given }
      for place in [scope] + names.places(inside: scope) {
        if predicate == nil { count(place, active: &unnamed, waiting: &unnamedQueued) }
        guard place != scope, let newest = newestMember(at: place), let id = id(of: newest) else { continue }
        if predicate?(id) ?? true { add(id, place) }
      }
    }
    var effects = LiveEffects(byID: found, unnamed: unnamed, unnamedQueued: unnamedQueued)
    if case .everything = selection, waits.hasRuns { effects.waits = waitingRuns }
    return effects
  }

  private func scope(of selection: Cancellation) -> Int32? {
    switch selection {
    case .everything, .matching(_, scope: nil): NameDirectory.root
    case .scope(let scope), .matching(_, let scope?): names.find(scope)
    case .id, .ids: nil
    }
  }

  /// Counts the runs of a scope that have no id. Sequences are in the same list; the runs in them are too.
  private func count(_ scope: Int32, active: inout Int, waiting: inout Int) {
    for index in names.work(.unnamed, at: scope) {
      guard case .run = workTree[index] else { continue }
      if workTree.phase(of: index) == .waiting { waiting += 1 } else { active += 1 }
    }
  }

  /// Whether a scope has a run without an id that does not wait for its time.
  private func holdsActiveRun(_ scope: Int32) -> Bool {
    let found = names.last(.unnamed, at: scope) { index in
      if case .run = workTree[index] { workTree.phase(of: index) != .waiting } else { false }
    }
    return found != nil
  }

  /// The newest active work, or else the newest that waits, or else the newest that has not returned.
  private func newestMember(at place: Int32) -> Int32? {
    newestWork(at: place) ?? names.last(.cancelling, at: place)
  }

  private func site(of index: Int32) -> CallSite? {
    switch workTree[index] {
    case .run(let operation): operation.site
    case .tree(_, let label): label.site
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }
}

// MARK: - Changes

extension Scheduler {
  /// The status of the work's id is about to change. Costs one comparison without an observer.
  mutating func statusWillChange(_ index: Int32) {
    if statuses.isObserved { statusWillChange(of: workTree[index]) }
  }

  /// The same for work that arrives.
  mutating func statusWillChange(of work: Slots.Work) {
    guard statuses.isObserved, let id = id(of: work) else { return }
    statuses.willChange(id, from: status(of: id))
  }

  /// The id of work that has one.
  func id(of work: Slots.Work) -> EffectID? {
    switch work {
    case .run(let operation): operation.id
    case .tree(_, let label): label.id
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }
}
