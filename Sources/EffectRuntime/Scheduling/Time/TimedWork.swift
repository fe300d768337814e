// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What waits for which moment: alarms of slots, and windows of ids. Empty where no run has a time modifier.
///
/// It has only the numbers of slots and places. Its caller decides what follows when a moment has come.
@usableFromInline
struct TimedWork: Sendable {
  /// The time of the store's clock, read only for time modifiers.
  private let clock: @Sendable () -> Duration
  private let nextNumber: (@Sendable () -> UInt64)?
  private var lastNumber: UInt64 = 0
  private var alarms = Alarms<Purpose>()
  /// Windows that nothing waits for, by their ends. At its end such a window is only forgotten.
  private var closings = Alarms<Int32>()
  /// The alarm of a slot; it has at most one at a time.
  private var alarmOf: [Int32: UInt64] = [:]
  /// The windows that are open, by the place of their id.
  private var windows: [Int32: Window] = [:]
  /// Whether an alarm is set. Stored, because a store reads it after every action.
  @usableFromInline private(set) var hasAlarms = false
  /// Whether an alarm is set or a window is open; likewise.
  @usableFromInline private(set) var hasMoments = false

  /// What an alarm is for.
  enum Purpose: Sendable {
    /// A run that waits starts, or goes on to its next stage.
    case start(Token)
    /// The throttle window of a place ends, and a run waits for that.
    case windowEnd(Int32)
    /// An attempt has taken too long.
    case limit(Token)
    /// All attempts together have taken too long.
    case wholeLimit(Token)
    /// The next attempt begins.
    case attempt(Token)
  }

  /// The debounce and the throttle of one id.
  private struct Window: Sendable {
    let id: EffectID
    var debounce: Debounce?
    /// The run that waits for the burst to end, or -1.
    var debounced: Int32 = -1
    var throttle: Throttle?
    /// The run that waits for the window to end, or -1.
    var throttled: Int32 = -1
    /// The alarm or closing of the throttle.
    var number: UInt64 = 0
  }

  /// Makes one without any work.
  ///
  /// - Parameters:
  ///   - clock: the time since the store was made.
  ///   - number: numbers the moments; `nil` counts from 1.
  init(clock: @escaping @Sendable () -> Duration, number: (@Sendable () -> UInt64)?) {
    self.clock = clock
    nextNumber = number
  }

  /// The time of the store's clock, since the store was made.
  func now() -> Duration { clock() }

  /// Whether nothing is kept.
  var isEmpty: Bool { count == 0 }

  /// How much is kept.
  var count: Int { alarms.count + closings.count + alarmOf.count + windows.count }

  /// Releases the memory of what was kept. Call it only if nothing is kept.
  mutating func shrink() {
    alarms = Alarms()
    closings = Alarms()
    alarmOf = [:]
    windows = [:]
  }

  private mutating func makeNumber() -> UInt64 {
    if let nextNumber { return nextNumber() }
    lastNumber += 1
    return lastNumber
  }

  private mutating func momentsChanged() {
    hasAlarms = !alarms.isEmpty
    hasMoments = hasAlarms || !closings.isEmpty
  }
}

// MARK: - Alarms

extension TimedWork {
  /// The alarm that comes next; `nil` if there is none, or if it never comes.
  var nextAlarm: Alarm? { alarms.first.flatMap { $0.deadline < .never ? $0 : nil } }

  /// What the next alarm is for.
  var nextPurpose: Purpose? { alarms.firstPurpose }

  /// Sets the alarm of a slot for a moment after now.
  mutating func setAlarm(after wait: Duration, of index: Int32, for purpose: Purpose) {
    setAlarm(at: clock().end(ofWaiting: wait), of: index, for: purpose)
  }

  /// Sets the alarm of a slot.
  mutating func setAlarm(at deadline: Duration, of index: Int32, for purpose: Purpose) {
    let number = makeNumber()
    alarms.set(Alarm(deadline: deadline, number: number), for: purpose)
    alarmOf[index] = number
    momentsChanged()
  }

  /// Cancels the alarm of a slot, if it has one.
  mutating func clearAlarm(of index: Int32) {
    guard let number = alarmOf.removeValue(forKey: index) else { return }
    alarms.cancel(number)
    momentsChanged()
  }

  /// Removes the next alarm if it is due.
  mutating func takeAlarm(dueBy now: Duration) -> Purpose? {
    guard let purpose = alarms.takeFirst(dueBy: now) else { return nil }
    momentsChanged()
    switch purpose {
    case .start(let token), .limit(let token), .wholeLimit(let token), .attempt(let token): alarmOf[token.slot] = nil
    case .windowEnd: break
    }
    return purpose
  }

  /// What waits for its time, and until when: for a window or delay, for the next attempt, or for the end of all attempts; in
  /// no order.
  ///
  /// - Parameter token: the token of a slot.
  func postponed(_ token: (Int32) -> Token) -> [(token: Token, until: Duration)] {
    alarms.all.compactMap { alarm, purpose in
      switch purpose {
      case .start(let token), .attempt(let token), .wholeLimit(let token): (token, alarm.deadline)
      case .windowEnd(let place): windows[place].map { (token($0.throttled), alarm.deadline) }
      case .limit: nil
      }
    }
  }
}

// MARK: - Windows

extension TimedWork {
  /// Whether any window is open that nothing waits for.
  var hasUnawaitedWindows: Bool { !closings.isEmpty }

  /// Whether any window is open.
  var hasWindows: Bool { !windows.isEmpty }

  /// The places of the open windows, in order.
  var placesOfWindows: [Int32] { windows.keys.sorted() }

  /// The id of an open window.
  func windowID(at place: Int32) -> EffectID? { windows[place]?.id }

  /// All alarms, in the order in which they come.
  var sortedAlarms: [(deadline: Duration, purpose: Purpose)] {
    alarms.all.sorted { $0.alarm < $1.alarm }.map { ($0.alarm.deadline, $0.purpose) }
  }

  /// Adds the window of an id to a hash.
  ///
  /// - Returns: the runs that wait for its ends, or -1.
  func addFingerprint(
    ofWindowAt place: Int32, to hasher: inout Hasher, _ relative: (Duration) -> Duration
  ) -> (debounced: Int32, throttled: Int32) {
    guard let window = windows[place] else { return (-1, -1) }
    hasher.combine(window.debounce.map { [relative($0.began), relative($0.deadline)] })
    hasher.combine(window.throttle.map { [relative($0.end), $0.length] })
    return (window.debounced, window.throttled)
  }

  /// The throttle of an id whose window is open.
  func throttle(at place: Int32) -> Throttle? { windows[place]?.throttle }

  /// The run that waits for a burst of an id to end.
  func debounced(at place: Int32) -> Int32? { windows[place].flatMap { $0.debounced >= 0 ? $0.debounced : nil } }

  /// The run that waits for the throttle window of an id to end.
  func throttled(at place: Int32) -> Int32? { windows[place].flatMap { $0.throttled >= 0 ? $0.throttled : nil } }

  /// The run that waits for a burst whose deadline has passed, though its alarm has not been taken.
  func dueDebounce(at place: Int32, _ now: Duration) -> Int32? {
    guard let window = windows[place], let debounce = window.debounce, debounce.deadline <= now else { return nil }
    return window.debounced
  }

  /// The burst of an id with one more run; a new burst if there is none.
  func debounce(at place: Int32, _ now: Duration, for duration: Duration, maxWait: Duration?) -> Debounce {
    var debounce = windows[place]?.debounce ?? Debounce(at: now, for: duration, maxWait: maxWait)
    debounce.arrived(at: now, for: duration, maxWait: maxWait)
    return debounce
  }

  /// A run waits for a burst to end; its alarm is set.
  mutating func wait(_ token: Token, for debounce: Debounce, at place: Int32, _ id: EffectID) {
    setAlarm(at: debounce.deadline, of: token.slot, for: .start(token))
    windows[place, default: Window(id: id)].debounce = debounce
    windows[place]?.debounced = token.slot
  }

  /// Opens the throttle window of an id. Nothing waits for its end yet.
  mutating func open(_ throttle: Throttle, at place: Int32, _ id: EffectID) {
    let number = makeNumber()
    closings.set(Alarm(deadline: throttle.end, number: number), for: place)
    windows[place, default: Window(id: id)].throttle = throttle
    windows[place]?.number = number
    momentsChanged()
  }

  /// A run waits for the throttle window of an id to end: the end becomes an alarm, with the number of the window.
  mutating func wait(_ index: Int32, for throttle: Throttle, at place: Int32) {
    windows[place]?.throttle = throttle
    windows[place]?.throttled = index
    guard let number = windows[place]?.number, closings.cancel(number) != nil else { return }
    alarms.set(Alarm(deadline: throttle.end, number: number), for: .windowEnd(place))
    momentsChanged()
  }

  /// A throttle window that a run waits for ends: the next window opens.
  ///
  /// - Returns: the run that has waited; `nil` if there is none.
  mutating func endThrottle(at place: Int32, _ now: Duration) -> Int32? {
    guard let window = windows[place], var throttle = window.throttle, window.throttled >= 0 else { return nil }
    throttle.ended(at: now)
    windows[place]?.throttled = -1
    open(throttle, at: place, window.id)
    return window.throttled
  }

  /// As ``endThrottle(at:_:)``, for a window whose end has passed though its alarm has not been taken.
  mutating func endDueThrottle(at place: Int32, _ now: Duration) -> Int32? {
    guard let window = windows[place], let throttle = window.throttle, throttle.end <= now, window.throttled >= 0
    else { return nil }
    alarms.cancel(window.number)
    momentsChanged()
    return endThrottle(at: place, now)
  }

  /// Removes the first throttle window that nothing waits for and whose end has come.
  ///
  /// - Returns: its place, and whether the id has no window any more; `nil` if there is none.
  mutating func takeClosedWindow(dueBy now: Duration) -> (place: Int32, isEmpty: Bool)? {
    guard let place = closings.takeFirst(dueBy: now) else { return nil }
    windows[place]?.throttle = nil
    momentsChanged()
    return (place, removeIfEmpty(place))
  }

  /// How a run has left its window; see ``leaveWindow(_:at:)``.
  enum Departure {
    /// It waited for no window.
    case none
    /// It did, and the window stays open.
    case open
    /// It did, and the id has no window any more.
    case last
  }

  /// A run that waits leaves its window, if it waits for one: it passes the window, is dropped or is cancelled.
  mutating func leaveWindow(_ index: Int32, at place: Int32) -> Departure {
    guard let window = windows[place] else { return .none }
    if window.debounced == index {
      windows[place]?.debounced = -1
      windows[place]?.debounce = nil
    } else if window.throttled == index, var throttle = window.throttle {
      throttle.waiterLeft()
      windows[place]?.throttled = -1
      windows[place]?.throttle = throttle
      // Nothing waits for the end of the window any more.
      if alarms.cancel(window.number) != nil {
        closings.set(Alarm(deadline: throttle.end, number: window.number), for: place)
        momentsChanged()
      }
    } else {
      return .none
    }
    return removeIfEmpty(place) ? .last : .open
  }

  /// Closes the window of an id.
  ///
  /// - Returns: whether there was one.
  mutating func closeWindow(at place: Int32) -> Bool {
    guard let window = windows.removeValue(forKey: place) else { return false }
    if window.throttle != nil {
      closings.cancel(window.number)
      alarms.cancel(window.number)
      momentsChanged()
    }
    return true
  }

  private mutating func removeIfEmpty(_ place: Int32) -> Bool {
    guard let window = windows[place], window.debounce == nil, window.throttle == nil else { return false }
    windows[place] = nil
    return true
  }
}
