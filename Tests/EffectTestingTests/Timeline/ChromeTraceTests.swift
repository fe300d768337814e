// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Chrome traces` {
  @Test func `Waiting, running, sleeping and all causes (C2)`() {
    #expect(
      Timeline.chromeTrace(Scripts.debounce().events) == #"""
        {"displayTimeUnit":"ms","otherData":{"firstEvent":1,"lostEvents":0},"traceEvents":[
        {"ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"store"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"actions"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"runs 1"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
        {"ph":"X","name":".typed(\"s\")","cat":"action","pid":1,"tid":1,"ts":0.000,"dur":0.001,"args":{"event":2,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":3,"pid":1,"tid":1,"ts":0.000},
        {"ph":"i","name":".typed(\"s\")","cat":"event","pid":1,"tid":1,"ts":0.000,"s":"t"},
        {"ph":"X","name":"1 search \"s\"","cat":"run","pid":1,"tid":2,"ts":0.001,"dur":200000.000,"args":{"run":1,"id":"\"search\"","input":"\"s\"","name":null,"overlap":"restart","site":"App/Search.swift:14","outcome":"dropped"}},
        {"ph":"X","name":"waits for its time","cat":"phase","pid":1,"tid":2,"ts":0.001,"dur":200000.000,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":3,"pid":1,"tid":2,"ts":0.001,"bp":"e"},
        {"ph":"X","name":".typed(\"sw\")","cat":"action","pid":1,"tid":1,"ts":200000.000,"dur":0.002,"args":{"event":5,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":6,"pid":1,"tid":1,"ts":200000.000},
        {"ph":"s","name":"cause","cat":"cause","id":7,"pid":1,"tid":1,"ts":200000.000},
        {"ph":"f","name":"cause","cat":"cause","id":6,"pid":1,"tid":2,"ts":200000.000,"bp":"e"},
        {"ph":"i","name":".typed(\"sw\")","cat":"event","pid":1,"tid":1,"ts":200000.000,"s":"t"},
        {"ph":"X","name":"2 search \"sw\"","cat":"run","pid":1,"tid":2,"ts":200000.002,"dur":599999.999,"args":{"run":2,"id":"\"search\"","input":"\"sw\"","name":null,"overlap":"restart","site":"App/Search.swift:14","outcome":"finished"}},
        {"ph":"X","name":"waits for its time","cat":"phase","pid":1,"tid":2,"ts":200000.002,"dur":299999.998,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":7,"pid":1,"tid":2,"ts":200000.002,"bp":"e"},
        {"ph":"X","name":".tick","cat":"action","pid":1,"tid":1,"ts":400000.000,"dur":0.001,"args":{"event":9,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"i","name":".tick","cat":"event","pid":1,"tid":1,"ts":400000.000,"s":"t"},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":2,"ts":500000.000,"dur":0.001,"args":{}},
        {"ph":"X","name":"sleeps","cat":"phase","pid":1,"tid":2,"ts":500000.001,"dur":299999.999,"args":{}},
        {"ph":"X","name":".found(\"sw\")","cat":"action","pid":1,"tid":1,"ts":800000.000,"dur":0.001,"args":{"event":13,"fate":"reduced","source":"from run 2","waited":0.000}},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":2,"ts":800000.000,"dur":0.001,"args":{}},
        {"ph":"s","name":"cause","cat":"cause","id":13,"pid":1,"tid":2,"ts":800000.000},
        {"ph":"f","name":"cause","cat":"cause","id":13,"pid":1,"tid":1,"ts":800000.000,"bp":"e"},
        {"ph":"i","name":".found(\"sw\")","cat":"event","pid":1,"tid":2,"ts":800000.000,"s":"t"}
        ]}
        """#)
  }

  @Test func `A closure that returns late, and its sends that are dropped (E2)`() {
    #expect(
      Timeline.chromeTrace(Scripts.deaf().events) == #"""
        {"displayTimeUnit":"ms","otherData":{"firstEvent":1,"lostEvents":0},"traceEvents":[
        {"ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"store"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"actions"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"runs 1"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
        {"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"runs 2"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":3}},
        {"ph":"X","name":".typed(\"a\")","cat":"action","pid":1,"tid":1,"ts":0.000,"dur":0.004,"args":{"event":2,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":3,"pid":1,"tid":1,"ts":0.000},
        {"ph":"s","name":"cause","cat":"cause","id":5,"pid":1,"tid":1,"ts":0.000},
        {"ph":"i","name":".typed(\"a\")","cat":"event","pid":1,"tid":1,"ts":0.000,"s":"t"},
        {"ph":"X","name":"1 deaf \"a\"","cat":"run","pid":1,"tid":2,"ts":0.001,"dur":449999.999,"args":{"run":1,"id":"\"deaf\"","input":"\"a\"","name":null,"overlap":"concurrent","site":"App/Search.swift:14","outcome":"cancelled: byEffect"}},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":2,"ts":0.001,"dur":9999.999,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":3,"pid":1,"tid":2,"ts":0.001,"bp":"e"},
        {"ph":"X","name":"2 quick \"a\"","cat":"run","pid":1,"tid":3,"ts":0.003,"dur":20000.000,"args":{"run":2,"id":"\"quick\"","input":"\"a\"","name":null,"overlap":"concurrent","site":"App/Search.swift:14","outcome":"cancelled: byEffect"}},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":3,"ts":0.003,"dur":19999.999,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":5,"pid":1,"tid":3,"ts":0.003,"bp":"e"},
        {"ph":"X","name":"sleeps","cat":"phase","pid":1,"tid":2,"ts":10000.000,"dur":10000.001,"args":{}},
        {"ph":"s","name":"cause","cat":"cause","id":14,"pid":1,"tid":3,"ts":15000.004},
        {"ph":"i","name":"dropped: .found(\"quick\")","cat":"event","pid":1,"tid":3,"ts":15000.004,"s":"t"},
        {"ph":"X","name":".cleared","cat":"action","pid":1,"tid":1,"ts":20000.000,"dur":0.003,"args":{"event":9,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":10,"pid":1,"tid":1,"ts":20000.000},
        {"ph":"s","name":"cause","cat":"cause","id":11,"pid":1,"tid":1,"ts":20000.000},
        {"ph":"i","name":".cleared","cat":"event","pid":1,"tid":1,"ts":20000.000,"s":"t"},
        {"ph":"X","name":"cancelled, not returned","cat":"phase","pid":1,"tid":2,"ts":20000.001,"dur":429999.999,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":10,"pid":1,"tid":2,"ts":20000.001,"bp":"e"},
        {"ph":"X","name":"cancelled, not returned","cat":"phase","pid":1,"tid":3,"ts":20000.002,"dur":0.001,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":11,"pid":1,"tid":3,"ts":20000.002,"bp":"e"},
        {"ph":"i","name":"returns","cat":"event","pid":1,"tid":3,"ts":20000.002,"s":"t"},
        {"ph":"X","name":"dropped: .found(\"quick\")","cat":"action","pid":1,"tid":1,"ts":20000.004,"dur":0.001,"args":{"event":14,"fate":"dropped","source":"from run 2","waited":5000.000}},
        {"ph":"f","name":"cause","cat":"cause","id":14,"pid":1,"tid":1,"ts":20000.004,"bp":"e"},
        {"ph":"X","name":".tick","cat":"action","pid":1,"tid":1,"ts":200000.000,"dur":0.001,"args":{"event":16,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"i","name":".tick","cat":"event","pid":1,"tid":1,"ts":200000.000,"s":"t"},
        {"ph":"X","name":"dropped: .found(\"deaf\")","cat":"action","pid":1,"tid":1,"ts":400000.000,"dur":0.001,"args":{"event":18,"fate":"dropped","source":"from run 1","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":18,"pid":1,"tid":2,"ts":400000.000},
        {"ph":"f","name":"cause","cat":"cause","id":18,"pid":1,"tid":1,"ts":400000.000,"bp":"e"},
        {"ph":"i","name":"dropped: .found(\"deaf\")","cat":"event","pid":1,"tid":2,"ts":400000.000,"s":"t"},
        {"ph":"i","name":"returns","cat":"event","pid":1,"tid":2,"ts":449999.999,"s":"t"}
        ]}
        """#)
  }

  @Test func `A trace that begins in the middle and has a gap`() {
    #expect(
      Timeline.chromeTrace(Scripts.fragment()) == #"""
        {"displayTimeUnit":"ms","otherData":{"firstEvent":6,"lostEvents":7},"traceEvents":[
        {"ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"store"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"actions"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"runs 1"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
        {"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"runs 2"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":3}},
        {"ph":"X","name":"2 late","cat":"run","pid":1,"tid":2,"ts":0.000,"dur":6000.004,"args":{"run":2,"id":"\"late\"","input":null,"name":null,"overlap":"concurrent","site":"App/Search.swift:14","outcome":"cancelled: shutdown","beginning":"its start is not in the trace"}},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":2,"ts":0.000,"dur":5000.006,"args":{}},
        {"ph":"X","name":".cleared","cat":"action","pid":1,"tid":1,"ts":5000.000,"dur":0.001,"args":{"event":8,"fate":"reduced","source":"sent at App/View.swift:12","waited":0.000}},
        {"ph":"i","name":".cleared","cat":"event","pid":1,"tid":1,"ts":5000.000,"s":"t"},
        {"ph":"X","name":".tick","cat":"action","pid":1,"tid":1,"ts":5000.001,"dur":0.001,"args":{"event":10,"fate":"reduced","source":"as a follow-up","waited":0.000}},
        {"ph":"i","name":".tick","cat":"event","pid":1,"tid":1,"ts":5000.001,"s":"t"},
        {"ph":"X","name":"1 early","cat":"run","pid":1,"tid":3,"ts":5000.002,"dur":0.001,"args":{"run":1,"id":"\"early\"","input":null,"name":null,"overlap":"concurrent","site":"App/Search.swift:14","outcome":"failed: timedOut","beginning":"its start is not in the trace"}},
        {"ph":"X","name":"runs","cat":"phase","pid":1,"tid":3,"ts":5000.002,"dur":0.001,"args":{}},
        {"ph":"i","name":"7 events are missing here","cat":"event","pid":1,"tid":1,"ts":5000.002,"s":"t"},
        {"ph":"i","name":"turn goes on later, after 1000 actions","cat":"event","pid":1,"tid":1,"ts":5000.004,"s":"t"},
        {"ph":"i","name":"budget exceeded: 500 steps","cat":"event","pid":1,"tid":1,"ts":5000.005,"s":"t"},
        {"ph":"X","name":"catch","cat":"phase","pid":1,"tid":2,"ts":5000.006,"dur":999.997,"args":{}},
        {"ph":"i","name":"fails: timedOut, its catch follows","cat":"event","pid":1,"tid":2,"ts":5000.006,"s":"t"},
        {"ph":"X","name":".failed(\"timedOut\")","cat":"action","pid":1,"tid":1,"ts":5000.007,"dur":0.001,"args":{"event":17,"fate":"reduced","source":"from run 2","waited":0.000}},
        {"ph":"s","name":"cause","cat":"cause","id":17,"pid":1,"tid":2,"ts":5000.007},
        {"ph":"s","name":"cause","cat":"cause","id":21,"pid":1,"tid":1,"ts":5000.007},
        {"ph":"f","name":"cause","cat":"cause","id":17,"pid":1,"tid":1,"ts":5000.007,"bp":"e"},
        {"ph":"i","name":".failed(\"timedOut\")","cat":"event","pid":1,"tid":2,"ts":5000.007,"s":"t"},
        {"ph":"i","name":"shutdown: draining","cat":"event","pid":1,"tid":1,"ts":6000.000,"s":"t"},
        {"ph":"i","name":"refused: .tick  View.swift:50","cat":"event","pid":1,"tid":1,"ts":6000.001,"s":"t"},
        {"ph":"i","name":"shutdown: cancelling","cat":"event","pid":1,"tid":1,"ts":6000.002,"s":"t"},
        {"ph":"X","name":"cancelled, not returned","cat":"phase","pid":1,"tid":2,"ts":6000.003,"dur":0.001,"args":{}},
        {"ph":"f","name":"cause","cat":"cause","id":21,"pid":1,"tid":2,"ts":6000.003,"bp":"e"},
        {"ph":"i","name":"returns","cat":"event","pid":1,"tid":2,"ts":6000.003,"s":"t"},
        {"ph":"i","name":"shutdown has ended","cat":"event","pid":1,"tid":1,"ts":6000.005,"s":"t"}
        ]}
        """#)
  }

  @Test func `An empty trace shows a store`() {
    #expect(
      Timeline.chromeTrace([TraceEvent<TraceScript.Action>]()) == #"""
        {"displayTimeUnit":"ms","otherData":{"firstEvent":1,"lostEvents":0},"traceEvents":[
        {"ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"store"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"actions"}},
        {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}}
        ]}
        """#)
  }
}
