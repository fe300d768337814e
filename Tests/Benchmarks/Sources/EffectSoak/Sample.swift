// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation
internal import Synchronization

/// One second of the soak.
struct Sample: Sendable {
  var second: Double
  var sent: Double
  var reduced: Double
  var backlog: Double
  /// Microseconds from send to reduced.
  var p50: Double
  var p99: Double
  var p999: Double
  var longest: Double
  var megabytes: Double
}

/// Takes a sample once a second.
final class Sampler: Sendable {
  private struct Notes {
    var samples: [Sample] = []
    var wave = Histogram()
    var isOver = false
  }

  private let notes = Mutex(Notes())
  private let meter: Meter

  init(_ meter: Meter) {
    self.meter = meter
    Thread { [self] in
      let begun = now()
      var (sent, done, then) = (meter.sent.load(ordering: .relaxed), meter.done.load(ordering: .relaxed), begun)
      while !notes.withLock({ $0.isOver }) {
        usleep(1_000_000)
        let (sentNow, doneNow, moment) = (
          meter.sent.load(ordering: .relaxed), meter.done.load(ordering: .relaxed), now()
        )
        let seconds = Double(moment - then) / 1e9
        let latencies = meter.takeLatencies()
        let sample = Sample(
          second: Double(moment - begun) / 1e9, sent: Double(sentNow - sent) / seconds,
          reduced: Double(doneNow - done) / seconds,
          backlog: Double(sentNow - doneNow), p50: latencies.microseconds(0.5), p99: latencies.microseconds(0.99),
          p999: latencies.microseconds(0.999), longest: Double(latencies.longest) / 1e3, megabytes: heapInUse())
        (sent, done, then) = (sentNow, doneNow, moment)
        notes.withLock { notes in
          notes.samples.append(sample)
          notes.wave.add(latencies)
        }
      }
    }.start()
  }

  var samples: [Sample] { notes.withLock { $0.samples } }

  /// The latencies since the last call, with a precision of one second.
  func takeWave() -> Histogram {
    notes.withLock { notes in
      defer { notes.wave = Histogram() }
      return notes.wave
    }
  }

  func end() {
    notes.withLock { $0.isOver = true }
  }
}

extension Histogram {
  func microseconds(_ share: Double) -> Double { Double(percentile(share)) / 1e3 }
}
