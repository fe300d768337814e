// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The header `Retry-After`: a number of seconds, or a date.
enum RetryAfter {
  /// Clients get the wait, too. A day would be a mistake of the service.
  static let most = Duration.seconds(3_600)

  /// The three forms of a date in RFC 9110.
  private static let formats = [
    "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
  ]

  /// How long to wait.
  ///
  /// - Parameters:
  ///   - text: the value of the header.
  ///   - date: the value of the header `Date` of the same answer, so that it does not matter if the clocks differ.
  /// - Returns: the wait; nil if the text says nothing.
  static func wait(_ text: String, date: String? = nil) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than an `Int` has are a number, too.
      return min(.seconds(Int(text) ?? .max), most)
    }
    guard let until = parsed(text) else { return nil }
    let now = date.flatMap(parsed) ?? Date.now
    return .seconds(min(max(until.timeIntervalSince(now), 0), most / .seconds(1)))
  }

  private static func parsed(_ text: String) -> Date? {
    let formatter = DateFormatter()
    (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(secondsFromGMT: 0))
    // The day of a month may have two spaces before it.
    let text = text.split(separator: " ").joined(separator: " ")
    for format in formats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
