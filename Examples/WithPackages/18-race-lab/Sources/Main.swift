// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import LocalServer

/// The program: a page for a browser, until the user presses Return.
@main
enum Main {
  static func main() async throws {
    let lab = LabServer(lab: Lab())
    try await LocalServer.whileRunning(answering: { await lab.answer($0) }) { server in
      print("The race lab is at \(server.url). Press Return to end it.")
      // So that a reader of a pipe gets the line now.
      fflush(nil)
      await inputHasEnded()
    }
  }

  /// Waits for Return, or for the end of the input. On its own thread, because it blocks.
  private static func inputHasEnded() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = readLine()
        continuation.resume()
      }
    }
  }
}
