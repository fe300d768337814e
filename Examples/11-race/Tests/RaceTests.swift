// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import race

@Test func `The naive reducer really shows a stale result`() async {
  let timeline = await Race.run(overlap: .concurrent)
  #expect(timeline.showedStaleResult)
  #expect(
    timeline.description == """
                       s      sw     swi    swif   swift
      type s           ●
      type sw          │      ●
      type swi         │      │      ●
      type swif        │      │      │      ●
      type swift       │      │      │      │      ●
      answer to sw     │      ◆      │      │      │      shows sw   <- stale: the query is swift
      answer to swift  │             │      │      ◆      shows swift
      answer to swi    │             ◆      │             shows swi   <- stale: the query is swift
      answer to s      ◆                    │             shows s   <- stale: the query is swift
      answer to swif                        ◆             shows swif   <- stale: the query is swift
      """)
}

@Test func `With overlap restart no old answer is ever shown (E1)`() async {
  let timeline = await Race.run(overlap: .restart)
  #expect(!timeline.showedStaleResult)
  #expect(
    timeline.description == """
                       s      sw     swi    swif   swift
      type s           ●
      type sw          x      ●
      type swi         ┊      x      ●
      type swif        ┊      ┊      x      ●
      type swift       ┊      ┊      ┊      x      ●
      answer to sw     ┊      ◇      ┊      ┊      │      dropped
      answer to swift  ┊             ┊      ┊      ◆      shows swift
      answer to swi    ┊             ◇      ┊             dropped
      answer to s      ◇                    ┊             dropped
      answer to swif                        ◇             dropped
      """)
}
