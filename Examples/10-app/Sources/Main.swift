// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: a demonstration, typed commands, or the wrong way beside the right one.
@main
enum Main {
  @MainActor
  static func main() async {
    switch CommandLine.arguments.dropFirst().first {
    case nil:
      let player = Player(.slow(.milliseconds(100))) { print($0, terminator: "") }
      print("A list of recipes. Below each command is the whole screen; what is loading comes from the store's status.")
      for (line, note) in Player.demo { await player.play(line, note: note) }
      print("`swift run app type` lets you type the commands, `swift run app ghost` shows two mistakes.")
    case "type":
      let player = Player(.slow(.seconds(1))) { print($0, terminator: "") }
      print(Command.help)
      for await line in typedLines() { await player.play(line) }
      await player.play("wait")
    case "ghost":
      let naive = await listAfterDeletion(NaiveLibrary(kitchen: .slow(.milliseconds(50))))
      let right = await listAfterDeletion(Library(kitchen: .slow(.milliseconds(50))))
      print("Two rows ask for their ratings. The second row is deleted before the answers come. Then the lists show:")
      print("naive: \(naive.joined(separator: ", "))   (one rating is lost, and the deleted row is back)")
      print("right: \(right.joined(separator: ", "))")
    default:
      print("Usage: app [type | ghost]")
    }
  }

  /// Read on a thread that may wait for the keyboard: the main actor must not wait.
  private static func typedLines() -> AsyncStream<String> {
    let (lines, typing) = AsyncStream<String>.makeStream()
    Task.detached {
      while let line = readLine() { typing.yield(line) }
      typing.finish()
    }
    return lines
  }
}
