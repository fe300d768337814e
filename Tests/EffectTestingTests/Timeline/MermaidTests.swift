// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Mermaid diagrams` {
  @Test func `Five queries, each of which replaces the one before (E1)`() {
    #expect(
      Timeline.mermaid(Scripts.safe().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 search #quot;s#quot;
          participant R2 as 2 search #quot;sw#quot;
          participant R3 as 3 search #quot;swi#quot;
          participant R4 as 4 search #quot;swif#quot;
          participant R5 as 5 search #quot;swift#quot;
          U->>S: [0.000 s] .typed(#quot;s#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          U->>S: [0.100 s] .typed(#quot;sw#quot;)  View.swift:12
          S-xR1: is replaced
          S->>R2: starts
          activate R2
          U->>S: [0.200 s] .typed(#quot;swi#quot;)  View.swift:12
          S-xR2: is replaced
          S->>R3: starts
          activate R3
          U->>S: [0.300 s] .typed(#quot;swif#quot;)  View.swift:12
          S-xR3: is replaced
          S->>R4: starts
          activate R4
          U->>S: [0.400 s] .typed(#quot;swift#quot;)  View.swift:12
          S-xR4: is replaced
          S->>R5: starts
          activate R5
          R2--xS: [0.500 s] dropped: .found(#quot;sw#quot;)  from 2
          Note over R2: returns
          deactivate R2
          R5->>S: [0.550 s] .found(#quot;swift#quot;)  from 5
          R5-->>S: ends
          deactivate R5
          R3--xS: [0.600 s] dropped: .found(#quot;swi#quot;)  from 3
          Note over R3: returns
          deactivate R3
          R1--xS: [0.650 s] dropped: .found(#quot;s#quot;)  from 1
          Note over R1: returns
          deactivate R1
          R4--xS: [0.700 s] dropped: .found(#quot;swif#quot;)  from 4
          Note over R4: returns
          deactivate R4
        """#)
  }

  @Test func `A queue with two slots and room for one that waits (O1)`() {
    #expect(
      Timeline.mermaid(Scripts.queue().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 upload #quot;a#quot;
          participant R2 as 2 upload #quot;b#quot;
          participant R3 as 3 upload #quot;c#quot;
          participant R4 as 4 upload #quot;d#quot;
          U->>S: [0.000 s] .typed(#quot;a#quot;)  View.swift:30
          S->>R1: starts
          activate R1
          U->>S: [0.010 s] .typed(#quot;b#quot;)  View.swift:30
          S->>R2: starts
          activate R2
          U->>S: [0.020 s] .typed(#quot;c#quot;)  View.swift:30
          S-->>R3: waits for a free slot
          U->>S: [0.030 s] .typed(#quot;d#quot;)  View.swift:30
          S-xR4: is dropped
          R1->>S: [0.200 s] .found(#quot;a#quot;)  from 1
          R1-->>S: ends
          deactivate R1
          S->>R3: starts
          activate R3
          R2-->>S: [0.300 s] ends
          deactivate R2
          R3->>S: [0.400 s] .found(#quot;c#quot;)  from 3
          R3-->>S: ends
          deactivate R3
        """#)
  }

  @Test func `An attempt that throws, one out of time, and one that works (C2)`() {
    #expect(
      Timeline.mermaid(Scripts.retry().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 load #quot;report#quot;
          U->>S: [0.000 s] .typed(#quot;report#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          Note over R1: [0.080 s] fails: timedOut, again at 0.180 s
          S->>R1: [0.180 s] starts again, attempt 2
          Note over R1: [1.180 s] fails: timed out after 1.0 seconds, again at 1.380 s
          S->>R1: [1.380 s] starts again, attempt 3
          Note over R1: [1.400 s] returns from an attempt out of time
          R1->>S: [1.500 s] .found(#quot;report#quot;)  from 1
          R1-->>S: ends
          deactivate R1
        """#)
  }

  @Test func `A run that waits for its time and is dropped, and one that also sleeps (C2)`() {
    #expect(
      Timeline.mermaid(Scripts.debounce().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 search #quot;s#quot;
          participant R2 as 2 search #quot;sw#quot;
          U->>S: [0.000 s] .typed(#quot;s#quot;)  View.swift:12
          S-->>R1: waits until 0.300 s
          U->>S: [0.200 s] .typed(#quot;sw#quot;)  View.swift:12
          S-xR1: is dropped
          S-->>R2: waits until 0.500 s
          U->>S: [0.400 s] .tick  View.swift:12
          S->>R2: [0.500 s] starts
          activate R2
          Note over R2: sleeps until 0.800 s
          R2->>S: [0.800 s] .found(#quot;sw#quot;)  from 2
          R2-->>S: ends
          deactivate R2
        """#)
  }

  @Test func `A run that reacts to its cancel and one that does not (E2)`() {
    #expect(
      Timeline.mermaid(Scripts.deaf().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 deaf #quot;a#quot;
          participant R2 as 2 quick #quot;a#quot;
          U->>S: [0.000 s] .typed(#quot;a#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          S->>R2: starts
          activate R2
          Note over R1: [0.010 s] sleeps until 0.400 s
          U->>S: [0.020 s] .cleared  View.swift:12
          S-xR1: is cancelled
          S-xR2: is cancelled
          deactivate R2
          R2--xS: dropped: .found(#quot;quick#quot;)  from 2, sent at 0.015 s
          U->>S: [0.200 s] .tick  View.swift:12
          R1--xS: [0.400 s] dropped: .found(#quot;deaf#quot;)  from 1
          Note over R1: [0.450 s] returns
          deactivate R1
        """#)
  }

  @Test func `A run that others join (O1)`() {
    #expect(
      Timeline.mermaid(Scripts.join().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 search #quot;s#quot;
          U->>S: [0.000 s] .typed(#quot;s#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          U->>S: [0.050 s] .typed(#quot;s#quot;)  View.swift:20
          Note over S,R1: 2 joins 1
          U->>S: [0.060 s] .typed(#quot;s#quot;)  View.swift:20
          Note over S,R1: 3 joins 1
          Note over S: [0.070 s] cancelled: .typed(#quot;s#quot;)  View.swift:20
          R1->>S: [0.100 s] .found(#quot;s#quot;)  from 1
          R1-->>S: ends
          deactivate R1
        """#)
  }

  @Test func `A tree that is cancelled by the sender of its action (E6, L2)`() {
    #expect(
      Timeline.mermaid(Scripts.tree().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 page
          participant R2 as 2 text 1
          participant R3 as 3 image 2
          U->>S: [0.000 s] .typed(#quot;page#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          S->>R2: starts
          activate R2
          S->>R3: starts
          activate R3
          R2->>S: [0.020 s] .found(#quot;text#quot;)  from 2
          R2-->>S: ends
          deactivate R2
          Note over S: [0.030 s] cancelled: .typed(#quot;page#quot;)  View.swift:12
          S-xR1: is cancelled by the sender of its action
          deactivate R1
          S-xR3: is cancelled by the sender of its action
          S--xS: dropped: .cleared  follow-up
          deactivate R3
        """#)
  }

  @Test func `A trace that begins in the middle and has a gap`() {
    #expect(
      Timeline.mermaid(Scripts.fragment()) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 early
          participant R2 as 2 late
          Note over U,S: The trace begins with event 6, what came before is not known.
          activate R1
          S->>R2: [0.000 s] starts
          activate R2
          U->>S: [0.005 s] .cleared  View.swift:12
          S->>S: .tick  follow-up
          Note over S: 7 events are missing here
          R1--xS: fails: timedOut
          deactivate R1
          Note over S: turn goes on later, after 1000 actions
          Note over S: budget exceeded: 500 steps
          Note over R2: fails: timedOut, its catch follows
          R2->>S: .failed(#quot;timedOut#quot;)  from 2
          Note over S: [0.006 s] shutdown: draining
          U--xS: refused: .tick  View.swift:50
          Note over S: shutdown: cancelling
          S-xR2: is cancelled by the shutdown
          deactivate R2
          Note over S: shutdown has ended
        """#)
  }

  @Test func `Characters that Mermaid would interpret are escaped`() {
    #expect(
      Timeline.mermaid(Scripts.texts().events) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
          participant R1 as 1 日本語の検索 #quot;東京タワー 👩‍👩‍👧 x#quot;
          participant R2 as 2 odd#92;r#92;nvalue odd#92;r#92;nvalue
          U->>S: [0.000 s] .typed(#quot;a#92;nb#92;t#92;u{1B}[31m#quot;)  View.swift:12
          S->>R1: starts
          activate R1
          S->>R2: starts
          activate R2
          U->>S: [0.010 s] .found(#quot;e#110;d#59; #35;1 #92;#quot;q#92;#quot; #lt;br#gt; #92;u{202E}abc #37;#37;{init}#37;#37; #36;#36;x#36;#36; #92;#92;n#quot;)  View.swift:12
          U->>S: [0.020 s] .typed(#quot;long long long long long long long long long long long long long long lo…  View.swift:12
          Note over U,S: At the e#110;d of the trace runs 1, 2 are running.
        """#)
  }

  @Test func `For an empty trace only the store is drawn`() {
    #expect(
      Timeline.mermaid([TraceEvent<TraceScript.Action>]()) == #"""
        sequenceDiagram
          participant U as outside
          participant S as store
        """#)
  }
}
