// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each line of the input is a query; its matches are written before the next line is read.
@MainActor
func searchInPipe(_ directory: String) async throws {
  // Whoever reads our output may stop reading, as `head` does. Then end at once and say nothing, as all filters do.
  _ = signal(SIGPIPE, SIG_DFL)

  // The same reducer as in the terminal, told not to keep what is written anyway. Writing is a part of the search: its
  // next step is not taken before the last one's findings have been accepted, however slow the reader is.
  let reducer = Search(limit: 0, pause: .zero) { query in
    FileSearch(directory: directory, query: query).map { findings in
      try report(findings)
      return findings
    }
  }
  let store = Store(initialState: Search.State(), reducer: reducer)
  while let query = readLine() {
    await store.send(.queryChanged(query)).finish()
    if case .failed(let message) = await store.state.phase { throw SearchFailure(description: message) }
  }
}

private func report(_ findings: Findings) throws {
  try write(findings.matches.map { "\($0)\n" }.joined(), to: STDOUT_FILENO)
  findings.skipped.forEach(complain)
}

private struct SearchFailure: Error, CustomStringConvertible {
  let description: String
}
