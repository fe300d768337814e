// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// The times of all processors since the machine was started, as Linux counts them.
struct ProcessorTimes {
  /// Parts of a time, from 0 to 1.
  struct Share {
    var busy: Double
    /// Nothing was ready to run, and something waited for a disk.
    var waiting: Double
  }

  private let times: [Double]

  /// `nil` on other systems.
  init?() {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
      let line = text.split(separator: "\n").first, line.hasPrefix("cpu ")
    else { return nil }
    // user, nice, system, idle, iowait, irq, softirq, steal
    times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    if times.count < 8 { return nil }
  }

  /// What the processors did from then until now.
  func shareSince() -> Share? {
    guard let now = ProcessorTimes() else { return nil }
    let spent = zip(now.times, times).map { $0 - $1 }
    let sum = spent.reduce(0, +)
    if sum <= 0 { return nil }
    return Share(busy: (sum - spent[3] - spent[4]) / sum, waiting: spent[4] / sum)
  }
}
