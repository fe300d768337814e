// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import SwiftUI
import Testing

@testable import cookbook

/// The screens, frame by frame, over a store and over plain objects: both show the same.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `Screens of the cookbook` {
  /// One of the two apps, shown.
  struct App {
    let host: ViewHost
    let clock: TestClock
    /// What is on top: the stack, a page or a sheet.
    @MainActor var top: String {
      let screen = host.screen
      guard let head = screen.range(of: "--- ", options: .backwards) else { return screen }
      return screen[head.upperBound...].split(separator: "\n").dropFirst().joined(separator: "\n")
    }

    /// Draws what was changed, and what this changes.
    @MainActor func frames() {
      host.frame()
      host.frame()
    }

    /// Draws frames until the screen has this text.
    @MainActor func show(_ text: String) async {
      while !host.screen.contains(text), !Task.isCancelled {
        await Task.yield()
        host.frame()
      }
    }
  }

  private static let service = RecipeService(
    all: { [Recipe(id: 1, name: "Soup", minutes: 30), Recipe(id: 2, name: "Egg", minutes: 1)] },
    find: { $0 == "egg" ? [2] : [] })

  private static func makeStored() -> App {
    let clock = TestClock()
    let store = ObservableStore(initialState: Cookbook.State(), reducer: Cookbook(service: service), clock: clock)
    return App(host: ViewHost(CookbookScreen(cookbook: store)), clock: clock)
  }

  private static func makePlain() -> App {
    let clock = TestClock()
    let model = Plain.CookbookModel(service: service, clock: clock)
    return App(host: ViewHost(Plain.CookbookScreen(model: model)), clock: clock)
  }

  @Test(arguments: [makeStored, makePlain])
  func `A search waits until nothing is typed for a while`(make: @MainActor () -> App) async {
    let app = make()
    await app.show("[Egg]")
    #expect(app.top == "Search: \n[Soup]\n[Egg]\n[Add]")
    app.host.type("egg", into: "Search")
    app.frames()
    #expect(app.top == "Search: egg\n...\n[Soup]\n[Egg]\n[Add]")
    await app.clock.sleepers(atLeast: 1)
    app.clock.advance(by: .milliseconds(300))
    await app.show("Search: egg\n[Egg]\n[Add]")
    app.host.clear("Search")
    app.frames()
    #expect(app.top == "Search: \n[Soup]\n[Egg]\n[Add]")
    #expect(app.host.warnings == [])
  }

  @Test(arguments: [makeStored, makePlain])
  func `A recipe is added in a sheet`(make: @MainActor () -> App) async {
    let app = make()
    await app.show("[Egg]")
    app.host.tap("Add")
    app.frames()
    #expect(app.top == "Name: \n10 minutes\n[Less]\n[More]\n[Cancel]\n(Save)")
    app.host.type("Tea", into: "Name")
    app.host.tap("Less")
    app.frames()
    #expect(app.top == "Name: Tea\n9 minutes\n[Less]\n[More]\n[Cancel]\n[Save]")
    app.host.tap("Save")
    app.frames()
    #expect(app.top == "Search: \n[Soup]\n[Egg]\n[Tea]\n[Add]")
    #expect(app.host.warnings == [])
  }

  @Test(arguments: [makeStored, makePlain])
  func `A timer counts, and the screen closes by itself`(make: @MainActor () -> App) async {
    let app = make()
    await app.show("[Egg]")
    app.host.tap("Egg")
    app.frames()
    app.host.tap("Cook")
    app.frames()
    #expect(app.top == "1:00\n[Pause]\n[Stop]")
    for second in 1...60 {
      await app.clock.sleepers(atLeast: 1)
      app.clock.advance(by: .seconds(1))
      await app.show(second < 60 ? "0:\(second > 50 ? "0" : "")\(60 - second)" : "cooked 1 times")
    }
    app.frames()
    #expect(app.top == "Egg, 1 minutes, cooked 1 times\n[Cook]\n[Something shorter]\n[Delete]")
    app.host.tap("Delete")
    app.frames()
    #expect(app.top == "Search: \n[Soup]\n[Add]")
    #expect(app.host.warnings == [])
  }

  @Test(arguments: [makeStored, makePlain])
  func `Pages are pushed, and the timer of a page that is left has ended`(make: @MainActor () -> App) async {
    let app = make()
    await app.show("[Egg]")
    app.host.tap("Soup")
    app.frames()
    app.host.tap("Something shorter")
    app.frames()
    #expect(app.top.hasPrefix("Egg, 1 minutes"))
    app.host.dismissTop()
    app.frames()
    #expect(app.top.hasPrefix("Soup, 30 minutes"))
    app.host.tap("Cook")
    app.frames()
    await app.clock.sleepers(atLeast: 1)
    app.host.dismissTop()
    app.frames()
    app.host.dismissTop()
    app.frames()
    #expect(app.top == "Search: \n[Soup]\n[Egg]\n[Add]")
    app.clock.advance(by: .seconds(60))
    app.frames()
    #expect(app.host.warnings == [])
  }
}
