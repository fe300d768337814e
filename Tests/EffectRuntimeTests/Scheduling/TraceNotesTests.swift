// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct TraceNotesTests {
  private let description = EffectRun(id: "save", overlap: .concurrent, fileID: "App/Save.swift", line: 7)

  /// Notes while there is a listener.
  private var listening: TraceNotes {
    var notes = TraceNotes()
    notes.turn(on: true)
    return notes
  }

  @Test func `Notes are numbered from 1, taken once, and each follows from the first of its input (V2)`() {
    var notes = listening
    let run = notes.make(description, isTree: false)
    #expect(!notes.hasReported(run))
    notes.add(run, .registered(.starting))
    #expect(notes.hasReported(run))
    notes.add(run, .ended(.finished))
    #expect(notes.hasNotes)
    let taken = notes.take()
    #expect(taken.map(\.number) == [1, 2])
    #expect(taken.map(\.cause) == [nil, 1])
    #expect(!notes.hasNotes)
    #expect(notes.take().map(\.number) == [])
    #expect(notes.next() == 3)
  }

  @Test func `A cause from outside is kept, and without one a run follows from its own registration`() {
    var notes = listening
    let run = notes.make(description, isTree: false)
    notes.cause = 40
    notes.add(run, .registered(.starting))
    notes.cause = nil
    notes.add(run, .ended(.finished))
    #expect(notes.take().map(\.cause) == [40, 1])
  }

  @Test func `The start of a closure causes nothing`() {
    var notes = listening
    let run = notes.make(description, isTree: false)
    notes.add(run, .registered(.starting), after: 9)
    notes.cause = nil
    notes.add(run, .started(attempt: 1), after: 9)
    #expect(notes.cause == nil)
    #expect(notes.take().map(\.cause) == [9, 9])
  }

  @Test func `The run of a slot is kept until its slot is freed`() {
    var notes = listening
    let run = notes.make(description, isTree: false)
    #expect(notes[3]?.number == nil)
    notes.set(run, of: 3)
    #expect(notes[3]?.number == 1)
    #expect(notes[-1]?.number == nil && notes[2]?.number == nil && notes[4]?.number == nil)
    notes.forget(3)
    notes.forget(100)
    #expect(notes[3]?.number == nil)
    #expect(notes.make(description, isTree: true).number == 2)
  }

  @Test func `Without a listener nothing is left but the numbers`() {
    var notes = listening
    let run = notes.make(description, isTree: false)
    notes.add(run, .registered(.starting))
    notes.set(run, of: 3)
    #expect(notes.isOn)
    notes.turn(on: false)
    #expect(!notes.isOn && !notes.hasNotes && notes.cause == nil)
    #expect(notes[3]?.number == nil)
    #expect(notes.next() == 2)
  }

  @Test func `A shell may report when closures are called`() {
    var notes = listening
    #expect(!notes.areCallsReported)
    notes.reportCalls()
    #expect(notes.areCallsReported)
  }
}
