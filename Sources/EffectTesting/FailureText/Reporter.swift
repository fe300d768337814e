// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// The position of a call in the source of a test, where a failure is shown.
@usableFromInline
package struct TestLocation: Sendable {
  @usableFromInline package let fileID: StaticString
  @usableFromInline package let filePath: StaticString
  @usableFromInline package let line: UInt
  @usableFromInline package let column: UInt

  @inlinable
  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

/// Records failures with the test library that runs the test, so that none is lost.
///
/// On Linux each library drops what is reported to it while the other one runs, and then the test passes. So the running
/// library is detected: by a current test, its name among the arguments, or the name of the test bundle or runner.
@usableFromInline
package enum Reporter {
  /// Where a failure goes.
  enum Library { case testing, xctest, none }

  static var library: Library {
    #if canImport(Testing)
      if Test.current != nil { return .testing }
    #endif
    return library(arguments: CommandLine.arguments)
  }

  static func library(arguments: [String]) -> Library {
    let flag = arguments.firstIndex(of: "--testing-library")
    if let flag, flag + 1 < arguments.count, arguments[flag + 1] == "swift-testing" { return .testing }
    if arguments.contains("--testing-library=swift-testing") { return .testing }
    // The bundle itself, or the runner of the newer build system.
    guard let program = arguments.first else { return .none }
    if program.hasSuffix(".xctest") || program.hasSuffix("-test-runner") || program.hasSuffix("/xctest") {
      return .xctest
    }
    return .none
  }

  /// Takes failures instead of the library; see ``reportedFailures(isolation:_:)``. Returns whether they count as failures:
  /// what follows from a failure is not reported again.
  @TaskLocal package static var diversion: Diversion?

  /// Takes notes, which are no failures, instead of the library.
  @TaskLocal package static var noteDiversion: NoteDiversion?

  /// A closure that takes failures.
  // A class, because Swift 6.3.1 miscompiles a task-local value that is a closure if the body is asynchronous: optimised
  // code crashes when it is bound.
  package final class Diversion: Sendable {
    let take: @Sendable (String, TestLocation) -> Bool

    package init(_ take: @escaping @Sendable (String, TestLocation) -> Bool) {
      self.take = take
    }
  }

  /// A closure that takes notes. A class for the same reason.
  package final class NoteDiversion: Sendable {
    let take: @Sendable (String) -> Void

    package init(_ take: @escaping @Sendable (String) -> Void) {
      self.take = take
    }
  }

  /// Reports a failure. Outside of any known test library, it stops the process with the text.
  ///
  /// A run has no context of a test. So a failure that is reported in a run of a test store or an exploration is kept,
  /// and reported by the test; see ``takeFailures(ofRunsOf:)``.
  ///
  /// - Parameters:
  ///   - text: what went wrong.
  ///   - location: where the failure is shown.
  /// - Returns: whether it fails the test: `false` for a known issue of Swift Testing. XCTest does not report this: a
  ///   failure that it expects counts.
  @discardableResult
  package static func report(_ text: String, at location: TestLocation) -> Bool {
    if let diversion { return diversion.take(text, location) }
    if let run = CurrentRun.identity, keep(text, at: location, of: run) { return true }
    return report(text, at: location, to: library)
  }

  @discardableResult
  static func report(_ text: String, at location: TestLocation, to library: Library) -> Bool {
    switch library {
    case .testing:
      #if canImport(Testing)
        let issue = Issue.record(Comment(rawValue: text), sourceLocation: place(location))
        #if compiler(>=6.3)
          return issue.isFailure
        #else
          _ = issue
          return true
        #endif
      #endif
    case .xctest:
      #if canImport(XCTest)
        XCTFail(text, file: (location.filePath), line: location.line)
        return true
      #endif
    case .none:
      break
    }
    // Without this, a test with a failure that no library shows would pass.
    fatalError("\(location.fileID):\(location.line): a test failed outside of any known test library:\n\(text)")
  }

  /// Shows a note, which is no failure: from Swift 6.3 on as a warning of Swift Testing, otherwise on standard error.
  static func note(_ text: String, at location: TestLocation) {
    if let noteDiversion { return noteDiversion.take(text) }
    #if canImport(Testing) && compiler(>=6.3)
      if library == .testing {
        Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: place(location))
        return
      }
    #endif
    Platform.writeToStandardError("\(location.filePath):\(location.line): note: \(text)\n")
  }

  #if canImport(Testing)
    private static func place(_ location: TestLocation) -> SourceLocation {
      SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column))
    }
  #endif
}
