// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Drawings` {
  @Test func `Five queries whose answers come back in another order`() {
    #expect(
      Timeline.text(Scripts.naive().events) == #"""
        seconds  1      2      3      4      5
                 s      sw     swi    swif   swift
          0.000  ●                                  .typed("s")  View.swift:12
          0.100  │      ●                           .typed("sw")  View.swift:12
          0.200  │      │      ●                    .typed("swi")  View.swift:12
          0.300  │      │      │      ●             .typed("swif")  View.swift:12
          0.400  │      │      │      │      ●      .typed("swift")  View.swift:12
          0.500  │      ◆      │      │      │      .found("sw")  from 2
          0.550  │             │      │      ◆      .found("swift")  from 5
          0.600  │             ◆      │             .found("swi")  from 3
          0.650  ◆                    │             .found("s")  from 1
          0.700                       ◆             .found("swif")  from 4

        1  run("search", input: "s") at App/Search.swift:14
        2  run("search", input: "sw") at App/Search.swift:14
        3  run("search", input: "swi") at App/Search.swift:14
        4  run("search", input: "swif") at App/Search.swift:14
        5  run("search", input: "swift") at App/Search.swift:14

        ● starts   ◆ its action is reduced   │ runs
        where a line stops, the run has ended
        """#)
  }

  @Test func `Five queries, each of which replaces the one before (E1)`() {
    #expect(
      Timeline.text(Scripts.safe().events) == #"""
        seconds  1      2      3      4      5
                 s      sw     swi    swif   swift
          0.000  ●                                  .typed("s")  View.swift:12
          0.100  x      ●                           .typed("sw")  View.swift:12
          0.200  ┊      x      ●                    .typed("swi")  View.swift:12
          0.300  ┊      ┊      x      ●             .typed("swif")  View.swift:12
          0.400  ┊      ┊      ┊      x      ●      .typed("swift")  View.swift:12
          0.500  ┊      ◇      ┊      ┊      │      dropped: .found("sw")  from 2
          0.550  ┊             ┊      ┊      ◆      .found("swift")  from 5
          0.600  ┊             ◇      ┊             dropped: .found("swi")  from 3
          0.650  ◇                    ┊             dropped: .found("s")  from 1
          0.700                       ◇             dropped: .found("swif")  from 4

        1  run("search", input: "s", overlap: restart) at App/Search.swift:14
        2  run("search", input: "sw", overlap: restart) at App/Search.swift:14
        3  run("search", input: "swi", overlap: restart) at App/Search.swift:14
        4  run("search", input: "swif", overlap: restart) at App/Search.swift:14
        5  run("search", input: "swift", overlap: restart) at App/Search.swift:14

        ● starts   ◆ its action is reduced   ◇ its action is dropped   x cancelled
        │ runs   ┊ cancelled, not returned   where a line stops, the run has ended
        """#)
  }

  @Test func `A queue with two slots and room for one that waits (O1)`() {
    #expect(
      Timeline.text(Scripts.queue().events) == #"""
        seconds  1  2  3  4
                 a  b  c  d
          0.000  ●           .typed("a")  View.swift:30
          0.010  │  ●        .typed("b")  View.swift:30
          0.020  │  │  ○     .typed("c")  View.swift:30
          0.030  │  │  ·  -  .typed("d")  View.swift:30
          0.200  ◆  │  ●     .found("a")  from 1
          0.300     ■  │     2 ends
          0.400        ◆     .found("c")  from 3

        1  run("upload", input: "a", overlap: enqueue(limit: 2, capacity: 1))
           at App/Search.swift:14
        2  run("upload", input: "b", overlap: enqueue(limit: 2, capacity: 1))
           at App/Search.swift:14
        3  run("upload", input: "c", overlap: enqueue(limit: 2, capacity: 1))
           at App/Search.swift:14
        4  run("upload", input: "d", overlap: enqueue(limit: 2, capacity: 1))
           at App/Search.swift:14

        ● starts   ○ waits for a slot or its time   ◆ its action is reduced
        - dropped, never runs   ■ ends   │ runs   · waits
        where a line stops, the run has ended
        """#)
  }

  @Test func `An attempt that throws, one out of time, and one that works (C2)`() {
    #expect(
      Timeline.text(Scripts.retry().events) == #"""
        seconds  1
                 report
          0.000  ●       .typed("report")  View.swift:12
          0.080  ↻       1 fails: timedOut, again at 0.180 s
          0.180  ●       1 starts again, attempt 2
          1.180  ↻       1 fails: timed out after 1.0 seconds, again at 1.380 s
          1.380  ●       1 starts again, attempt 3
          1.400  ┴       1 returns from an attempt out of time
          1.500  ◆       .found("report")  from 1

        1  run("load", input: "report", name: "load") at App/Search.swift:14

        ● starts   ◆ its action is reduced   ↻ fails, tries again later
        ┴ its closure returns   where a line stops, the run has ended
        """#)
  }

  @Test func `A run that waits for its time and is dropped, and one that also sleeps (C2)`() {
    #expect(
      Timeline.text(Scripts.debounce().events) == #"""
        seconds  1   2
                 s   sw
          0.000  ○       .typed("s")  View.swift:12
          0.200  -   ○   .typed("sw")  View.swift:12
          0.400      ·   .tick  View.swift:12
          0.500      ●   2 starts
                     z   2 sleeps until 0.800 s
          0.800      ◆   .found("sw")  from 2

        1  run("search", input: "s", overlap: restart) at App/Search.swift:14
        2  run("search", input: "sw", overlap: restart) at App/Search.swift:14

        ● starts   ○ waits for a slot or its time   ◆ its action is reduced
        - dropped, never runs   z sleeps   · waits
        where a line stops, the run has ended
        """#)
  }

  @Test func `A run that reacts to its cancel and one that does not, with all they send (E1, E2)`() {
    #expect(
      Timeline.text(Scripts.deaf().events) == #"""
        seconds  1      2
                 deaf   quick
                 a      a
          0.000  ●      ●      .typed("a")  View.swift:12
          0.010  z      │      1 sleeps until 0.400 s
          0.020  x      x      .cleared  View.swift:12
                 ┊      ◇      dropped: .found("quick")  from 2, sent at 0.015 s
          0.200  ┊             .tick  View.swift:12
          0.400  ◇             dropped: .found("deaf")  from 1
          0.450  ┴             1 returns

        1  run("deaf", input: "a") at App/Search.swift:14
        2  run("quick", input: "a") at App/Search.swift:14

        ● starts   ◇ its action is dropped   x cancelled   ┴ its closure returns
        │ runs   z sleeps   ┊ cancelled, not returned
        """#)
  }

  @Test func `A run that others join (O1)`() {
    #expect(
      Timeline.text(Scripts.join().events) == #"""
        seconds  1
                 s
          0.000  ●  .typed("s")  View.swift:12
          0.050  +  .typed("s")  View.swift:20, 2 joins 1
          0.060  +  .typed("s")  View.swift:20, 3 joins 1
          0.070  │  cancelled: .typed("s")  View.swift:20
          0.100  ◆  .found("s")  from 1

        1  run("search", input: "s", overlap: join) at App/Search.swift:14

        ● starts   ◆ its action is reduced   + another run joins   │ runs
        where a line stops, the run has ended
        """#)
  }

  @Test func `A tree that is cancelled by the sender of its action (E6, L2)`() {
    #expect(
      Timeline.text(Scripts.tree().events) == #"""
        seconds  1      2      3
                 page   text   image
                        1      2
          0.000  ●      ●      ●      .typed("page")  View.swift:12
          0.020  │      ◆      │      .found("text")  from 2
          0.030  x             x      cancelled: .typed("page")  View.swift:12
                               ┊      dropped: .cleared  follow-up
                               ┴      3 returns

        1  tree("page", overlap: restart) at App/Search.swift:40
        2  run("text", input: 1) at App/Search.swift:14
        3  run("image", input: 2) at App/Search.swift:14

        ● starts   ◆ its action is reduced   x cancelled   ┴ its closure returns
        │ runs   ┊ cancelled, not returned   where a line stops, the run has ended
        """#)
  }
}
