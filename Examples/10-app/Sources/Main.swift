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
      for line in Player.demo { await player.play(line) }
    case "type":
      let player = Player(.slow(.seconds(1))) { print($0, terminator: "") }
      print(Command.help)
      for await line in typedLines() { await player.play(line) }
      await player.play("wait")
    case "ghost":
      print("naive:", await listAfterDeletion(NaiveLibrary(kitchen: .slow(.milliseconds(50)))))
      print("right:", await listAfterDeletion(Library(kitchen: .slow(.milliseconds(50)))))
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
