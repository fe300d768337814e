// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The row about a growing number of threads that send to one store.
enum GrowingSenders {
  static let rows: [Growth] = [
    Growth(
      name: "growth-senders", title: "sent by so many threads at once", sizes: [1, 2, 4, 8, 16], middle: 4, rounds: 31,
      costs: ["reduce an action"]
    ) { threads in
      Growth.Subject { [await Sending.framework(producers: threads)] }
    }
  ]
}
