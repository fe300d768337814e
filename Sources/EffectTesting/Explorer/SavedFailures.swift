// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A file with the schedules that have failed at one call of `explore`, one per line, the oldest first.
///
/// Nothing is read or written unless `EFFECTS_EXPLORE_FAILURES` names a directory.
struct SavedFailures {
  /// Where the files are, if anywhere.
  static let directory = Platform.environment("EFFECTS_EXPLORE_FAILURES")
  /// How many schedules a file keeps at most.
  static let limit = 20
  /// Held while a file is read and replaced, because parallel tests, such as the cases of a parameterized test, share a
  /// file.
  private static let changes = Lock(())

  let path: String
  private let directory: String

  init(in directory: String, at location: TestLocation) {
    let name = "\(location.fileID)".split(separator: "/").joined(separator: "-")
    path = "\(directory)/\(name)-\(location.line).txt"
    self.directory = directory
  }

  /// The schedules in the file; empty if there is no file, or if it cannot be read.
  var schedules: [String] {
    (TextFile.read(path) ?? "").split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Adds a schedule at the end, unless the file has it. Returns `false` if the file cannot be written.
  func add(_ schedule: String) -> Bool {
    Self.changes.withLock { _ in
      let known = schedules
      return known.contains(schedule) || write((known + [schedule]).suffix(Self.limit))
    }
  }

  /// Removes a schedule, and with the last one the file. Returns `false` if the file cannot be written.
  func remove(_ schedule: String) -> Bool {
    Self.changes.withLock { _ in
      let left = schedules.filter { $0 != schedule }
      return left.isEmpty ? PlatformFile.remove(path) : write(left[...])
    }
  }

  /// Replaces the file as a whole, so that another process reads either the old or the new one. If two processes save
  /// at once, one may lose its schedule.
  private func write(_ schedules: ArraySlice<String>) -> Bool {
    PlatformFile.makeDirectory(directory)
    let draft = "\(path).\(Platform.process)"
    guard let file = PlatformFile(draft, .replacing) else { return false }
    let written = file.write(Array((schedules.joined(separator: "\n") + "\n").utf8))
    file.close()
    if written, PlatformFile.rename(draft, to: path) { return true }
    _ = PlatformFile.remove(draft)
    return false
  }
}

/// A search that first runs the schedules that failed in an earlier run, and saves what fails now.
struct SavedSearch {
  let saved: SavedFailures
  let make: () -> Explorer
  /// What was done to the file, for the test's output.
  private(set) var notes: [String] = []

  init(_ saved: SavedFailures, _ make: @escaping () -> Explorer) {
    self.saved = saved
    self.make = make
  }

  /// Returns the explorer of the first schedule that fails again, or that of the search.
  nonisolated(nonsending) mutating func search(_ body: Explorer.Body) async -> Explorer {
    var knowledge = SearchKnowledge()
    for schedule in saved.schedules {
      if Task.isCancelled { break }
      let explorer = make()
      explorer.runner.knowledge = knowledge
      await explorer.replay(schedule, body)
      knowledge = explorer.runner.knowledge
      if explorer.result.failures > 0 {
        explorer.failureText = explorer.failureText.map { FailureText.saved($0, in: saved.path) }
        return explorer
      }
      // A schedule that passes is kept, because it finds the bug if the bug comes back. A schedule without a result is
      // kept too: other limits cut it, or the body has made a mistake, which the search reports.
      guard explorer.isUnfit, saved.remove(schedule) else { continue }
      notes.append(FailureText.outdated(schedule, in: saved.path))
    }
    let explorer = make()
    await explorer.search(body)
    if let failure = explorer.result.failure, !failure.isEmpty, explorer.result.failures > 0, !saved.add(failure) {
      notes.append(FailureText.notSaved(in: saved.path))
    }
    return explorer
  }
}
