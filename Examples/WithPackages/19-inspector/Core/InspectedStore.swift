// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

/// A store of a session, whatever its state and actions are.
///
/// - Isolation: usable from any thread. Nothing here waits for the store, except ``fork(at:as:named:)`` and
///   ``continued(as:named:)``.
public protocol InspectedStore: AnyObject, Sendable {
  /// The number by which the page calls it.
  var id: Int { get }
  /// Its name.
  var name: String { get }
  /// Whether it is a fork, continued or not.
  var isFork: Bool { get }

  /// What a list of stores shows of it.
  func summary() -> StoreSummary

  /// The newest rows of a part of the history.
  ///
  /// - Parameters:
  ///   - positions: the positions to search.
  ///   - limit: how many rows to find.
  ///   - scan: how many bytes of descriptions to search: after this many it ends. An action counts at least 100.
  ///   - filter: which rows to show.
  func rows(in positions: Range<Int>, limit: Int, scan: Int, filter: RowFilter) -> RowPage

  /// What happened at a position: a checkpoint and the reductions from there, without effects.
  ///
  /// - Throws: ``InspectorError/unknownPosition(_:oldest:newest:)``.
  func moment(at position: Int) throws -> Moment

  /// The events around a position, each as JSON, for a timeline.
  func events(in positions: Range<Int>) -> [String]

  /// Sends an action that its codec reads from the bytes.
  ///
  /// - Throws: ``InspectorError``; nothing has been sent then.
  func send(_ bytes: [UInt8]) throws

  /// A store that begins with the state at a position and runs no effect.
  func fork(at position: Int, as id: Int, named name: String) async throws -> any InspectedStore

  /// A store that begins with the present state of this fork, and runs the effects of the reducer with which the store
  /// was attached.
  func continued(as id: Int, named name: String) async throws -> any InspectedStore

  /// The actions up to a position as a recording.
  ///
  /// - Parameters:
  ///   - newest: how many actions, counted back from the position; `nil` for all that are kept.
  ///   - position: the last action; `nil` for the newest one.
  ///   - mostBytes: how many bytes the actions and notes may have.
  /// - Throws: ``InspectorError``.
  func recording(newest: Int?, upTo position: Int?, mostBytes: Int) throws -> Recording

  /// The same as the source of a test.
  func testSource(newest: Int?, upTo position: Int?, mostBytes: Int) throws -> String
}

/// How a test that is exported makes the reducer and the codec.
public struct TestExpressions: Sendable {
  let reducer: String
  let codec: String
  let modules: [String]

  /// Names the expressions.
  ///
  /// - Parameters:
  ///   - reducer: an expression that makes the reducer.
  ///   - codec: an expression for the codec.
  ///   - modules: the modules to import.
  public init(reducer: String, codec: String, importing modules: [String] = []) {
    self.reducer = reducer
    self.codec = codec
    self.modules = modules
  }
}
