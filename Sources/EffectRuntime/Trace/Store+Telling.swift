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

  private func listen(with listeners: [TraceListener<R.Action>]) {
    let isTimed = listeners.contains(where: \.isTimed)
    if isTimed != core.value.outlet.isTimed { core.value.outlet.now = isTimed ? mailbox.now : .zero }
    core.value.outlet.isTimed = isTimed
    core.value.outlet.listeners = listeners
    guard listeners.isEmpty == core.value.outlet.isOn else { return }
    core.value.outlet.isOn = !listeners.isEmpty
    core.value.engine.trace(!listeners.isEmpty)
    core.value.engine.scheduler.statuses.isObserved = !listeners.isEmpty || observers.statuses.isActive
    // These changes will not be shown to any observer.
    if !core.value.engine.scheduler.statuses.isObserved { _ = core.value.engine.scheduler.statuses.takeChanges() }
  }

  // MARK: - Reporting

  /// Gives each event of the engine its time, and notifies the listeners of it.
  // Not a part of `perform`, which is compiled wherever a store is made.
  @inlinable @inline(never)
  func tellNotes() {
    var events: [TraceEvent<R.Action>] = []
    swap(&events, &core.value.outputs.notes)
    for index in events.indices { tell(&events[index]) }
    empty(&events)
    swap(&events, &core.value.outputs.notes)
  }

  /// Notifies the listeners of an event.
  @inlinable
  func tell(_ event: inout TraceEvent<R.Action>) {
    event.moment = core.value.outlet.now
    if case .accepted = event.kind, core.value.outlet.isTimed,
      let posted = core.value.outlet.stamps.time(of: core.value.position - 1)
    {
      event.moment = posted
    }
    // One that is added meanwhile does not get this event.
    for listener in core.value.outlet.listeners where !listener.hasLeft { listener.tell(event) }
  }

  /// Reports a changed status of an id. Of several changes since the last slice only the last status is reported. The
  /// event has no cause, because the events that changed the status have been reported before.
  func tellStatus(_ id: EffectID, _ status: EffectStatus) {
    guard core.value.outlet.isOn else { return }
    var event = TraceEvent<R.Action>(
      number: core.value.engine.nextEventNumber(), cause: nil, kind: .status(id, status))
    tell(&event)
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
    if receipt.number == 0, mailbox.isTraced { mailbox.post(.order(.refused(action, site))) }
    return receipt.number
  }

  @inlinable
  func afterInline(_ receipt: Mailbox<R.Action>.Receipt, _ action: R.Action, _ site: CallSite) -> UInt64 {
    if receipt.mustSchedule { scheduleDrain() }
    if receipt.number == 0, mailbox.isTraced { mailbox.post(.order(.refused(action, site))) }
    if !activity.value.isDraining, receipt.number > 0 { drainInline(through: receipt.number, isSent: true) }
    return receipt.number
  }
}
