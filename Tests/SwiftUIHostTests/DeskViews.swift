// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Observation
import SwiftUI

typealias DeskStore = ObservableStore<Desk.State, Desk.Action>

struct WorkerView: View {
  let worker: ObservableStore<Worker.State, Worker.Action>
  var body: some View {
    Text("\(worker.name): \(worker.minutes)").task(sending: .appeared, to: worker)
    Button("Minute of \(worker.name)") { worker.send(.minutePassed) }
  }
}

struct SheetOverSheetView: View {
  let sheet: ObservableStore<Sheet.State, Sheet.Action>
  @Environment(\.dismiss) private var dismiss
  var body: some View {
    WorkerView(worker: sheet.scope(\.worker, action: Sheet.worker))
    Button("Close \(sheet.id)") { dismiss() }
      .sheet(sheet.presentation(\.note, action: Sheet.note, dismiss: .noteClosed)) { WorkerView(worker: $0) }
  }
}

struct DeskFormView: View {
  @Bindable var desk: DeskStore
  var body: some View {
    Form {
      TextField("Name", text: $desk.name)
      Toggle("Public", isOn: $desk.isPublic)
    }
  }
}

struct FoundRowsView: View {
  let desk: DeskStore
  var body: some View {
    TextField("Find", text: desk.binding(\.query, send: Desk.Action.searched))
    ForEach(desk.found, id: \.self) { id in
      EffectView(desk.scope(\.rows, id: id, action: Desk.row)) { WorkerView(worker: $0) }
    }
  }
}

struct DeskView: View {
  let desk: DeskStore
  var body: some View {
    let pages = desk.path(\.pages, action: Desk.pages)
    NavigationStack(path: pages.items) {
      VStack {
        Text("refreshed \(desk.refreshes)")
        Button("Refresh") { desk.send(.refresh) }
        DeskFormView(desk: desk)
        FoundRowsView(desk: desk)
      }
      .navigationDestination(pages) { WorkerView(worker: $0) }
    }
    .sheet(desk.presentation(\.sheet, action: Desk.sheet, dismiss: .sheetClosed)) { SheetOverSheetView(sheet: $0) }
    .alert("?", desk.presentation(\.question, action: Desk.question, dismiss: .questionClosed)) { question in
      Button("Yes") { question.send(.yes) }
      Button("Other") { question.send(.other) }
    } message: {
      Text("Delete \($0.id)?")
    }
  }
}

/// Two desks, one of which is shown, and a view with a store of its own, which is another one for each number.
@MainActor @Observable final class Office {
  var desks: [DeskStore]
  var selected = 0
  var number = 0
  let active: ActiveWork

  init(_ desks: [DeskStore], active: ActiveWork) { (self.desks, self.active) = (desks, active) }
}

struct OfficeView: View {
  let office: Office
  var body: some View {
    DeskView(desk: office.desks[office.selected])
    OwnView(office: office).id(office.number)
  }
}

struct OwnView: View {
  let office: Office
  var body: some View {
    EffectView(initialState: Worker.State(name: "own \(office.number)")) {
      Worker(active: office.active)
    } content: { worker in
      Text(worker.name).task(sending: .appeared, to: worker)
    }
  }
}
