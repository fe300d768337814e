// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// Only where a schedule is drawn or compared.
extension ExploredStore {
  @usableFromInline
  func tellAccepted(_ action: Action, _ token: Token) {
    let source = source(token)
    interpreter.traceCause = nil
    if case .run(let run?) = source { interpreter.traceCause = run.birth }
    tell(.accepted(action, source))
    accepted = source
  }

  /// The number of the reduction comes before those of what the effect brings about.
  @usableFromInline
  func tellReducing() {
    reducing = (interpreter.nextEventNumber(), interpreter.traceCause)
    interpreter.traceCause = reducing.number
  }

  @usableFromInline
  func tellReduced(_ action: Action, isFirst: Bool) {
    log.add(
      .reduced(action, isFirst ? accepted : .followUp), reducing.number, after: reducing.cause, at: clock.offset)
  }

  func tell(_ kind: TraceEvent<any Sendable>.Kind) {
    let cause = interpreter.traceCause
    let number = interpreter.nextEventNumber()
    interpreter.traceCause = number
    log.add(kind, number, after: cause, at: clock.offset)
  }

  @usableFromInline
  func tellNotes() {
    guard interpreter.hasNotes else { return }
    log.add(interpreter.takeNotes(), at: clock.offset)
    guard interpreter.hasDroppedFollowUps else { return }
    for action in interpreter.takeDroppedFollowUps() { tell(.dropped(action, .followUp)) }
  }

  private func source(_ token: Token) -> TraceSource {
    if token == .none { return .user(dispatch: taken, script.site(of: taken)) }
    return .run(interpreter.tracedSender(token))
  }
}
