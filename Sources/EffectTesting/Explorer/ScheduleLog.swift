// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that holds the running schedule. It stays if the process of an exploration ends early.
///
/// Each step is written before it is taken, with one system call and no buffer. So it is in the file even if the step
/// ends the process. Nothing is written unless `EFFECTS_EXPLORE_LOG` names a directory.
final class ScheduleLog: Sendable {
  /// The directory to write to, if any.
  static let directory = unsafe getenv("EFFECTS_EXPLORE_LOG").map { unsafe String(cString: $0) }
    .flatMap { $0.isEmpty ? nil : $0 }
  private static let made = Lock(0)

  let path: String
  private let file: Int32
  private let head: String
  private let place = Lock(Place())

  private struct Place {
    /// Where the next step is written.
    var end: off_t = 0
    var hasSteps = false
  }

  /// `nil` if the file cannot be written.
  init?(_ directory: String, _ location: TestLocation, _ settings: ScheduleRunner.Settings) {
    let number = Self.made.withLock { made in
      made += 1
      return made
    }
    let name = "\(location.fileID)".split(separator: "/").last ?? "explore"
    path = "\(directory)/\(name)-\(location.line)-\(getpid())-\(number).txt"
    head = """
      This schedule was running when the process of \(location.fileID):\(location.line) ended:
        explore(…, \(FailureText.call(settings))replaying: "
      """
    _ = unsafe mkdir(directory, 0o777)
    file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    if file < 0 { return nil }
  }

  deinit {
    _ = close(file)
    // This exploration has ended normally. Files that stay in the directory belong to explorations that have not.
    _ = unsafe unlink(path)
  }

  func begin(_ grain: Exploration.Grain) {
    place.withLock { place in
      _ = ftruncate(file, 0)
      place = Place(hasSteps: grain != .everyJob)
      write(head + (place.hasSteps ? "\(grain):" : ""), at: &place.end)
    }
  }

  func append(_ step: ScheduleStep) {
    place.withLock { place in
      write(place.hasSteps ? " \(step)" : "\(step)", at: &place.end)
      place.hasSteps = true
    }
  }

  private func write(_ text: String, at end: inout off_t) {
    var line = text + "\")\n"
    // Errors are ignored: a full disk must not change what a test finds.
    _ = line.withUTF8 { bytes in unsafe pwrite(file, bytes.baseAddress, bytes.count, end) }
    end += off_t(text.utf8.count)
  }
}

/// A strategy whose choices are written to the log before they are performed.
struct LoggedStrategy: Strategy {
  var base: any Strategy
  let log: ScheduleLog
  let grain: Exploration.Grain

  var finding: StrategyFinding { base.finding }

  mutating func begin() -> Bool {
    guard base.begin() else { return false }
    log.begin(grain)
    return true
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    let choice = base.choose(among: options, last: last)
    log.append(choice.map { options[$0].step } ?? ScheduleStep(kind: .omission))
    return choice
  }
}
