// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

@main
enum Main {
  static func main() async {
    print(
      """
      Five queries, typed one letter after another; the answers come back in another order.
      ● asked   │ under way   x cancelled   ┊ cancelled, not back yet   ◆ shown   ◇ dropped

      """)
    await report("Naive (overlap: .concurrent): whatever comes back is shown.", .concurrent)
    await report("Safe (overlap: .restart): a new query replaces the one before.", .restart)
  }

  private static func report(_ title: String, _ overlap: Overlap) async {
    let timeline = await Race.run(overlap: overlap)
    let verdict =
      timeline.showedStaleResult
      ? "An old answer stood beside a new query." : "No old answer was ever shown, though every one came back."
    print("\(title)\n\n\(timeline)\n\n\(verdict)\n")
  }
}
