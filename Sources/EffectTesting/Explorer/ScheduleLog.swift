// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A file that holds the running schedule. It stays if the process of an exploration ends early.
///
/// Each step is written before it is taken, with one system call and no buffer. So it is in the file even if the step
/// ends the process. Nothing is written unless `EFFECTS_EXPLORE_LOG` names a directory.
final class ScheduleLog: Sendable {
  /// The directory to write to, if any.
  static let directory = Platform.environment("EFFECTS_EXPLORE_LOG")
  private static let made = Lock(0)

  let path: String
  private let file: PlatformFile
  private let head: String
  private let place = Lock(Place())

  private struct Place {
    /// Where the next step is written.
    var end: Int64 = 0
    var hasSteps = false
  }

  /// `nil` if the file cannot be written.
  init?(_ directory: String, _ location: TestLocation, _ settings: ScheduleRunner.Settings) {
    let number = Self.made.withLock { made in
      made += 1
      return made
    }
    let name = "\(location.fileID)".split(separator: "/").last ?? "explore"
    path = "\(directory)/\(name)-\(location.line)-\(Platform.process)-\(number).txt"
    head = """
      This schedule was running when the process of \(location.fileID):\(location.line) ended:
        explore(…, \(FailureText.call(settings))replaying: "
      """
    PlatformFile.makeDirectory(directory)
    guard let file = PlatformFile(path, .replacing) else { return nil }
    self.file = file
  }

  deinit {
    file.close()
    // This exploration has ended normally. Files that stay in the directory belong to explorations that have not.
    _ = PlatformFile.remove(path)
  }

  func begin(_ level: Exploration.Level) {
    place.withLock { place in
      file.truncate()
      place = Place(hasSteps: level != .steps)
      write(head + (place.hasSteps ? "\(level):" : ""), at: &place.end)
    }
  }

  func append(_ step: ScheduleStep) {
    place.withLock { place in
      write(place.hasSteps ? " \(step)" : "\(step)", at: &place.end)
      place.hasSteps = true
    }
  }

  private func write(_ text: String, at end: inout Int64) {
    // Errors are ignored: a full disk must not change what a test finds.
    file.write(Array((text + "\")\n").utf8), at: end)
    end += Int64(text.utf8.count)
  }
}
