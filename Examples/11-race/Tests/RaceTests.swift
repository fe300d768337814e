// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import EffectTesting
import Testing

@testable import race

@Test func `The naive reducer shows stale results`() async {
  let race = await Race.run(overlap: .concurrent)
  #expect(race.stale == ["sw", "swi", "s", "swif"])
  let drawing = #"""
    seconds  1      2      3      4      5
             s      sw     swi    swif   swift
      0.100  ●                                  .typed("s")  Race.swift:29
      0.200  │      ●                           .typed("sw")  Race.swift:29
      0.300  │      │      ●                    .typed("swi")  Race.swift:29
      0.400  │      │      │      ●             .typed("swif")  Race.swift:29
      0.500  │      │      │      │      ●      .typed("swift")  Race.swift:29
      0.600  │      ◆      │      │      │      .answered("sw")  from 2
      0.700  │             │      │      ◆      .answered("swift")  from 5
      0.800  │             ◆      │             .answered("swi")  from 3
      0.900  ◆                    │             .answered("s")  from 1
      1.000                       ◆             .answered("swif")  from 4

    1  run("search", input: "s") at race/Search.swift:28
    2  run("search", input: "sw") at race/Search.swift:28
    3  run("search", input: "swi") at race/Search.swift:28
    4  run("search", input: "swif") at race/Search.swift:28
    5  run("search", input: "swift") at race/Search.swift:28

    ● starts   ◆ its action is reduced   │ runs
    where a line stops, the run has ended
    """#
  #expect(Timeline.text(race.events) == drawing)
}

@Test func `With overlap restart no old answer is ever shown (E1)`() async {
  let race = await Race.run(overlap: .restart)
  #expect(race.stale == [])
  let drawing = #"""
    seconds  1      2      3      4      5
             s      sw     swi    swif   swift
      0.100  ●                                  .typed("s")  Race.swift:29
      0.200  x      ●                           .typed("sw")  Race.swift:29
      0.300  ┊      x      ●                    .typed("swi")  Race.swift:29
      0.400  ┊      ┊      x      ●             .typed("swif")  Race.swift:29
      0.500  ┊      ┊      ┊      x      ●      .typed("swift")  Race.swift:29
      0.600  ┊      ◇      ┊      ┊      │      dropped: .answered("sw")  from 2
      0.700  ┊             ┊      ┊      ◆      .answered("swift")  from 5
      0.800  ┊             ◇      ┊             dropped: .answered("swi")  from 3
      0.900  ◇                    ┊             dropped: .answered("s")  from 1
      1.000                       ◇             dropped: .answered("swif")  from 4

    1  run("search", input: "s", overlap: restart) at race/Search.swift:28
    2  run("search", input: "sw", overlap: restart) at race/Search.swift:28
    3  run("search", input: "swi", overlap: restart) at race/Search.swift:28
    4  run("search", input: "swif", overlap: restart) at race/Search.swift:28
    5  run("search", input: "swift", overlap: restart) at race/Search.swift:28

    ● starts   ◆ its action is reduced   ◇ its action is dropped   x cancelled
    │ runs   ┊ cancelled, not returned   where a line stops, the run has ended
    """#
  #expect(Timeline.text(race.events) == drawing)
}
