// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectTesting

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The peak of memory of one exploration of ten million schedules, after a tenth of them and after all.
struct ExploringMemory: Measurable {
  let name = "explore-ten-million"
  let title = "the peak of memory in one exploration of 10,000,000 schedules"
  let isLong = true
  private static let schedules = 10_000_000

  func report(_ options: Options) async -> Report {
    var count = 0
    var early = 0
    // Nine queries have 34,459,425 orders.
    let result = await explore(budget: .schedules(Self.schedules), options: .init(upTo: .answers)) { schedule in
      count += 1
      if count == Self.schedules / 10 { early = Self.peak }
      let run = schedule.store(
        initialState: Queries.State(), reducer: Queries(id: nil, overlap: .concurrent), always: { $0.results <= 9 })
      for query in 1...9 { run.send(.typed(query)) }
    }
    let late = Self.peak
    precondition(result.schedules == Self.schedules && result.failure == nil, "\(result)")
    let isMet = Double(late) <= 1.05 * Double(early)
    return Report(
      text: """
        \(name): \(title)
            after a tenth \(Table.grouped(Double(early))) KB, after all \(Table.grouped(Double(late))) KB   <= 1.05x   \
        \(isMet ? "met" : "MISSED")
        """, isMet: isMet)
  }

  /// The peak memory of the process, in kilobytes.
  private static var peak: Int {
    var usage = rusage()
    // `RUSAGE_SELF`, which some systems declare with another type than the parameter of the function.
    _ = unsafe getrusage(0, &usage)
    #if canImport(Darwin)
      return usage.ru_maxrss / 1_024
    #else
      return usage.ru_maxrss
    #endif
  }
}
