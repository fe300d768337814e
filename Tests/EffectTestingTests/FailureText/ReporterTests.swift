// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

@Suite struct `The library that runs a test` {
  @Test(arguments: [
    (["/b/debug/PackageTests.xctest", "--testing-library", "swift-testing"], Reporter.Library.testing),
    (["/b/debug/PackageTests.xctest", "--testing-library=swift-testing"], .testing),
    (["/usr/libexec/swift/pm/swiftpm-testing-helper", "--testing-library", "swift-testing"], .testing),
    (["/b/debug/PackageTests.xctest", "--testing-library", "xctest"], .xctest),
    (["/b/debug/PackageTests.xctest"], .xctest),
    (["/b/debug/PackageTests.xctest", "Some.Tests/test"], .xctest),
    (["/b/debug/PackageTests-test-runner"], .xctest),
    (["/Applications/Xcode.app/Contents/Developer/usr/bin/xctest", "-XCTest", "All"], .xctest),
    (["/b/debug/PackageTests.xctest", "--testing-library"], .xctest),
    (["/b/debug/app"], .none),
    ([], .none),
  ])
  func `is recognised by the arguments of the process`(arguments: [String], library: Reporter.Library) {
    #expect(Reporter.library(arguments: arguments) == library)
  }

  @Test func `is recognised by the current test first`() {
    #expect(Reporter.library == .testing)
  }

  @Test func `A failure outside of any test library traps with its text`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      // As in a program that is not a test: no current test and other arguments.
      Reporter.report(
        "three is not four", at: .init(fileID: "App/main.swift", filePath: "", line: 3, column: 1), to: .none)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("App/main.swift:3: a test failed outside of any known test library:\nthree is not four"))
  }
}
