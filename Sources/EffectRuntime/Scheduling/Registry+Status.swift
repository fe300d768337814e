// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - Asking

extension Registry {
  /// The status of an id as it stands.
  func status(of id: EffectID) -> EffectStatus {
    var status = directory.find(id).map(status) ?? EffectStatus()
    guard !book.outcomes.isEmpty, let index = book.outcomes.find(id) else { return status }
    status.lastOutcome = book.outcomes.outcome(of: index).map { .ended($0) } ?? .noneYet
    return status
  }

  private func status(at place: Int32) -> EffectStatus {
    let counts = directory[place].counts
    let newest = newestWork(at: place)
    var input: (any Hashable & Sendable)?
    if newest >= 0, case .run(let operation) = slots[newest].work { input = operation.input }
    return EffectStatus(
      running: counts.running, queued: counts.queued + counts.waiting, cancelling: counts.cancelling,
      attempt: counts.running > 0 ? attempt(of: newest) : nil, input: input)
  }

  /// The newest that runs, or else waits.
  private func newestWork(at place: Int32) -> Int32 {
    if !directory[place].live.isEmpty { return directory[place].live.last }
    return directory[place].queue.isEmpty ? directory[place].waiting.last : directory[place].queue.last
  }

  func isRunning(_ id: EffectID) -> Bool {
    directory.find(id).map { directory[$0].counts.running > 0 } ?? false
  }

  /// Whether a cancel of the same work would reach something that runs.
  func isRunning(_ selection: Cancellation) -> Bool {
    switch selection {
    case .id(let id): return isRunning(id)
    case .ids(let ids): return ids.contains(where: isRunning)
    case .queued: return false
    case .scope, .everything:
      guard let scope = scope(of: selection) else { return false }
      return holdsActiveRun(directory[scope].anonymous)
        || !eachPlace(inside: scope) { $0.counts.running == 0 && !holdsActiveRun($0.anonymous) }
    case .matching(let predicate, _):
      guard let scope = scope(of: selection) else { return false }
      return !eachPlace(inside: scope) { place in
        guard place.counts.running > 0, let id = id(of: place.live.first) else { return true }
        return !predicate(id)
      }
    }
  }

  /// All work that a cancel of the same would reach, and what was cancelled there and has not returned.
  func effects(_ selection: Cancellation) -> LiveEffects {
    var found: [EffectID: LiveEffects.Entry] = [:]
    var (unnamed, unnamedQueued) = (0, 0)
    func add(_ id: EffectID, _ place: Int32) {
      guard let newest = newestMember(at: place), let site = site(of: newest) else { return }
      found[id] = LiveEffects.Entry(status: status(at: place), site: site)
    }
    switch selection {
    case .id(let id): if let place = directory.find(id) { add(id, place) }
    case .ids(let ids): for id in ids { if let place = directory.find(id) { add(id, place) } }
    case .queued(let id):
      guard let place = directory.find(id) else { break }
      let counts = directory[place].counts
      if counts.queued + counts.waiting > 0 || !waitingMembers(at: place).isEmpty { add(id, place) }
    case .scope, .everything, .matching:
      guard let scope = scope(of: selection) else { break }
      var predicate: IDPredicate?
      if case .matching(let given, _) = selection { predicate = given }
      for place in [scope] + placesInside(scope) {
        if predicate == nil { count(directory[place].anonymous, active: &unnamed, waiting: &unnamedQueued) }
        guard place != scope, let newest = newestMember(at: place), let id = id(of: newest) else { continue }
        if predicate?(id) ?? true { add(id, place) }
      }
    }
    var effects = LiveEffects(byID: found, unnamed: unnamed, unnamedQueued: unnamedQueued)
    if case .everything = selection, !runWaits.isEmpty { effects.waits = waitingRuns }
    return effects
  }

  private func scope(of selection: Cancellation) -> Int32? {
    switch selection {
    case .everything, .matching(_, scope: nil): Directory.root
    case .scope(let scope), .matching(_, let scope?): directory.find(scope)
    case .id, .ids, .queued: nil
    }
  }

  /// Whether a condition holds for all places inside a scope; stops at the first for which it does not.
  private func eachPlace(inside scope: Int32, _ holds: (Directory.Place) -> Bool) -> Bool {
    var pending = [directory[scope].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      guard holds(directory[place]) else { return false }
      pending.append(directory[place].nextBeside)
      pending.append(directory[place].firstInside)
    }
    return true
  }

  private func placesInside(_ scope: Int32) -> [Int32] {
    var found: [Int32] = []
    var pending = [directory[scope].firstInside]
    while let place = pending.popLast() {
      guard place >= 0 else { continue }
      found.append(place)
      pending.append(directory[place].nextBeside)
      pending.append(directory[place].firstInside)
    }
    return found
  }

  /// Counts the runs of a list, which may hold sequences too: what runs in those is listed by itself.
  private func count(_ list: Chain.List, active: inout Int, waiting: inout Int) {
    var index = list.first
    while index >= 0 {
      if case .run = slots[index].work {
        if slots[index].phase == .waiting { waiting += 1 } else { active += 1 }
      }
      index = peers.next(after: index)
    }
  }

  /// Whether a list of work without ids holds a run that does not wait for its time.
  private func holdsActiveRun(_ list: Chain.List) -> Bool {
    var index = list.first
    while index >= 0 {
      if case .run = slots[index].work, slots[index].phase != .waiting { return true }
      index = peers.next(after: index)
    }
    return false
  }

  /// The newest that runs, or else waits, or else has yet to return.
  private func newestMember(at place: Int32) -> Int32? {
    let newest = newestWork(at: place)
    if newest >= 0 { return newest }
    let returning = directory[place].cancelling.last
    return returning >= 0 ? returning : nil
  }

  private func site(of index: Int32) -> CallSite? {
    switch slots[index].work {
    case .run(let operation): operation.site
    case .tree(_, let label): label.site
    case .none, .sequence, .dispatch, .share, .joined: nil
    }
  }
}

// MARK: - Keeping

extension Registry {
  /// From now on the outcome of the id's work is kept, for one caller more.
  mutating func keepOutcomes(of id: EffectID) {
    let index = book.outcomes.keep(id)
    if let place = directory.find(id) { directory[place].kept = index }
  }

  /// One caller fewer. Returns what is forgotten with the last, for the shell to release when user code may run.
  mutating func releaseOutcomes(of id: EffectID) -> OutcomeLog.Entry? {
    guard let forgotten = book.outcomes.release(id) else { return nil }
    if let place = directory.find(id) { directory[place].kept = -1 }
    return forgotten
  }

  /// The status of the work's id is about to change. Costs a comparison where nobody observes.
  mutating func statusWillChange(_ index: Int32) {
    guard book.isObserved, let id = id(of: index) else { return }
    noteChange(of: id)
  }

  private mutating func noteChange(of id: EffectID) {
    let before = status(of: id)
    book.note(id) { _ in before }
  }

  /// Work of a place has come to its end.
  mutating func record(_ outcome: EffectOutcome, at place: Int32) {
    let index = directory[place].kept
    guard index >= 0 else { return }
    keep(book.outcomes.record(outcome, of: index))
  }

  /// Work of an id has come to its end without ever having had a place.
  mutating func recordRefused(_ id: EffectID?) {
    guard !book.outcomes.isEmpty || book.isObserved, let id else { return }
    if book.isObserved { noteChange(of: id) }
    if let index = book.outcomes.find(id) { keep(book.outcomes.record(.cancelled(.byDispatch), of: index)) }
  }

  private mutating func keep(_ former: EffectOutcome?) {
    // The release of an error may run user code.
    if let error = former?.error { released.append(Released(error)) }
  }

  /// Work arrives at its place: connects that with where its outcomes are kept.
  mutating func noteArrival(of work: Slots.Work, at place: Int32) {
    guard !book.outcomes.isEmpty || book.isObserved, let id = id(of: work) else { return }
    if directory[place].kept < 0, let index = book.outcomes.find(id) { directory[place].kept = index }
    if book.isObserved { noteChange(of: id) }
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
