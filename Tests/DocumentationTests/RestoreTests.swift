// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// Docs/Restore.md is correct.
@Suite struct RestoreTests {
  @Test func `The page about restoring shows the code that was compiled and run`() throws {
    try Listings().check("Docs/Restore.md", against: ["RestoreListing.swift"])
  }
}
