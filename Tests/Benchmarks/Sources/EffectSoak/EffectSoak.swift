// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Foundation
internal import Synchronization

/// Keeps one store busy for minutes, while two threads are busy as well, under a load that grows and shrinks and once
/// is more than the store can process. Reports the costs and proves that no action was lost.
@main
struct EffectSoak {
  private static let senders = 4
  private static let producers = 16
  private static let waves = [
    Wave(name: "half of what it can do", peak: 0.5), Wave(name: "nine tenths", peak: 0.9),
    Wave(name: "one and a half times", peak: 1.5), Wave(name: "producers that wait", peak: nil),
  ]

  static func main() async {
    let options = Options(CommandLine.arguments.dropFirst())
    let meter = Meter()
    var report = Report()
    let before = heapInUse()
    let samples = await soak(meter, options, &report)
    report.close(sent: meter.sent.load(ordering: .relaxed), reduced: meter.done.load(ordering: .relaxed))
    report.close(heapBefore: before, after: heapInUse())
    if let path = options.svg {
      do {
        try Plot(samples: samples).svg.write(toFile: path, atomically: true, encoding: .utf8)
      } catch {
        print("cannot write \(path): \(error)")
        exit(2)
      }
    }
    exit(report.isGood ? 0 : 1)
  }

  private static func soak(_ meter: Meter, _ options: Options, _ report: inout Report) async -> [Sample] {
    let feature = Feature(meter: meter)
    let store = Store(initialState: Feature.State(senders: senders + producers), reducer: feature)
    let busy = BusyThreads(options.busy)
    let load = Senders(store: store, meter: meter, count: senders)
    var numbers = [UInt64](repeating: 0, count: senders)
    let capacity = await load.capacity(seconds: min(5, options.seconds / 8), numbers: &numbers)
    await idle(meter)
    _ = meter.takeLatencies()
    report.begin(busy: options.busy, capacity: capacity)
    let sampler = Sampler(meter)
    for wave in waves {
      let first = sampler.samples.count
      if let peak = wave.peak {
        await load.send(peak: peak * capacity, for: options.seconds / 4, numbers: &numbers)
      } else {
        let until = now() + UInt64(options.seconds / 4 * 1e9)
        for producer in senders..<senders + producers { store.send(.produce(sender: producer, until: until)) }
        // As soon as the last of their actions has been delivered.
        while await store.isRunning(.everything) { await pause(microseconds: 10_000) }
      }
      await idle(meter)
      // So that the current second has been sampled.
      await pause(microseconds: 1_100_000)
      report.add(wave, sampler.takeWave(), Array(sampler.samples.dropFirst(first)))
    }
    sampler.end()
    busy.end()
    report.close(await store.state, isLive: await store.isRunning(.everything))
    await store.shutdown(.draining)
    return sampler.samples
  }

  /// Returns when all that was sent has been reduced.
  private static func idle(_ meter: Meter) async {
    while meter.done.load(ordering: .relaxed) < meter.sent.load(ordering: .relaxed) {
      await pause(microseconds: 10_000)
    }
  }

  private static func pause(microseconds: UInt32) async {
    await onThread { _ = usleep(microseconds) }
  }
}

/// The options of the command line.
struct Options {
  var seconds = 600.0
  var busy = 2
  var svg: String?

  init(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch (argument, rest.popFirst()) {
      case ("--seconds", let value?): seconds = Double(value) ?? seconds
      case ("--busy", let value?): busy = Int(value) ?? busy
      case ("--svg", let value?): svg = value
      default:
        print("USAGE: effect-soak [--seconds 600] [--busy 2] [--svg FILE]")
        exit(argument == "--help" ? 0 : 2)
      }
    }
  }
}
