// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import Testing

/// Code that failure texts contain as it is, without a value of the test.
@Suite struct `Code in failure texts` {
  /// Each line is in a text as it is here, as an argument or as an expression; the texts are pinned by other tests.
  @Test func `Code that is the same in each failure is compiled`() async {
    struct Offline: Error {}
    enum Action: Sendable { case go, found(Int), failed(String) }
    let effects: [Effect<Action>] = [
      .run({ _ in throw Offline() }, catch: { error, send in send(.failed("\(error)")) }),
      .run(id: "search", overlap: .restart) { _ in }.debounce(for: .seconds(1)),
      .run { _ in }.cancellable(id: "search", overlap: .restart).debounce(for: .seconds(1)),
      .send(.found(1)).cancellable(id: "search", overlap: .restart).debounce(for: .seconds(1)),
    ]
    for effect in effects {
      let store = TestStore(
        initialState: 0,
        reducer: Reduce<Int, Action> { _, action in if case .go = action { effect } else { .none } })
      let found = await failures {
        store.send(.go)
        await store.settle()
        store.skipReceived()
        store.cancelInFlight()
        await store.finish()
      }
      #expect(found.allSatisfy { !$0.text.contains("no `catch`") && !$0.text.contains("has no id") }, "\(found)")
    }
    let mock = Mock<String, Array<String>>(answering: { _ in [] })
    #expect(await (try? mock("a")) == [])
    let path = CasePath(embed: Action.found, extract: { if case .found(let value) = $0 { value } else { nil } })
    #expect(path.extract(.found(1)) == 1)
  }

  /// Only the line that runs a schedule again has a gap: its other arguments are those of the test.
  @Test func `No text of a failure has a gap in its code`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var count = 0
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      count += 1
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let text = line.drop(while: \.isWhitespace)
        if text.hasPrefix("//") || text.contains("explore(…") { continue }
        for gap in ["(…", ", …)", ": …", "{ …", "= …", " ... }"] {
          #expect(!text.contains(gap), "\(file.lastPathComponent): \(text)")
        }
      }
    }
    #expect(count > 300)
  }
}
