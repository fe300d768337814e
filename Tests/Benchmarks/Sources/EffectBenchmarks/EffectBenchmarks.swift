// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

@main
enum EffectBenchmarks {
  /// Every row, in the order of the output. A new row is added to its group, or its group to this list.
  static let rows: [any Measurable] =
    Sending.rows + ChainRow.rows + Payloads.rows + Running.rows + Cancelling.rows + SendingLatency.rows
    + RunLatency.rows + TestStepRow.rows + ExploringRow.rows + Tracing.rows + [ExploringMemory()] + GrowingRuns.rows
    + GrowingSenders.rows + GrowingTrees.rows + Observing.rows + GrowingRows.rows + CasePathRow.rows

  @concurrent
  static func main() async {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.wantsHelp {
        print(Options.help(rows: rows))
        return
      }
      exit(await run(try select(options.only), options) ? 0 : 1)
    } catch {
      complain("\(error); try --help")
      exit(2)
    }
  }

  private static func select(_ names: [String]) throws -> [any Measurable] {
    if names.isEmpty { return rows.filter { !$0.isLong } }
    var selected: Set<String> = []
    for name in names {
      let exact = rows.filter { $0.name == name }
      let found = exact.isEmpty ? rows.filter { $0.isInGroup(name) } : exact
      if found.isEmpty { throw Options.Misuse(description: "there is no row '\(name)'") }
      selected.formUnion(found.map(\.name))
    }
    return rows.filter { selected.contains($0.name) }
  }

  /// Prints each row as soon as it is measured; returns whether all goals are met.
  private static func run(_ rows: [any Measurable], _ options: Options) async -> Bool {
    #if DEBUG
      complain("this is a debug build, whose ratios mean nothing; use -c release")
    #endif
    show(Table.heading)
    var missed: [String] = []
    for row in rows {
      let report = await row.report(options)
      show(report.text)
      if !report.isMet { missed.append(row.name) }
    }
    show(missed.isEmpty ? "every goal is met" : "missed: \(missed.joined(separator: ", "))")
    return missed.isEmpty
  }

  private static func show(_ text: String) {
    print(text)
    // Otherwise output into a pipe would show nothing for a minute.
    fflush(nil)
  }

  private static func complain(_ text: String) {
    let line = Array("effect-benchmarks: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { bytes in unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
