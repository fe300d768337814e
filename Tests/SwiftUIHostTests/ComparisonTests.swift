// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import SwiftUI
import TestSupport
import Testing

@MainActor @Suite struct `Evaluations beside those of plain @Observable objects` {
  private struct Step {
    let name: String
    let actions: [Gallery.Action]
    let change: @MainActor (Plain.Gallery) -> Void
  }

  private let steps: [Step] = [
    Step(name: "the title changes", actions: [.titled("b")]) { $0.title = "b" },
    Step(name: "it is set to the same value", actions: [.titled("b")]) { $0.title = "b" },
    Step(name: "it changes and changes back in two actions", actions: [.titled("c"), .titled("b")]) {
      $0.title = "c"
      $0.title = "b"
    },
    Step(name: "the child that always exists changes", actions: [.header(.starred)]) { $0.header.stars += 1 },
    Step(name: "a row changes", actions: [.photo(7, .starred)]) { $0.photos[7]?.stars += 1 },
    Step(name: "three rows change", actions: [.photo(1, .starred), .photo(2, .starred), .photo(3, .starred)]) {
      for id in 1...3 { $0.photos[id]?.stars += 1 }
    },
    Step(name: "a row is added", actions: [.added(100)]) {
      $0.photos[100] = Plain.Photo(title: "Photo 100")
      $0.order.append(100)
    },
    Step(name: "the added row changes", actions: [.photo(100, .starred)]) { $0.photos[100]?.stars += 1 },
    Step(name: "a row is removed", actions: [.removed(50)]) {
      $0.order.removeAll { $0 == 50 }
      $0.photos[50] = nil
    },
    Step(name: "a row and the title change", actions: [.photo(9, .starred), .titled("d")]) {
      $0.photos[9]?.stars += 1
      $0.title = "d"
    },
    Step(name: "a sheet opens", actions: [.opened(1)]) { $0.detail = Plain.Detail(number: 1) },
    Step(name: "its caption changes", actions: [.detail(.captioned("x"))]) { $0.detail?.caption = "x" },
    Step(name: "its note changes", actions: [.detail(.noted("n"))]) { $0.detail?.note = "n" },
    Step(name: "a row changes under the sheet", actions: [.photo(8, .starred)]) { $0.photos[8]?.stars += 1 },
    Step(name: "the view around the sheet changes", actions: [.word("z")]) { $0.word = "z" },
    Step(name: "the sheet is replaced", actions: [.closed, .opened(2)]) { $0.detail = Plain.Detail(number: 2) },
    Step(name: "the list disappears", actions: [.hidden]) { $0.isListShown = false },
    Step(name: "a row that is not shown changes", actions: [.photo(8, .starred)]) { $0.photos[8]?.stars += 1 },
  ]

  @Test func `The same bodies are evaluated after each of 18 steps, as the page shows them (M5)`() throws {
    let stored = GalleryStore(initialState: Gallery.State(photos: 100), reducer: Gallery(log: Recorder()))
    let plain = Plain.Gallery(photos: 100)
    let (ours, theirs) = (ViewHost(Stored.Screen(gallery: stored)), ViewHost(Plain.Screen(gallery: plain)))
    var rows = [compare("the first frame", ours, theirs)]
    for step in steps {
      for action in step.actions { stored.send(action) }
      step.change(plain)
      ours.frame()
      theirs.frame()
      rows.append(compare(step.name, ours, theirs))
    }
    #expect(ours.warnings == [])
    let page = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appending(path: "../SwiftUI.md")
    let table = rows.joined(separator: "\n")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains("\n\(table)\n"), "Tests/SwiftUI.md does not show:\n\(table)")
  }

  /// A row of the page's table: the bodies that were evaluated, those over a store and the plain ones.
  private func compare(_ step: String, _ ours: ViewHost, _ theirs: ViewHost) -> String {
    let (stored, plain) = (bodies(ours), bodies(theirs))
    #expect(stored == plain, "\(step)")
    #expect(ours.screen == theirs.screen, "\(step)")
    return "| \(step) | \(text(stored)) | \(text(plain)) |"
  }

  private func text(_ bodies: [String: Int]) -> String {
    let parts = bodies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  /// Without the view that keeps the child of a sheet, which plain code does not have.
  private func bodies(_ host: ViewHost) -> [String: Int] {
    host.takeEvaluations().filter { $0.key != "PresentedChild" }
  }
}
