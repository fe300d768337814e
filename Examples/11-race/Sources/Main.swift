// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import EffectTesting

@main
enum Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case nil: await tell()
    case "--trace" where (2...3).contains(arguments.count):
      let overlap: Overlap = arguments.dropFirst(2).first == "naive" ? .concurrent : .restart
      await trace(as: arguments.dropFirst().first ?? "", overlap)
    default: print(usage)
    }
  }

  private static let usage = "usage: race [--trace text|html|json [naive|safe]]"

  /// Prints both races.
  private static func tell() async {
    print("Five queries, typed one letter after another; the answers come back in another order.\n")
    await report("Naive (overlap: .concurrent): whatever comes back is shown.", .concurrent)
    await report("Safe (overlap: .restart): a new query replaces the one before.", .restart)
  }

  private static func report(_ title: String, _ overlap: Overlap) async {
    let race = await Race.run(overlap: overlap)
    let verdict =
      race.stale.isEmpty
      ? "No old answer was ever shown, though every one came back."
      : "\(race.stale.count) times an old answer stood beside a new query, stale: "
        + "\(race.stale.joined(separator: ", "))."
    print("\(title)\n\n\(Timeline.text(race.events))\n\n\(verdict)\n")
  }

  /// Prints the trace of one of them, for people or programs.
  private static func trace(as form: String, _ overlap: Overlap) async {
    let events = await Race.run(overlap: overlap).events
    switch form {
    case "text": print(Timeline.text(events))
    case "html": print(Timeline.html(events, title: "Five queries, overlap: \(overlap)"))
    case "json": for event in events { print(event.json) }
    default: print(usage)
    }
  }
}
