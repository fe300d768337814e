// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each line of the input is a query, unless it is empty; its matches are written before the next line is read.
@MainActor
func searchInPipe(_ directory: String, recordingTo file: String? = nil) async throws {
  // The reader of our output may stop reading, as `head` does. Then end at once without a message, as all filters do.
  _ = signal(SIGPIPE, SIG_DFL)

  // The same reducer as in the terminal, with a limit of 0: it keeps no lines, as they are written anyway. Writing is a
  // part of the search: its next step waits until the reader has accepted the last findings, however slow it is.
  let reducer = Search(pause: .zero) { query in
    FileSearch(directory: directory, query: query, excluded: file.flatMap { FileIdentity($0) }).map { findings in
      try report(findings)
      return findings
    }
  }
  let store = Store(initialState: Search.State(limit: 0), reducer: reducer)
  let recorder = try await record(store, to: file)
  // With several queries, a count after the lines of each separates them. A single query needs no count, so the count
  // of the first is kept back until there is a second.
  var isFirst = true
  var keptBack: String?
  while let query = readLine() {
    guard !query.isEmpty else { continue }
    if let count = keptBack.take() { complain(count) }
    await store.send(.queryChanged(query)).finish()
    let state = await store.state
    if case .failed(let message) = state.phase { throw SearchFailure(description: message) }
    let count = summary(of: state)
    if isFirst, state.results.count > 0 { keptBack = count } else { complain(count) }
    isFirst = false
  }
  if let failure = recorder?.failure { throw failure }
}

private func summary(of state: Search.State) -> String {
  switch state.results.count {
  case 0: "no line contains \"\(state.query)\""
  case 1: "1 line contains \"\(state.query)\""
  case let count: "\(count) lines contain \"\(state.query)\""
  }
}

private func report(_ findings: Findings) throws {
  try write(findings.matches.map { "\($0)\n" }.joined(), to: STDOUT_FILENO)
  findings.skipped.forEach(complain)
}

private struct SearchFailure: Error, CustomStringConvertible {
  let description: String
}
