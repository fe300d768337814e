// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Drawings of what hardly fits` {
  @Test func `Ids that do not fit are shown without their scopes`() async {
    let rows = Reduce<Int, Int> { _, count in
      .merge(
        (0..<count).map { row in
          Effect<Int>.run(id: row.isMultiple(of: 2) ? "load" : "play", overlap: .restart) { _ in }
            .scoped("episodes") { $0 }.scoped(row) { $0 }
        })
    }
    let store = TestStore(initialState: 0, reducer: rows)
    store.send(4)
    let lines = Timeline.text(store.trace).split(separator: "\n")
    #expect(lines.prefix(2) == ["seconds  1        2        3        4", "         load     play     load     play"])
    await store.finish()
  }

  @Test func `Forty runs, of which those that fail and the newest are drawn`() {
    #expect(
      Timeline.text(Scripts.many().events) == #"""
        13 of 40 runs are drawn: first those that fail, lose actions or return late,
        then the active ones, then the newest. 27 runs and 54 rows about them are left
        out.

        seconds  15 29 30 31 32 33 34 35 36 37 38 39 40
                 15 29 30 31 32 33 34 35 36 37 38 39 40
          0.150  ●                                      .typed("15")  View.swift:12
                 !                                      15 fails: timedOut
          0.290     ●                                   .typed("29")  View.swift:12
                    ◆                                   .tick  from 29
          0.300        ●                                .typed("30")  View.swift:12
                       !                                30 fails: timedOut
          0.310           ●                             .typed("31")  View.swift:12
                          ◆                             .tick  from 31
          0.320              ●                          .typed("32")  View.swift:12
                             ◆                          .tick  from 32
          0.330                 ●                       .typed("33")  View.swift:12
                                ◆                       .tick  from 33
          0.340                    ●                    .typed("34")  View.swift:12
                                   ◆                    .tick  from 34
          0.350                       ●                 .typed("35")  View.swift:12
                                      ◆                 .tick  from 35
          0.360                          ●              .typed("36")  View.swift:12
                                         ◆              .tick  from 36
          0.370                             ●           .typed("37")  View.swift:12
                                            ◆           .tick  from 37
          0.380                                ●        .typed("38")  View.swift:12
                                               ◆        .tick  from 38
          0.390                                   ●     .typed("39")  View.swift:12
                                                  ◆     .tick  from 39
          0.400                                      ●  .typed("40")  View.swift:12

        At the end of the trace run 40 is running.

        15  run("save", input: 15) at App/Search.swift:14
        29  run("save", input: 29) at App/Search.swift:14
        30  run("save", input: 30) at App/Search.swift:14
        31  run("save", input: 31) at App/Search.swift:14
        32  run("save", input: 32) at App/Search.swift:14
        33  run("save", input: 33) at App/Search.swift:14
        34  run("save", input: 34) at App/Search.swift:14
        35  run("save", input: 35) at App/Search.swift:14
        36  run("save", input: 36) at App/Search.swift:14
        37  run("save", input: 37) at App/Search.swift:14
        38  run("save", input: 38) at App/Search.swift:14
        39  run("save", input: 39) at App/Search.swift:14
        40  run("save", input: 40) at App/Search.swift:14

        ● starts   ◆ its action is reduced   ! fails
        where a line stops, the run has ended
        """#)
  }

  @Test func `Forty runs in a narrow drawing`() {
    #expect(
      Timeline.text(Scripts.many().events, width: 40) == #"""
        5 of 40 runs are drawn: first those that
        fail, lose actions or return late, then
        the active ones, then the newest. 35
        runs and 70 rows about them are left
        out.

        seconds  15 30 38 39 40
                 15 30 38 39 40
          0.150  ●              .typed("15")
                 │              View.swift:12
                 !              15 fails:
                                timedOut
          0.300     ●           .typed("30")
                    │           View.swift:12
                    !           30 fails:
                                timedOut
          0.380        ●        .typed("38")
                       │        View.swift:12
                       ◆        .tick  from 38
          0.390           ●     .typed("39")
                          │     View.swift:12
                          ◆     .tick  from 39
          0.400              ●  .typed("40")
                             │  View.swift:12

        At the end of the trace run 40 is
        running.

        15  run("save", input: 15)
            at App/Search.swift:14
        30  run("save", input: 30)
            at App/Search.swift:14
        38  run("save", input: 38)
            at App/Search.swift:14
        39  run("save", input: 39)
            at App/Search.swift:14
        40  run("save", input: 40)
            at App/Search.swift:14

        ● starts   ◆ its action is reduced
        ! fails   │ runs
        where a line stops, the run has ended
        """#)
  }

  @Test func `A race in forty columns`() {
    #expect(
      Timeline.text(Scripts.safe().events, width: 40) == #"""
        seconds  1  2  3  4  5
          0.000  ●              .typed("s")
                 │              View.swift:12
          0.100  x  ●           .typed("sw")
                 ┊  │           View.swift:12
          0.200  ┊  x  ●        .typed("swi")
                 ┊  ┊  │        View.swift:12
          0.300  ┊  ┊  x  ●     .typed("swif")
                 ┊  ┊  ┊  │     View.swift:12
          0.400  ┊  ┊  ┊  x  ●  .typed("swift")
                 ┊  ┊  ┊  ┊  │  View.swift:12
          0.500  ┊  ◇  ┊  ┊  │  dropped:
                 ┊     ┊  ┊  │  .found("sw")
                 ┊     ┊  ┊  │  from 2
          0.550  ┊     ┊  ┊  ◆  .found("swift")
                 ┊     ┊  ┊     from 5
          0.600  ┊     ◇  ┊     dropped:
                 ┊        ┊     .found("swi")
                 ┊        ┊     from 3
          0.650  ◇        ┊     dropped:
                          ┊     .found("s")
                          ┊     from 1
          0.700           ◇     dropped:
                                .found("swif")
                                from 4

        1  run("search", input: "s", overlap:
           restart)
           at App/Search.swift:14
        2  run("search", input: "sw", overlap:
           restart)
           at App/Search.swift:14
        3  run("search", input: "swi", overlap:
           restart)
           at App/Search.swift:14
        4  run("search", input: "swif", overlap:
           restart)
           at App/Search.swift:14
        5  run("search", input: "swift",
           overlap: restart)
           at App/Search.swift:14

        ● starts   ◆ its action is reduced
        ◇ its action is dropped   x cancelled
        │ runs   ┊ cancelled, not returned
        where a line stops, the run has ended
        """#)
  }

  @Test func `A race in 120 columns`() {
    #expect(
      Timeline.text(Scripts.safe().events, width: 120) == #"""
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

        ● starts   ◆ its action is reduced   ◇ its action is dropped   x cancelled   │ runs   ┊ cancelled, not returned
        where a line stops, the run has ended
        """#)
  }

  @Test func `A trace that begins in the middle and has a gap`() {
    #expect(
      Timeline.text(Scripts.fragment()) == #"""
        The trace begins with event 6, what came before is not known.

        seconds  1      2
                 early  late
          0.000         ●      2 starts
          0.005         │      .cleared  View.swift:12
                        │      .tick  follow-up
                 │      │      7 events are missing here
                 !      │      1 fails: timedOut
                        │      turn goes on later, after 1000 actions
                        │      budget exceeded: 500 steps
                        !      2 fails: timedOut, its catch follows
                        ◆      .failed("timedOut")  from 2
          0.006         │      shutdown: draining
                        │      refused: .tick  View.swift:50
                        │      shutdown: cancelling
                        x      2 is cancelled by the shutdown
                               shutdown has ended

        1  run("early") at App/Search.swift:14
        2  run("late") at App/Search.swift:14

        ● starts   ◆ its action is reduced   ! fails   x cancelled   │ runs
        """#)
  }

  @Test func `Controls, wide characters and long texts`() {
    #expect(
      Timeline.text(Scripts.texts().events) == #"""
        seconds  1           2
                 日本語の検… odd\r\nval…
                 東京タワー… odd\r\nval…
          0.000  ●           ●           .typed("a\nb\t\u{1B}[31m")  View.swift:12
          0.010  │           │           .found("end; #1 \"q\" <br> \u{202E}abc
                 │           │           %%{init}%% $$x$$ \\n")  View.swift:12
          0.020  │           │           .typed("long long long long long long long long
                 │           │           long long long long long long lo…
                 │           │           View.swift:12

        At the end of the trace runs 1, 2 are running.

        1  run("日本語の検索", input: "東京タワー 👩‍👩‍👧 x") at App/Search.swift:14
        2  run(odd\r\nvalue, input: odd\r\nvalue, name: "two\nlines")
           at App/Search.swift:14

        ● starts   │ runs
        """#)
  }
}
