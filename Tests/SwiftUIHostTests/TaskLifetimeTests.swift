// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Observation
import SwiftUI
import Testing

/// Works as long as it is shown.
private struct Job: Reducer {
  enum Action: Equatable, Sendable { case appeared, ticked }
  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .ticked: state += 1
    case .appeared:
      return .run(id: "work", overlap: .drop) { send in
        while true {
          try await send.sleep(for: .seconds(60))
          send(.ticked)
        }
      }
    }
    return .none
  }
}

private struct Jobs: Reducer {
  enum Action: Equatable, Sendable { case row(Int, Job.Action), add, remove }
  static let row = CasePath<Action, (Int, Job.Action)>(
    embed: { .row($0.0, $0.1) }, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  private var whole: some Reducer<[Int: Int], Action> {
    Reduce<[Int: Int], Action> { state, action in
      if action == .add { state[1] = 0 }
      if action == .remove { state[1] = nil }
      return .none
    }
    .forEach(\.self, action: Self.row) { Job() }
  }

  func reduce(into state: inout [Int: Int], action: Action) -> Effect<Action> {
    whole.reduce(into: &state, action: action)
  }
}

private struct JobRowView: View {
  let row: ObservableStore<Int, Job.Action>
  var body: some View { Text("row").task(sending: .appeared, to: row) }
}

private struct JobRowsView: View {
  let jobs: ObservableStore<Jobs.State, Jobs.Action>
  let ownsRows: Bool
  var body: some View {
    ForEach(jobs.ids(of: \.self), id: \.self) { id in
      if ownsRows {
        EffectView(jobs.scope(\.self, id: id, action: Jobs.row)) { JobRowView(row: $0) }
      } else if let row = jobs.scope(\.self, id: id, action: Jobs.row) {
        JobRowView(row: row)
      }
    }
  }
}

private struct JobView: View {
  let job: ObservableStore<Job.State, Job.Action>
  var body: some View { Text("job").task(id: 1, sending: .appeared, to: job) }
}

private struct SelectedJobView: View {
  let selection: Selection
  var body: some View {
    JobView(job: selection.job)
    Text("selected").task(sending: .ticked, to: selection.job)
  }
}

@MainActor @Observable private final class Selection {
  var job: ObservableStore<Job.State, Job.Action>
  init(_ job: ObservableStore<Job.State, Job.Action>) { self.job = job }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Tasks of rows and stores` {
  private func untilRunning(_ isRunning: () -> Bool) async { while !isRunning() { await Task.yield() } }

  @Test(arguments: [false, true])
  func `The task of a row that is removed and added again before a frame begins again (M2)`(ownsRows: Bool) async throws
  {
    let jobs = ObservableStore(initialState: [1: 0], reducer: Jobs())
    let host = ViewHost(JobRowsView(jobs: jobs, ownsRows: ownsRows))
    let row = try #require(jobs.scope(\.self, id: 1, action: Jobs.row))
    for _ in 1...3 {
      await untilRunning { row.isRunning("work") }
      jobs.send(.remove)
      #expect(!row.isRunning("work"))
      jobs.send(.add)
      host.frame()
    }
    await untilRunning { row.isRunning("work") }
    // A row that stays is not sent anything.
    jobs.send(.row(1, .ticked))
    host.frame()
    #expect(row.isRunning("work"))
    jobs.send(.remove)
    for _ in 1...2 { host.frame() }
    await host.cancelledTasksHaveEnded()
    #expect(!row.isRunning("work"))
  }

  @Test func `A view that is given another store ends its work in the old one, and begins it in the new one`() async {
    let first = ObservableStore(initialState: 0, reducer: Job())
    let second = ObservableStore(initialState: 0, reducer: Job())
    let selection = Selection(first)
    let host = ViewHost(SelectedJobView(selection: selection))
    await untilRunning { first.isRunning("work") }
    selection.job = second
    host.frame()
    await untilRunning { second.isRunning("work") }
    await host.cancelledTasksHaveEnded()
    #expect(!first.isRunning("work"))
    await untilRunning { (first[dynamicMember: \.self], second[dynamicMember: \.self]) == (1, 1) }
  }
}
