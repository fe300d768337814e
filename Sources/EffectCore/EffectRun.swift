// This source file is part of swift-effects. License: Apache-2.0.

/// What is known of a run before it starts. With it you test a reducer without a store.
///
/// Two runs are equal when their ids, overlaps, inputs, names and time modifiers are equal. The line that built the run
/// is kept, but not compared: moving code must not break a test.
public struct EffectRun: Sendable {
  /// The name by which you cancel and query it, with the scopes around it.
  public let id: EffectID?
  /// What happens when it starts while other runs of its id are active.
  public let overlap: Overlap
  /// The request context it was built with.
  public let input: (any Hashable & Sendable)?
  /// What failure texts and timelines call it.
  public let name: String?
  /// The line that built it.
  public let site: CallSite
  /// Whether its closure has returned, or was never called, in the result of a `shutdown`; otherwise `true`. Not compared.
  public private(set) var hasReturned = true
  /// The values of the time modifiers.
  package private(set) var timing: RunTiming?

  /// Makes the expected value of a test.
  ///
  /// For a run with time modifiers, compare the runs of an effect that has them: `effect.runs == expected.runs`.
  ///
  /// - Parameters:
  ///   - id: the id, with the scopes around it. If it is `nil`, `overlap` has no effect.
  ///   - overlap: what happens when other runs of the id are active.
  ///   - input: the request context.
  ///   - name: what failure texts call the run.
  ///   - fileID: the file of ``site``; not compared.
  ///   - line: the line of ``site``; not compared.
  public init(
    id: EffectID? = nil, overlap: Overlap = .concurrent, input: (any Hashable & Sendable)? = nil, name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.id = id
    self.overlap = id == nil ? .concurrent : overlap
    self.input = input
    self.name = name
    site = CallSite(fileID: fileID, line: line)
  }

  @usableFromInline
  package init(_ operation: any AnyOperation) {
    id = operation.id
    overlap = operation.overlap
    input = operation.input
    name = operation.name
    site = operation.site
    timing = operation.timing
  }

  /// A run without an input, a name and time modifiers.
  package init(id: EffectID?, overlap: Overlap, site: CallSite) {
    self.id = id
    self.overlap = overlap
    self.site = site
    (input, name) = (nil, nil)
  }

  /// The same run, as the result of a shutdown shows it.
  package func returned(_ hasReturned: Bool) -> EffectRun {
    var run = self
    run.hasReturned = hasReturned
    return run
  }

  func timed(_ timing: RunTiming) -> EffectRun {
    var run = self
    run.timing = self.timing?.overridden(by: timing) ?? timing
    return run
  }
}

extension EffectRun: Equatable {
  /// Compares everything but the source line and closures.
  public static func == (left: EffectRun, right: EffectRun) -> Bool {
    left.id == right.id && left.overlap == right.overlap && left.name == right.name
      && left.timing == right.timing && EffectInput.areEqual(left.input, right.input)
  }
}

extension EffectRun: CustomStringConvertible {
  /// As in the description of an effect: `run("search", input: "swift", overlap: restart).debounce(for: 0.3 seconds)`.
  public var description: String {
    if let missing = timing?.refusal { return "missingChild(\(ValueDescription.brief(missing.action)))" }
    var parts: [String] = []
    if let id { parts.append("\(id)") }
    if let input { parts.append("input: \(ValueDescription.brief(input))") }
    if let name { parts.append("name: \(ValueDescription.brief(name))") }
    if overlap != .concurrent { parts.append("overlap: \(overlap)") }
    return "run(\(parts.joined(separator: ", ")))\(timing?.description ?? "")"
  }
}
