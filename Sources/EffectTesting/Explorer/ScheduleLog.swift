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

extension Strategy {
  /// The strategy itself, without a log around it.
  var unlogged: any Strategy { (self as? LoggedStrategy)?.base ?? self }
}

/// A strategy whose choices are written to the log before they are performed.
struct LoggedStrategy: Strategy {
  var base: any Strategy
  let log: ScheduleLog
  let level: Exploration.Level

  var finding: StrategyFinding { base.finding }
  var omitted: Int32 { base.omitted }
  var omissions: ScheduleOmissions { base.omissions }
  var isExhaustive: Bool { base.isExhaustive }
  var choosesParts: Bool { base.choosesParts }

  mutating func begin() -> Bool {
    guard base.begin() else { return false }
    log.begin(level)
    return true
  }

  mutating func choose(among options: [ScheduleOption], last: Int32) -> Int? {
    let choice = base.choose(among: options, last: last)
    log.append(choice.map { options[$0].step } ?? ScheduleStep(kind: .omission, index: base.omitted))
    return choice
  }

  mutating func subset(of count: Int) -> [Int]? { base.subset(of: count) }
  mutating func omissionFailed(_ options: [ScheduleOption]) { base.omissionFailed(options) }
  mutating func note(jobs: Range<Int32>) { base.note(jobs: jobs) }
  var comparesStates: Bool { base.comparesStates }
  var wantsState: Bool { base.wantsState }
  mutating func isKnown(_ state: Int) -> Bool { base.isKnown(state) }
}
