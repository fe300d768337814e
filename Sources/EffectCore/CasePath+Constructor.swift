// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Naming a case

// Overloads for one to four values instead of a parameter pack: the 6.3.1 compiler crashes where a function with a pack is used
// as a value.
extension CasePath {
  /// Makes a path from the name of a case.
  ///
  /// ```swift
  /// static let row = CasePath(App.Action.row)
  /// ```
  ///
  /// The payload is read by reflection. What the case is called is learnt from the first use and kept by the path, so keep the
  /// path too, in a `static let`. Extracting takes some microseconds, and with `CasePath(embed:extract:)` some nanoseconds: use closures
  /// where many actions pass, for example for the rows of a long list.
  ///
  /// - Parameters:
  ///   - constructor: the case, by the name that makes it: `Action.row`. The payload may have a label. Of two cases with the same
  ///     name and other labels, write the one meant: `Action.row(id:)`.
  ///   - fileID: the file that the text of a trap names.
  ///   - line: likewise.
  /// - Isolation: the path may be used from any thread.
  /// - Errors: a function that is not the name of a case is a trap with this file and line. Such a function makes a case without
  ///   payload or with a payload of another type, or changes the value, or makes several cases. This is noticed when the path is
  ///   first used to embed, or to extract a value of this type; in a debug build, by each use. A changed value is noticed if it is
  ///   `Equatable` or an object. Also a trap: a root that is no enum or has a `customMirror`, and a payload that is a function or
  ///   a metatype of one type (`Int.Type`), or an optional or a tuple with one. Use the closure form for these, and for a payload
  ///   `x(Any)` beside a case `x(id:name:)`, because reflection shows both alike.
  /// - Complexity: O(1) for both directions. Extracting allocates, and calls the constructor only to learn the case, and in a
  ///   debug build.
  /// - Laws: extracting what was embedded gives it back, and embedding what was extracted gives the root back. Another case
  ///   gives `nil`, also with a payload of the same type.
  /// - Origin: `CasePath` of swift-case-paths before it had a macro.
  public init(
    _ constructor: @escaping @Sendable (Value) -> Root, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(reading: constructor, fileID, line)
  }

  /// Makes a path from the name of a case with two values; otherwise as with one.
  ///
  /// - Parameters:
  ///   - constructor: the case, by the name that makes it. The values may have labels; those of the path have none.
  ///   - fileID: the file that the text of a trap names.
  ///   - line: likewise.
  public init<First, Second>(
    _ constructor: @escaping @Sendable (First, Second) -> Root, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == (First, Second) {
    self.init(reading: { constructor($0.0, $0.1) }, fileID, line)
  }

  /// Makes a path from the name of a case with three values; otherwise as with one.
  ///
  /// - Parameters:
  ///   - constructor: the case, by the name that makes it. The values may have labels; those of the path have none.
  ///   - fileID: the file that the text of a trap names.
  ///   - line: likewise.
  public init<First, Second, Third>(
    _ constructor: @escaping @Sendable (First, Second, Third) -> Root, fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Value == (First, Second, Third) {
    self.init(reading: { constructor($0.0, $0.1, $0.2) }, fileID, line)
  }

  /// Makes a path from the name of a case with four values; otherwise as with one.
  ///
  /// - Parameters:
  ///   - constructor: the case, by the name that makes it. The values may have labels; those of the path have none.
  ///   - fileID: the file that the text of a trap names.
  ///   - line: likewise.
  public init<First, Second, Third, Fourth>(
    _ constructor: @escaping @Sendable (First, Second, Third, Fourth) -> Root, fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Value == (First, Second, Third, Fourth) {
    self.init(reading: { constructor($0.0, $0.1, $0.2, $0.3) }, fileID, line)
  }

  private init(reading make: @escaping @Sendable (Value) -> Root, _ fileID: StaticString, _ line: UInt) {
    let known = ConstructedCase<Root, Value>()
    self.init(
      embed: { value in
        let root = make(value)
        do throws(CaseFault) {
          try known.check(root, madeOf: value)
        } catch {
          error.trap(Root.self, fileID, line)
        }
        return root
      },
      extract: { root in
        do throws(CaseFault) {
          return try known.payload(of: root, madeBy: make)
        } catch {
          error.trap(Root.self, fileID, line)
        }
      })
  }
}

extension CaseFault {
  fileprivate func trap(_ root: Any.Type, _ fileID: StaticString, _ line: UInt) -> Never {
    fatalError(
      "CasePath: \(self); pass the name of a case of \(root), or use CasePath(embed:extract:)", file: fileID, line: line
    )
  }
}
