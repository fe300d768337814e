// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import live_search

/// A recorded session: 15 actions.
@Test func `A recorded session leads to the same states`() async throws {
  let lines = #"""
    050df5ee80549563 swift-effects-recording 2
    1bb3110136394b7a codec 1
    71ba5cb23cdb3ed3 state {"limit":0,"phase":{"idle":{}},"query":"","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    89a1eee5900aa7a5 action 0 11827748 user:live_search/SearchInPipe.swift:37 {"queryChanged":{"_0":"ada"}}
    49ac10070f6faadd after {"limit":0,"phase":{"waiting":{}},"query":"ada","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    33d049befdc1319d end 1
    0d494fadceb02afd run 11827748 run%201%20registered:%20run("search",%20input:%20"ada",%20overlap:%20restart)%20at%20live_search/Search.swift:77
    2cb84f05b5fcb5cb run 11827748 run%201%20started
    94b9cfce2af974a0 run 13220296 run%201%20sleeps%20until%200.012765%20s
    9bff20d79529d9dc action 1 13246405 run:1 {"started":{}}
    c66d477a844a3e46 after {"limit":0,"phase":{"searching":{}},"query":"ada","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    33d046befdc12c84 end 2
    ce990276fbcb0b2d action 2 13325773 run:1 {"found":{"_0":{"matched":1,"matches":[{"file":"notes/today.txt","line":2,"text":"Call%20Ada"}],"searched":0,"skipped":[]}}}
    668a853f5b65330e after {"limit":0,"phase":{"searching":{}},"query":"ada","results":{"count":1,"matched":1,"matches":[],"searched":0,"skipped":0}}
    33d047befdc12e37 end 3
    d7b903407a60348e action 3 13602424 run:1 {"found":{"_0":{"matched":1,"matches":[{"file":"notes/old/yesterday.txt","line":1,"text":"Ada%20has%20called"}],"searched":1,"skipped":[]}}}
    9023d224ec3da741 after {"limit":0,"phase":{"searching":{}},"query":"ada","results":{"count":2,"matched":2,"matches":[],"searched":1,"skipped":0}}
    33d044befdc1291e end 4
    9eed241c935ad7fd action 4 13738716 run:1 {"found":{"_0":{"matched":0,"matches":[],"searched":1,"skipped":[]}}}
    43db8e8847fc9a78 after {"limit":0,"phase":{"searching":{}},"query":"ada","results":{"count":2,"matched":2,"matches":[],"searched":2,"skipped":0}}
    33d045befdc12ad1 end 5
    1671c99592511832 action 5 13834308 run:1 {"finished":{}}
    c7d765856eb81814 after {"limit":0,"phase":{"finished":{}},"query":"ada","results":{"count":2,"matched":2,"matches":[],"searched":2,"skipped":0}}
    33d042befdc125b8 end 6
    688747da98693018 run 13900427 run%201%20finished
    eae21d6af7e57be9 action 6 14193812 user:live_search/SearchInPipe.swift:37 {"queryChanged":{"_0":"milk"}}
    8477c10bf0d7cc04 after {"limit":0,"phase":{"waiting":{}},"query":"milk","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    33d043befdc1276b end 7
    ac35c33bf05cde48 run 14193812 run%202%20registered:%20run("search",%20input:%20"milk",%20overlap:%20restart)%20at%20live_search/Search.swift:77
    1a31666eae8d0f2b run 14193812 run%202%20started
    4329645bb5c7ff3d run 14401080 run%202%20sleeps%20until%200.014386%20s
    0f4c205a8c893bc8 action 7 14478615 run:2 {"started":{}}
    33873c3b63b50cb9 after {"limit":0,"phase":{"searching":{}},"query":"milk","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    33d040befdc12252 end 8
    d8a88e9462d24c2f action 8 14549681 run:2 {"found":{"_0":{"matched":1,"matches":[{"file":"notes/today.txt","line":1,"text":"Buy%20milk"}],"searched":0,"skipped":[]}}}
    5092c01afba279f1 after {"limit":0,"phase":{"searching":{}},"query":"milk","results":{"count":1,"matched":1,"matches":[],"searched":0,"skipped":0}}
    33d041befdc12405 end 9
    17aa1d5d14628113 action 9 14679804 run:2 {"found":{"_0":{"matched":0,"matches":[],"searched":2,"skipped":[]}}}
    c5f0b9636df51d77 after {"limit":0,"phase":{"searching":{}},"query":"milk","results":{"count":1,"matched":1,"matches":[],"searched":2,"skipped":0}}
    cc1efc892f4768f7 end 10
    6a776b584a6f9b7c action 10 14772712 run:2 {"finished":{}}
    56b1a6e4167e7de3 after {"limit":0,"phase":{"finished":{}},"query":"milk","results":{"count":1,"matched":1,"matches":[],"searched":2,"skipped":0}}
    cc1efb892f476744 end 11
    d1cfabc3706369e9 run 14828816 run%202%20finished
    a35eeaaf79e1fdd3 action 11 14939941 user:live_search/SearchInPipe.swift:37 {"queryChanged":{"_0":"unicorn"}}
    9ad8f574e17c7d75 after {"limit":0,"phase":{"waiting":{}},"query":"unicorn","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    cc1efe892f476c5d end 12
    549747eb39dde3c1 run 14939941 run%203%20registered:%20run("search",%20input:%20"unicorn",%20overlap:%20restart)%20at%20live_search/Search.swift:77
    2c1e40a299d5683b run 14939941 run%203%20started
    a43a25a9cf837d6b run 15121190 run%203%20sleeps%20until%200.015106%20s
    bb9be910441035c8 action 12 15254888 run:3 {"started":{}}
    f8ec8ba54967a646 after {"limit":0,"phase":{"searching":{}},"query":"unicorn","results":{"count":0,"matched":0,"matches":[],"searched":0,"skipped":0}}
    cc1efd892f476aaa end 13
    68186871008884fb action 13 15358713 run:3 {"found":{"_0":{"matched":0,"matches":[],"searched":2,"skipped":[]}}}
    f64f925427e13b94 after {"limit":0,"phase":{"searching":{}},"query":"unicorn","results":{"count":0,"matched":0,"matches":[],"searched":2,"skipped":0}}
    cc1ef8892f47622b end 14
    e5e94df642d23cad action 14 15453243 run:3 {"finished":{}}
    bf203916893d0628 after {"limit":0,"phase":{"finished":{}},"query":"unicorn","results":{"count":0,"matched":0,"matches":[],"searched":2,"skipped":0}}
    cc1ef7892f476078 end 15
    8a2489a41492021f run 15509777 run%203%20finished
    """#
  let recording = try Recording(parsing: lines.utf8)
  let codec = Search.codec
  let reducer = Search.replaying
  let store = TestStore(initialState: try codec.decodeState(recording.initialState), reducer: reducer)
  try store.replay(recording, with: codec)
  await store.finish()
}
