// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import SwiftUI
import TestSupport
import Testing

/// Random sequences of what users and reducers do to views of ten kinds: a list with a search, a sheet over a sheet, tabs with
/// two stores, a form, a stack with deep links, an alert that is replaced, a refresh, a timer, rows that are removed while they
/// work, and a view that makes another store.
@MainActor @Suite(.timeLimit(.minutes(20))) struct `Views of ten kinds` {
  @Test(arguments: 0..<UInt64(TestSize.of(250, short: 10)))
  func `The screen shows the state, and what is shown works (M2, M8)`(seed: UInt64) async {
    let fuzz = ViewFuzz(seed: seed)
    for step in 0..<60 {
      fuzz.move()
      guard let deviation = await fuzz.deviation() else { continue }
      Issue.record("seed \(seed), step \(step): \(deviation)\n\(fuzz.moves.joined(separator: "\n"))")
      break
    }
    await fuzz.end()
    #expect(fuzz.active.counts == [:], "seed \(seed): work is left when nothing is shown")
  }
}

@MainActor private final class ViewFuzz {
  let active = ActiveWork()
  private(set) var moves: [String] = []
  private let clock = TestClock()
  private let failures = Recorder<String>()
  private var numbers: Numbers
  private var office: Office?
  private let host: ViewHost

  init(seed: UInt64) {
    numbers = Numbers(seed: seed)
    let worker = Worker(active: active)
    let desks = (0..<2).map { [clock, failures] _ in
      DeskStore(initialState: Desk.State(), reducer: Desk(worker: worker), clock: clock) { failures.record("\($0)") }
    }
    let office = Office(desks, active: active)
    self.office = office
    host = ViewHost(OfficeView(office: office))
  }

  private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }

  private func name(_ kind: String) -> String { "\(kind) \(below(3))" }

  // MARK: - Moves

  func move() {
    guard let office else { return }
    switch below(20) {
    case 0...9:
      let desk = office.desks[below(5) > 0 ? office.selected : 1 - office.selected]
      if let action = change(of: desk) { send(action, to: desk) }
    case 10...14: tap()
    case 15: type()
    case 16:
      guard host.screen.split(separator: "\n").contains(where: { $0.hasPrefix("--- ") && !$0.hasSuffix("leaving") })
      else { break }
      moves.append("dismiss the top")
      host.dismissTop(times: 1 + below(2))
    case 17:
      let seconds = [1, 60][below(2)]
      moves.append("\(seconds) s")
      clock.advance(by: .seconds(seconds))
    case 18:
      office.selected = 1 - office.selected
      moves.append("select \(office.selected)")
    default:
      office.number += 1
      moves.append("own store \(office.number)")
    }
    if below(3) > 0 {
      host.frame()
      moves.append("frame")
    }
  }

  private func send(_ action: Desk.Action, to desk: DeskStore) {
    moves.append("\(action)")
    desk.send(action)
  }

  /// What the rest of a program sends; `nil` where the child does not exist.
  private func change(of desk: DeskStore) -> Desk.Action? {
    let row = name("row")
    return switch below(16) {
    case 0, 1: .add(row)
    case 2: .remove(row)
    case 3: desk.rows[row].map { _ in .row(row, .minutePassed) }
    case 4: .open(name("sheet"))
    case 5: .sheetClosed
    case 6: desk.sheet.map { _ in .sheet(.noteOpened(name("note"))) }
    case 7: desk.sheet.map { _ in .sheet(.noteClosed) }
    case 8: .pages(.push(Worker.State(name: name("page"))))
    case 9: .pages(.set((0..<below(4)).map { Worker.State(name: "link \($0)") }))
    case 10: .pages(.replace(Worker.State(name: name("page"))))
    case 11: .pages(.popToRoot)
    case 12, 13: .ask(name("thing"))
    case 14: .questionClosed
    default: .searched(["", "row", "1", "2"][below(4)])
    }
  }

  /// Taps a button or a toggle that the screen shows. A button of an alert may be one of a child that is not there any more:
  /// it then does nothing. Another button would send to a child that does not exist, which is reported (M3).
  private func tap() {
    if !host.screen.contains("--- alert") { draw() }
    let screen = host.screen
    let isAsked = screen.contains("--- alert")
    let labels =
      isAsked
      ? ["Yes", "Other"]
      : screen.split(separator: "\n").compactMap { line -> String? in
        if line.hasPrefix("[") { return String(line.dropFirst().dropLast()) }
        return line.hasSuffix(" Public") ? "Public" : nil
      }
    let label = labels[below(labels.count)]
    moves.append("tap \(label)")
    let before = deleted
    host.tap(label)
    let question = screen.split(separator: "\n").last { $0.hasPrefix("Delete ") }?.dropFirst(7).dropLast()
    let new = zip(before, deleted).flatMap { $1.dropFirst($0.count) }
    if !new.isEmpty, label != "Yes" || new != [question.map(String.init)] {
      failures.record("\(label) has deleted \(new), and the screen was:\n\(screen)")
    }
  }

  private var deleted: [[String]] { office.map { $0.desks.map(\.deleted) } ?? [] }

  private func type() {
    let label = ["Name", "Find"][below(2)]
    if below(2) == 0 {
      moves.append("clear \(label)")
      host.clear(label)
    } else {
      moves.append("type into \(label)")
      host.type(["a", "1", "ro"][below(3)], into: label, framesBetween: below(2) == 0)
    }
  }

  // MARK: - What must hold

  /// Draws, and compares the screen with one that is made now from the same state, and the active work with what is shown.
  func deviation() async -> String? {
    guard below(2) == 0, let office else { return nil }
    let expected = expectedWork(office)
    for _ in 0..<1_000_000 {
      draw()
      if active.counts == expected { break }
      await Task.yield()
    }
    guard active.counts == expected else { return "active is \(active.counts), and shown is \(expected)" }
    draw()
    let shown = host.screen
    let new = Office(office.desks.map { DeskStore.preview($0[dynamicMember: \.self]) }, active: ActiveWork())
    (new.selected, new.number) = (office.selected, office.number)
    let other = ViewHost(OfficeView(office: new))
    for _ in 1...3 { other.frame() }
    let fresh = other.screen
    other.close()
    if shown != fresh { return "the screen is\n\(shown)\nand a new one is\n\(fresh)" }
    let reports = host.warnings + failures.events
    return reports.isEmpty ? nil : reports.joined(separator: "\n")
  }

  /// Draws until nothing fades out any more.
  private func draw() { for _ in 1...3 { host.frame() } }

  private func expectedWork(_ office: Office) -> [String: Int] {
    let desk = office.desks[office.selected]
    var names = desk.found + desk.pages.elements.map(\.name) + ["own \(office.number)"]
    if let sheet = desk.sheet { names += [sheet.worker.name] + [sheet.note?.name].compactMap(\.self) }
    return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// Removes everything, and waits for the work.
  func end() async {
    host.close()
    office = nil
    await host.cancelledTasksHaveEnded()
    for _ in 0..<1_000_000 where active.counts != [:] { await Task.yield() }
  }
}
