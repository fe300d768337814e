// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// Where a job stops, without a task.
struct ActingJobTests {
  @Test func `It does not stop before its first message`() {
    var job = ActingJob(stops: true, count: 3)
    let stops = job.willPost(3)
    #expect(!stops)
  }

  @Test func `It stops before each further message`() {
    var job = ActingJob(stops: true, count: 3)
    _ = job.willPost(3)
    let stops = [job.willPost(3), job.willPost(3)]
    #expect(stops == [true, true])
  }

  @Test func `The rest of a job that has stopped behind a message stops before the next one`() {
    var job = ActingJob(stops: true, isPart: true, hasPosted: true, count: 3)
    let stops = job.willPost(3)
    #expect(stops)
  }

  @Test func `It stops before its first message if it has made a job ready`() {
    var job = ActingJob(stops: true, count: 3)
    let stops = job.willPost(4)
    #expect(stops)
  }

  @Test func `The first run is named for which it could not stop, once`() {
    var job = ActingJob(stops: true)
    let (first, second) = (Token(slot: 1, generation: 1), Token(slot: 2, generation: 1))
    let cancels = [job.miss(first), job.miss(second)]
    #expect(cancels == [false, false])
    let missed = [job.takeMissed(), job.takeMissed()]
    #expect(missed == [first, nil])
  }

  @Test func `It is cancelled once if it goes on and on`() {
    var job = ActingJob(stops: true)
    var cancels: [Int] = []
    for number in 1...20_000 where job.miss(Token(slot: 1, generation: 1)) { cancels.append(number) }
    #expect(cancels == [10_000])
  }

  @Test func `It does not stop after its end`() {
    var job = ActingJob(stops: true, isPart: true)
    #expect(job.stops)
    job.end()
    #expect(!job.stops)
  }
}
