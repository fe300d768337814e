// This source file is part of swift-effects. License: Apache-2.0.

/// The line of source that built an effect; failure texts and traces name it.
public struct CallSite: Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID` writes them.
  public let fileID: StaticString
  @usableFromInline package let storedLine: UInt32

  @inlinable
  package init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    storedLine = UInt32(clamping: line)
  }

  /// The line, counted from 1.
  public var line: Int { Int(storedLine) }

  /// `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
