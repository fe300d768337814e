// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Store {
  /// The events of the store, for listeners; see ``Trace``.
  public nonisolated var trace: Trace<R.Action> { Trace(hub: hub) }

  /// Takes over the listeners of the hub, after one was added or removed. Listeners that were removed are released.
  @usableFromInline
  func refreshListeners() {
    let former = core.value.outlet.listeners
    core.value.outlet.version = hub.version
    listen(with: hub.listeners)
    // Released last: the release of what a listener holds may run user code.
    withExtendedLifetime(former) {}
  }

  /// Adds the new listeners of the hub at once. It may be called while listeners are notified, because it releases none:
  /// the next ``refreshListeners()`` does that.
  func admitListeners() {
    let present = core.value.outlet.listeners
    listen(with: present + hub.listeners.filter { new in !present.contains { $0 === new } })
  }

  private func listen(with listeners: [TraceListener<R.Action>]) {
    let isTimed = listeners.contains(where: \.isTimed)
    if isTimed != core.value.outlet.isTimed { core.value.outlet.now = isTimed ? mailbox.now : .zero }
    core.value.outlet.isTimed = isTimed
    core.value.outlet.set(listeners)
    guard listeners.isEmpty == core.value.outlet.isOn else { return }
    core.value.outlet.isOn = !listeners.isEmpty
    core.value.engine.trace(!listeners.isEmpty)
    core.value.engine.scheduler.statuses.isObserved = !listeners.isEmpty || observers.statuses.isActive
    // These changes will not be shown to any observer.
    if !core.value.engine.scheduler.statuses.isObserved { _ = core.value.engine.scheduler.statuses.takeChanges() }
  }

  // MARK: - Reporting

  /// Makes a `TraceEvent` of each note of the engine, and notifies the listeners of it.
  // Not a part of `perform`, which is compiled wherever a store is made.
  @inlinable @inline(never)
  func makeEventsOfNotes() {
    var notes: [EngineNote<R.Action>] = []
    swap(&notes, &core.value.outputs.notes)
    if notes.count == 1 {
      // Nearly always so. It is moved out, because to copy it would take longer than to report it.
      makeEvent(of: notes.removeLast())
    } else {
      for note in notes { makeEvent(of: note) }
      notes.removeAll(keepingCapacity: notes.count <= 1_024)
    }
    swap(&notes, &core.value.outputs.notes)
  }

  /// Makes the event of one note, and notifies the listeners of it.
  @inlinable @inline(__always)
  func makeEvent(of note: EngineNote<R.Action>) {
    guard let action = note.action, note.shape != .refused else { return makeOtherEvent(of: note) }
    var time = core.value.outlet.now
    var shape = TraceFacts.Shape.dropped
    if note.shape == .reduced {
      shape = .reduced
    } else if note.shape == .accepted {
      shape = .accepted
      if core.value.outlet.isTimed, let posted = core.value.outlet.stamps.time(of: core.value.position - 1) {
        time = posted
      }
    }
    tell(TraceFacts(shape, note.number, after: note.cause, at: time), action, note.origin)
  }

  @usableFromInline
  func makeOtherEvent(of note: EngineNote<R.Action>) {
    tell(note.kind { $0 }, note.number, after: note.cause, at: core.value.outlet.now)
  }

  func tell(_ kind: TraceEvent<R.Action>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    let content = TraceContent.make(kind, number, after: cause, at: time)
    // The content that a log has removed is released here and not kept as `spare`, because no later step is certain to
    // release that.
    // SAFETY: the last line keeps the content until all listeners have been notified.
    _ = unsafe tell(of: Unmanaged.passUnretained(content))
    withExtendedLifetime(content) {}
  }

  /// Reports the result of an action to the listeners.
  @inlinable @inline(__always)
  func tell(_ facts: TraceFacts, _ action: R.Action, _ origin: borrowing TraceOrigin) {
    // SAFETY: `outlet.listeners` keeps the log. `outlet.page` keeps the page, and changes only before the next event.
    if core.value.outlet.isLog, let log = unsafe core.value.outlet.first,
      unsafe TraceListener.replaceOldest(log, facts, action, origin)
    {
      return
    }
    if let page = unsafe core.value.outlet.blankPage() {
      unsafe TraceOfAction.set(page, facts, action, origin)
      core.value.outlet.spare = unsafe tell(of: TraceOfAction.asContent(page))
    } else {
      // SAFETY: as above; `turn(to:)` keeps the new page.
      let page = TraceOfAction(facts, action, copy origin)
      core.value.outlet.turn(to: page)
      core.value.outlet.spare = unsafe tell(of: Unmanaged.passUnretained(page))
    }
  }

  /// Reports content to all listeners.
  ///
  /// - Returns: the content of the event that the first listener has removed for this one; `nil` if there is none.
  @inlinable @inline(__always)
  func tell(of content: Unmanaged<TraceContent<R.Action>>) -> TraceContent<R.Action>? {
    // SAFETY: the array keeps the listeners, and the caller the content. While listeners are notified, the array is
    // replaced only by one that keeps all of them (see `admitListeners`).
    // Retaining a listener for each event would cost a third of the time of a report.
    guard let first = unsafe core.value.outlet.first else { return nil }
    // The count is read before the notification, because a listener that is added during it does not get this event.
    let count = core.value.outlet.isShared ? core.value.outlet.listeners.count : 1
    let spare = unsafe TraceListener.tell(first, of: content)
    guard count > 1 else { return spare }
    // By index: an iterator would retain the array.
    // SAFETY: as above. The array never gets shorter meanwhile: new listeners are added behind these.
    for index in 1..<count {
      _ = unsafe TraceListener.tell(Unmanaged.passUnretained(core.value.outlet.listeners[index]), of: content)
    }
    return spare
  }

  /// Reports a changed status of an id. Of several changes since the last slice only the last status is reported. The
  /// event has no cause, because the events that changed the status have been reported before.
  func tellStatus(_ id: EffectID, _ status: EffectStatus) {
    guard core.value.outlet.isOn else { return }
    let number = core.value.engine.nextEventNumber()
    tell(.status(id, status), number, after: nil, at: core.value.outlet.now)
  }

  // MARK: - Sending

  /// As ``accept(_:from:)``, with the line of the sender for listeners, which also learn of a refused action, and with what
  /// the store carries from the sender.
  @inlinable @inline(never)
  nonisolated func acceptNoted(_ action: R.Action, from caller: (any Actor)?, at site: CallSite) -> UInt64 {
    if let caller, caller === isolation || caller === self {
      return assumeIsolated { store in
        let receipt = store.mailbox.post(action, inline: !store.activity.value.isDraining, from: site)
        return store.afterInline(receipt, action, site)
      }
    }
    let receipt = mailbox.post(action, inline: false, from: site)
    if receipt.mustSchedule { scheduleDrain() }
    if receipt.number == 0, mailbox.isTraced { mailbox.post(.refused(action, site)) }
    return receipt.number
  }

  @inlinable
  func afterInline(_ receipt: Mailbox<R.Action>.Receipt, _ action: R.Action, _ site: CallSite) -> UInt64 {
    if receipt.mustSchedule { scheduleDrain() }
    if receipt.number == 0, mailbox.isTraced { mailbox.post(.refused(action, site)) }
    if !activity.value.isDraining, receipt.number > 0 { drainInline(through: receipt.number, isSent: true) }
    return receipt.number
  }
}
