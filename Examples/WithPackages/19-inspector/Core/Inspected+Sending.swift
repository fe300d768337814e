// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Inspected {
  func send(_ bytes: [UInt8]) throws {
    let action: R.Action
    do {
      action = try codec.decodeAction(bytes)
    } catch {
      throw InspectorError.undecodable(Self.reason(error), cases: cases)
    }
    let task: StoreTask? =
      switch source {
      case .attached(let attached): attached.store?.send(action)
      case .fork(let store, _): store.send(action)
      case .continued(let store, _): store.send(action)
      }
    guard let task, !task.isRefused else { throw InspectorError.storeEnded(name) }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    default: return "\(error)"
    }
  }

  /// The cases of the action, each with an example: that of the newest action, or what the codec can read.
  private var cases: [InspectorError.Case] {
    let examples = examples
    return CaseNames.of(R.Action.self).map { name in
      let values = ["{}"] + [#""""#, "0", "true", "[]"].map { #"{"_0":\#($0)}"# }
      let tried = values.map { #"{"\#(name)":\#($0)}"# } + [#""\#(name)""#]
      let example = examples[name] ?? tried.first { (try? codec.decodeAction(Array($0.utf8))) != nil }
      return InspectorError.Case(name: name, example: example)
    }
  }

  /// Newest actions as the codec writes them, by the names of their cases; for a fork also those before it.
  var examples: [String: String] {
    var examples: [String: String] = [:]
    let history = recorder.history
    for position in stride(from: history.count, to: max(history.oldest, history.count - 1_000), by: -1) {
      guard let action = history.entry(at: position)?.action else { continue }
      let mirror = Mirror(reflecting: action)
      guard mirror.displayStyle == .enum else { break }
      let name = mirror.children.first?.label ?? "\(action)"
      guard examples[name] == nil, let bytes = try? codec.encodeAction(action), bytes.count <= 200 else { continue }
      examples[name] = String(validating: bytes, as: UTF8.self)
    }
    return examples.merging(given) { own, _ in own }
  }
}

extension TraceSource {
  /// Where the action comes from: the inspector, or what a trace says.
  var text: String { isByHand ? "sent here by hand" : "\(self)" }

  /// Whether it was sent by a user of the page: by a line of this file.
  var isByHand: Bool {
    guard case .user(_, let site?) = self else { return false }
    return "\(site.fileID)" == #fileID
  }
}
