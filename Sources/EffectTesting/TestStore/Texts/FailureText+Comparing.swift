// This source file is part of swift-effects. License: Apache-2.0.

extension FailureText {
  /// Says which part of a state is compared, in each failure about the state. `rest` are the properties that are not
  /// `Equatable`.
  static func comparedOnly(_ code: String?, at site: String, rest: [String]) -> String {
    let text = """


      Compared by `comparing:\(code.map { " \($0)" } ?? "")` (\(site)). Nothing else of the state is compared.
      """
    let names = rest.prefix(5).map { "`\($0)`" } + (rest.count > 5 ? ["\(rest.count - 5) more"] : [])
    guard let last = names.last else { return text }
    if names.count == 1 { return text + " Its property \(last) is not `Equatable`." }
    return text + " Its properties \(names.dropLast().joined(separator: ", ")) and \(last) are not `Equatable`."
  }
}
