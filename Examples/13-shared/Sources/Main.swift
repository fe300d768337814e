// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: ten points, a purchase for three, and an answer that earns five. Both are under way at the same time.
@main
enum Main {
  static func main() async {
    let file = PointsFile()
    let naive = Store(
      initialState: NaiveWallet.State(shop: 10, quiz: 10), reducer: NaiveWallet(services: file.services))
    var sent = [naive.send(.buyTapped("sticker", price: 3)), naive.send(.answered("42"))]
    for task in sent { await task.finish() }
    print("two copies:  10 - 3 + 5 =", await naive.state.shop)

    let wallet = Store(initialState: Wallet.State(points: 10), reducer: Wallet(services: file.services))
    sent = [wallet.send(.shop(.buyTapped("sticker", price: 3))), wallet.send(.quiz(.answered("42")))]
    for task in sent { await task.finish() }
    print("one owner:   10 - 3 + 5 =", await wallet.state.points)

    let next = Store(initialState: Wallet.State(points: await file.points), reducer: Wallet(services: file.services))
    print("saved:      ", await next.state.points)
  }
}

/// Keeps what was saved, as a file would; orders take longer than answers.
private actor PointsFile {
  private(set) var points = 10

  func save(_ points: Int) { self.points = points }

  nonisolated var services: Services {
    Services(
      order: { _ in try await Task.sleep(for: .milliseconds(200)) },
      check: { _ in
        try await Task.sleep(for: .milliseconds(50))
        return true
      },
      save: { await self.save($0) })
  }
}
