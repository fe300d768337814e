// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The senders of a script: what each does, in its own order, and what it waits for.
///
/// A script of plain sends by one sender has none of this. The sender 0 is the script itself.
@usableFromInline
final class ScriptSenders {
  struct Sender {
    let name: String
    /// The sender begins when that many steps of another one are over.
    let start: (sender: Int, count: Int)?
    /// Its steps, by their numbers in the script.
    var steps: [Int]
    /// How many of them were taken or left out.
    var position = 0
    /// A step that lets time pass, and the moment to which it goes; set when the step before is over.
    var advance: (step: Int, target: Duration)?
    /// What its last step waits for, and how a failure names that.
    var wait: (waiter: Waiter, step: Int)?
  }

  private(set) var all: [Sender]
  private var durations: [Int: Duration] = [:]
  /// For a step that cancels an action or waits for it, the step that sends the action.
  private var needs: [Int: Int] = [:]
  /// How a failure names a step that waits.
  private var waits: [Int: String] = [:]
  private var over: Set<Int> = []
  private var calls: [(waiter: Waiter, number: UInt64, call: ScriptCall)] = []
  /// The number of each action that was accepted, by its step.
  var numbers: [Int: UInt64] = [:]
  /// The histories of requests, by their specifications.
  var histories: [ObjectIdentifier: AnyObject] = [:]
  /// Whether a step can observe when a run ends.
  private(set) var observesEnds = false
  /// The deadlines at which shutdowns cancel the rest and return, by their numbers.
  var limits: [UInt64: Waiter] = [:]

  /// - Parameter durations: for each step that is written already how much time it lets pass, if it does.
  init(after durations: [Duration?]) {
    all = [Sender(name: "script", start: nil, steps: [])]
    for (step, duration) in durations.enumerated() { add(step, to: 0, advancing: duration) }
  }

  // MARK: - Writing

  /// Adds a sender that begins where its parent is now. Returns its number; `nil` if the name is taken.
  func open(_ name: String, by parent: Int) -> Int? {
    if all.contains(where: { $0.name == name }) { return nil }
    all.append(Sender(name: name, start: (parent, all[parent].steps.count), steps: []))
    return all.count - 1
  }

  func add(_ step: Int, to sender: Int, advancing duration: Duration?) {
    all[sender].steps.append(step)
    guard let duration else { return }
    durations[step] = duration
  }

  /// The step that was written last is about an action that another one sends, or waits, as a failure names it.
  func note(_ step: Int, needing other: Int?, waiting wait: String?) {
    if let other { needs[step] = other }
    if let wait {
      waits[step] = wait
      observesEnds = true
    }
  }

  static func name(of step: Int) -> String { "action\(step + 1)" }

  // MARK: - Playing

  /// Whether the next step of a sender may be taken.
  func isReady(_ number: Int, before deadline: Duration?, now: Duration) -> Bool {
    let sender = all[number]
    guard sender.position < sender.steps.count, sender.wait == nil, hasBegun(sender) else { return false }
    let step = sender.steps[sender.position]
    if let other = needs[step], !over.contains(other) { return false }
    guard let duration = durations[step] else { return true }
    let target = sender.advance.flatMap { $0.step == step ? $0.target : nil } ?? now.adding(duration)
    all[number].advance = (step, target)
    guard let deadline else { return true }
    return deadline > target
  }

  private func hasBegun(_ sender: Sender) -> Bool {
    guard let start = sender.start else { return true }
    let parent = all[start.sender]
    guard parent.position >= start.count, hasBegun(parent) else { return false }
    // The last step before it may still wait.
    return parent.position > start.count || parent.wait == nil
  }

  /// The moment to which the step goes that a sender is taking, if it lets time pass.
  func target(of step: Int) -> Duration {
    all.lazy.compactMap(\.advance).first { $0.step == step }?.target ?? .zero
  }

  /// Goes on with a sender, and returns the number of the step.
  func takeNext(of sender: Int) -> Int {
    let step = all[sender].steps[all[sender].position]
    all[sender].position += 1
    over.insert(step)
    return step
  }

  /// Whether a sender has a next step.
  func hasNext(_ sender: Int) -> Bool { all[sender].position < all[sender].steps.count }

  /// Adds to a hash what each sender has done and waits for. Returns `false` if there is a history of requests, of which nothing is
  /// known to be the same as another one.
  func addState(to hasher: inout Hasher, now: Duration) -> Bool {
    guard histories.isEmpty else { return false }
    for sender in all {
      hasher.combine(sender.position)
      hasher.combine(sender.wait?.step)
      let next = sender.position < sender.steps.count ? sender.steps[sender.position] : nil
      hasher.combine(sender.advance.flatMap { $0.step == next ? $0.target - now : nil })
    }
    hasher.combine(Set(numbers.keys))
    hasher.combine(Set(calls.map(\.number)))
    return true
  }

  // MARK: - Waiting

  /// The sender of a step waits from now on, for a request that is to be answered or for something else.
  func wait(_ waiter: Waiter, in step: Int, for call: ScriptCall? = nil) {
    guard let sender = all.firstIndex(where: { $0.steps.contains(step) }) else { return }
    all[sender].wait = (waiter, step)
    if let call, let number = numbers[step] { calls.append((waiter, number, call)) }
  }

  /// A sender need not wait any longer.
  func settle(_ waiter: Waiter) {
    for index in all.indices where all[index].wait?.waiter === waiter { all[index].wait = nil }
  }

  /// The request that a waiter waits for, unless it gets no answer.
  func takeCall(of waiter: Waiter) -> ScriptCall? {
    guard let index = calls.firstIndex(where: { $0.waiter === waiter }) else { return nil }
    return calls.remove(at: index).call
  }

  /// A request gets no answer.
  func dropCall(where isIt: (Waiter, UInt64) -> Bool) {
    calls.removeAll { isIt($0.waiter, $0.number) }
  }

  /// The senders that wait, for a failure.
  var waiting: [String] {
    all.compactMap { sender in
      sender.wait.map {
        "\(waits[$0.step] ?? "a step") of \(sender.start == nil ? "the script" : "\"\(sender.name)\"")"
      }
    }
  }

  // MARK: - As code

  /// The steps that were taken, as code.
  func text(_ lines: [String], taking taken: [ScheduleStep]) -> [String] {
    var kept: Set<Int> = []
    var positions = Array(repeating: 0, count: all.count)
    for step in taken where step.kind == .script || step.kind == .omission {
      let sender = Int(step.index)
      if step.kind == .script { kept.insert(all[sender].steps[positions[sender]]) }
      positions[sender] += 1
    }
    return text(of: 0, lines, kept)
  }

  /// Whether the constant of a step can be used by a sender: in its own closure, or in one around it.
  private func isVisible(_ step: Int, from sender: Int) -> Bool {
    if all[sender].steps.contains(step) { return true }
    return all[sender].start.map { isVisible(step, from: $0.sender) } ?? false
  }

  private func text(of sender: Int, _ lines: [String], _ kept: Set<Int>) -> [String] {
    var text: [String] = []
    func addSenders(at count: Int) {
      for child in all.indices where all[child].start.map({ $0 == (sender, count) }) == true {
        let inner = self.text(of: child, lines, kept)
        if !inner.isEmpty {
          text += ["script.sender(\(all[child].name.debugDescription)) { script in"] + inner.map { "  \($0)" } + ["}"]
        }
      }
    }
    for (position, step) in all[sender].steps.enumerated() {
      addSenders(at: position)
      guard kept.contains(step) else { continue }
      if let other = needs[step] {
        guard kept.contains(other) else { continue }
        text.append(isVisible(other, from: sender) ? lines[step] : "// \(lines[step])")
      } else {
        let isNeeded = needs.contains { $0.value == step && kept.contains($0.key) && !lines[step].hasPrefix("//") }
        text.append(isNeeded ? "let \(Self.name(of: step)) = \(lines[step])" : lines[step])
      }
    }
    addSenders(at: all[sender].steps.count)
    return text
  }
}

extension ScriptBook {
  /// Goes on with a sender, and returns the number of the step.
  final func takeNext(of sender: Int32, now: @autoclosure () -> Duration) -> Int {
    senders?.takeNext(of: Int(sender)) ?? takeNext(now: now())
  }

  /// Leaves out the next step of a sender, which has one.
  final func omitNext(of sender: Int32, now: @autoclosure () -> Duration) {
    omitted.insert(takeNext(of: sender, now: now()))
  }

  /// The moment to which a step goes that lets time pass.
  final func target(of step: Int) -> Duration { senders?.target(of: step) ?? target }
}

extension ScheduleRunner {
  /// Adds the senders that may take a step.
  func list(_ senders: ScriptSenders, before deadline: Duration?) {
    let now = clock.offset
    for number in senders.all.indices where senders.isReady(number, before: deadline, now: now) {
      options.append(
        ScheduleOption(
          step: ScheduleStep(kind: .script, index: Int32(number)), agent: ScheduleAgent.sender(Int32(number))))
    }
  }
}

/// A step of a script that few scripts have. Other steps are named by their numbers.
@usableFromInline
indirect enum ScriptOrder<Action: Sendable> {
  /// Cancels all that an action causes, as a `StoreTask` does.
  case cancelSent(Int)
  /// Waits until all that an action causes has settled.
  case finish(Int)
  /// Sends an action, and waits until all that it causes has settled.
  case request(Action, CallSite, ScriptCall)
  /// Shuts the store down, and waits until it has ended.
  case shutDown(Shutdown)

  /// The step as code, or as a comment.
  var line: String {
    switch self {
    case .cancelSent(let step): "script.cancel(\(ScriptSenders.name(of: step)))"
    case .finish(let step): "script.finish(\(ScriptSenders.name(of: step)))"
    case .request(let action, _, _): "// script.request: \(FailureText.brief(action))"
    case .shutDown: "// script.shutdown"
    }
  }
}

/// What is done with the answer of a request.
@usableFromInline
struct ScriptCall {
  /// How a failure names the request.
  var name = ""
  /// Whether it belongs to the history of a specification.
  var isOfHistory = false
  /// The request is made.
  let begin: () -> Void
  /// Everything has settled, and the state is this one.
  let answer: (Any) -> Verdict

  enum Verdict {
    case holds
    case violated(Violation)
    /// Nothing can be said, for a reason that the result names.
    case undecided(String)
  }
}
