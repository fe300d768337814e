// This source file is part of swift-effects. License: Apache-2.0.

/// The tests that prove the rows of Docs/Troubleshooting.md.
enum TroubleshootingRows {
  /// Each row of the page, in its order: the text of its first column, and the names of its tests.
  static let all: [(cause: String, tests: [String])] = {
    var rows: [(cause: String, tests: [String])] = []
    for line in table.split(separator: "\n") {
      if line.hasPrefix("  ") {
        rows[rows.count - 1].tests.append(String(line.dropFirst(2)))
      } else {
        rows.append((cause: String(line), tests: []))
      }
    }
    return rows
  }()

  private static let table = #"""
    A `debounce` or `throttle` without an id
      A run that was not started because it had no id is a failure with its line (C2)
      A modifier that needs an id reports it
    With `.drop`, a run of the id is active
      Each mistake is one failure with the text on the page, and the fixed test is green
    It waits in a queue: `.enqueue`, `.keepLatest`, a limit, `exclusive`
      A cancelled exclusive run keeps its slot until its closure has returned (O2)
      At most limit closures execute, also after any cancel (O2)
    Its `StoreTask` was cancelled before the action was reduced
      Cancelled twice, late, or unknown: nothing happens (L2)
      Cancelled before its reduction, an action is reduced and its runs never start (L2)
    The store is shut down
      After the call actions are refused, and those accepted before are reduced in order (L4, T2)
      A shutdown answers each request once: refused, cut short, or with its value when it drains (L3, L4)
      A turn that grows too long is reported (T5), and a refused action (L4)
    The child does not exist
      An action for a removed child is dropped and fails the test, with the line (M3)
      A store reports it if there was no child when it was sent, and only traces it if it has waited (M3)
    Runs block their threads: a semaphore, a lock, a synchronous socket
      A run that blocks its thread delays no other run while another thread is free
    In a test, its time has not come
      Each mistake is one failure with the text on the page, and the fixed test is green
    After a restart, work that the restored state describes
      A feature that does not resume its work fails in some schedule
    It has no id, or `.concurrent`
      A run without an id takes the one it is given, with its overlap
    The ids differ, although they look equal: `1` and `UInt8(1)`
      Ids whose values hash alike are distinguished by their values
      Numbers with the same hash are distinguished, and can be removed in any order
      Ids are equal when type and value are
      An id of an optional is the id of its value, wherever it is given
      An optional id is the id in it, or none
    The id is an object that changes
      An id that changes is another id from then on; all other ways reach its former work (E3, S3)
    A cancelled closure still executes
      A run that ignores its cancel sends and reports nothing more (E1, E4)
      A run that ignores its cancel blocks only exclusive runs of its own id (E2, O2)
      A run that ignores its cancellation
    `retry`
      Three attempts with a limit each come before the catch (C5)
    The view appears again
      A task begins when its view appears, and is cancelled when the id changes and when the view disappears
    Both runs are active: `.concurrent`, or no id
      The README shows what an exploration says
    Two lines use one id, one of them with a `delay` or `debounce`
      Two overlaps under one id are reported with both lines, once a pair (O1)
      Without a handler each pair of lines that disagree about an id is printed once (O1)
      Two overlaps under one id fail the test, with both lines (O1)
    A child has a new state and the id of the old one
      A child with a new state and the old id is given the answer that the old state asked for (M2)
    Two rows with one id in an array
      Two rows of one id are one row to their actions and their work (M1, M2)
    A cancelled write ends after the next one
      A restarted exclusive run waits for the one it replaces (O2)
    The state is an object, or holds one
      A state that is an object
      A field that holds an object notifies although the object equals itself (M5)
      An object, an optional one and collections of objects notify alike, whenever the state was reduced (M5)
    Its run was cancelled, replaced or out of time
      An action of a run that was cancelled or replaced is dropped in silence (E1)
      Delivered is false for a run that was cancelled, also from a task that was not (E1)
      Drops of a replaced run, of a run that timed out, and of a task that outlives its run (E1)
      Several drops, each for another reason (E1)
    The closure of its run has returned: a callback, a detached task
      A detached task that outlives its run sends nothing more, and that is reported (E1)
      Delivered is false for a run that has ended (E1)
    It comes late, and is not dropped: sent from a reducer
      A reducer that sends finds its action behind all that waits (L1, T1)
      Nested sends from a reducer only enqueue (L1, T1)
    It comes late: sent from code that the store calls, such as a handler, `deinit`, an observer, `onFailure`, a condition
      Handlers and deinits come last, left to right, find the final state, and only enqueue (E8, L1)
      An observer finds the new state, and what it sends waits (E8, L1)
      What a listener sends waits its turn, on the store's own isolation too (L1)
      A failure is reported when the run has left its slot, and what is sent then waits (E8, E5)
      The backoff of a retry is called outside of any state change, and may send (E8)
      The answer may be an error, and may send, which waits its turn (L3, E8)
      What a condition or an == sends waits its turn (T1, L1)
      What the condition of a query sends waits until the query is answered (T1, S3)
      Reductions never overlap, whatever the executor does meanwhile (T1)
    The id is misspelt, or is in another scope
      By id and by ids they are events, with the action as the cause (V1)
      Is named by the failure of a run that goes on (V1)
      A fault that no run can get fails, and the text says how to find an id
    The closure ignores its cancellation
      A run that ignores its cancel sends and reports nothing more (E1, E4)
    It reaches a tree that it is a part of
      A cancel that reaches a tree around it is reported with both lines, once a pair (E6)
      A cancel that reaches a tree around it fails the test, with both lines (E6)
    The work is inside a tree (`cancellable`) of its id
      A send under the same id twice, or five times, is reduced (E6)
      Work of the id of a tree around it is a part of the tree, at any depth (E6)
      Work inside a tree of its id is reported with both lines, once, and decides nothing (E6)
      The same in a tree of the same id, and if a run's action needs the run's slot (O3, O4)
    It assigns to a field that `writableFields` does not contain: `$account.balance`
      Can be assigned to, and an assignment to another one is reported and sends nothing
      Are those of the child in a child store
    It shows a child that was removed
      An action for a removed child is dropped and fails the test, with the line (M3)
      A store reports it if there was no child when it was sent, and only traces it if it has waited (M3)
    Its case path is made for each call
      Two case paths to the same child are two child stores
    It shows a preview's state
      A preview shows a state, or works
    `finish()` or `request` inside a run of the same action
      A run's wait for itself is reported with the run, its line and what to do instead (L2, L4)
      A run that waits for itself, wherever it does so, is reported and goes on (L2)
      A run whose request would wait for the run itself gets an error, and is reported (L3, L2)
    `finish()` or `request` in a `Task { }` of such a run
      A task that a run has left behind waits until the run has settled, and is not reported (L2)
      A run that awaits a task that waits for the run is not settled until it is cancelled (L2)
    A run waits for work queued behind it, or for a run that waits for this one
      A run that waits for work that is queued behind it is reported and goes on (O4, L2)
      Two runs that wait for each other's action both go on, and one is reported (L2)
      A request for work that is queued behind it throws that it waits for itself (L3, L2)
      Work that is queued later behind a run that waits for it ends that wait (L2, O4)
    Runs of two stores wait for each other; a detached task of a run waits
      Two stores that wait for each other wait until one of them is cancelled (L2, O4)
    A shutdown, and a run that ignores its cancellation
      A cancelled waiter returns at once what has not returned, and draining becomes cancelling (L4)
      A run that ignores its cancellation
    `shutdown` inside a run of the same store
      A run's wait for itself is reported with the run, its line and what to do instead (L2, L4)
      A run that waits for the end of its own store is reported and goes on; the end comes (L4, L2)
      A closure that ran out of time and waits for the end of its own store is reported and goes on (L4, C2)
    A reducer that returns `.send` without end
      A turn longer than the limit lets other actions in and drops nothing (T5)
      A turn that was put aside is reduced to its end; cut, its runs do not start (L4, T5)
      A cycle of follow-ups
    Runs and actions cause each other without end
      A cycle of runs that answer one another
    A loop that waits for nothing, an endless `retry` without a backoff
      A run that never suspends for long
      A retry without a backoff that always fails is a failure, and the test goes on (C2)
      A run that goes on for ever, cancelled or not, ends the search and is named
    A duration without end: 292 years or more, as `.seconds(Int64.max)`
      A delay of zero or less is no delay
      A sleep of a negative duration is over at once, on the system's clock as well (C1)
      A wait so long that its end is never reached is a wait like any other (C1, C2)
      A sleep for ever on the system's clock lasts until it is cancelled (C1)
      A sleep without end is not over when any time has passed (C1)
    A clock that throws, or does not wait although its time does not change
      A clock that throws is reported with the run that waits, once (C1)
      A clock that throws is reported for a run that has a time limit (C1)
      A clock that has thrown once wakes the store for what is due later (C1)
      A clock that returns at once is reported, and not called for ever (C1)
    A run holds its own store
      A run that holds its store keeps it until it has returned (E7)
    A reducer holds its store; an actor keeps a store made with `isolation: self`
      A reducer that holds its store is a cycle, until it releases the store (E7)
      An actor that keeps a store on itself is a cycle, until it releases the store (L5, E7)
    An iteration of every value (`.unbounded`) that is not read
      A reader that does not read holds no sender back, and sees every value later (M6)
    A run is suspended outside of the test: the network, a real sleep, the main actor
      A call outside of the test's control is waited for, and so is its answer
      Work that stays outside longer than the wait does not count as ended
    A mock is never answered
      A run that waits for a mock at the end of the test
      A receive while the only run waits for a mock
      A mock that the test must answer fails at the end of a schedule, without a wait in real time
    Code that never suspends
      A run that never suspends for long
    A real clock, a dispatch queue, the main actor
      A send from a detached task wakes the step
    The time of day, or a random number, in `reduce`
      A choice that the explorer does not control is found and named
      The first divergence of a changed reducer is found, and the unchanged one has none
    Two runs end at the same time
      Actions may be received in any order
    Data shared by runs through `@unchecked Sendable`
      An actor that one schedule changes and the next one uses is found
    `#expect` in a run or a mock
      A run, its catch closure and its tasks inherit no task-locals of the test (L6)
    An `assert` that sets nothing, `assertEffects { _ in }` or a closure that changes nothing with `exhaustivity` off, a predicate that accepts everything
      A state that is not what is asserted
      No change where one is expected
    An exploration without any property
      An exploration without a property fails if a run throws
    A script that waits for an action that never ends
      A finish of an action that never ends leaves the exploration incomplete, and is a deadlock
    The main actor, a real sleep or real input continues the work
      A task that sleeps in real time is a gap
      Work that moves to another executor is a gap, and the exploration is not complete
    The feature never ends
      A long schedule ends, and a limit cuts an endless one
      A schedule that reaches a limit is cut and proves nothing
      A condition for the end fails if no schedule reaches an end, and names the limit
      A condition that never holds before each schedule is cut fails
    `threw`
      Without a handler each failing line is printed once, on standard error (E5)
      An error that is not caught (E5)
      A run that fails stops nothing else: others of its turn, tree and id go on (E5, E6)
    `timedOut`
      Three attempts with a limit each come before the catch (C5)
    `overlapConflict`
      Two overlaps under one id are reported with both lines, once a pair (O1)
      Without a handler each pair of lines that disagree about an id is printed once (O1)
      Two overlaps under one id fail the test, with both lines (O1)
      A send under the same id twice, or five times, is reduced (E6)
      Work of the id of a tree around it is a part of the tree, at any depth (E6)
      Work inside a tree of its id is reported with both lines, once, and decides nothing (E6)
      The same in a tree of the same id, and if a run's action needs the run's slot (O3, O4)
    `selfCancellation`
      A cancel that reaches a tree around it is reported with both lines, once a pair (E6)
      A cancel that reaches a tree around it fails the test, with both lines (E6)
    `missingChild`
      An action for a removed child is dropped and fails the test, with the line (M3)
      A store reports it if there was no child when it was sent, and only traces it if it has waited (M3)
    `missingID`
      A run that was not started because it had no id is a failure with its line (C2)
      A modifier that needs an id reports it
    `sentAfterReturn`
      A detached task that outlives its run sends nothing more, and that is reported (E1)
      Delivered is false for a run that has ended (E1)
    `waitsForItself`
      A run's wait for itself is reported with the run, its line and what to do instead (L2, L4)
      A run that waits for itself, wherever it does so, is reported and goes on (L2)
      A run whose request would wait for the run itself gets an error, and is reported (L3, L2)
      A run that waits for the end of its own store is reported and goes on; the end comes (L4, L2)
      A closure that ran out of time and waits for the end of its own store is reported and goes on (L4, C2)
    `waitsInCircle`
      A run that waits for work that is queued behind it is reported and goes on (O4, L2)
      Two runs that wait for each other's action both go on, and one is reported (L2)
      A request for work that is queued behind it throws that it waits for itself (L3, L2)
      Work that is queued later behind a run that waits for it ends that wait (L2, O4)
    `clockFailed`
      A clock that throws is reported with the run that waits, once (C1)
      A clock that throws is reported for a run that has a time limit (C1)
      A clock that has thrown once wakes the store for what is due later (C1)
      A clock that returns at once is reported, and not called for ever (C1)
    `fieldNotWritable`
      Can be assigned to, and an assignment to another one is reported and sends nothing
      Are those of the child in a child store
    “Store: `state` was read while the store …”, “Store: a status was read while”
      The == of an id must not read the state; that is reported and traps (T1, E8)
      The == of an id must not query what runs; that is reported and traps (T1, E8)
      The condition of a cancel must not query what runs; that is reported and traps (T1, S3)
      The condition of a retry must not query what runs; that is reported and traps (C2, S1)
      The deinit of an action must not query the store; that is reported and traps (T1, S1)
      The same for a condition or an == that is called because of a query (S1, S3)
    “`state` was read inside `reduce`”, “Store: a status was read inside `reduce`”
      It belongs to the reducer; a read of it from the store is reported and traps (T1)
      A query inside a reducer is reported and traps (S2, T1)
      The state read inside the reducer
    “ObservableStore: the store runs on another isolation”
      An observable store of a store elsewhere traps with the line
    “at least one run must be allowed”, “it must not be negative”
      A limit below one traps
      A capacity below zero traps
    “Effect.retry: attempts is”, “Effect.timer: every is”, “Backoff.exponential: factor is”, “Backoff.jittered: by is”
      Invalid arguments are refused with a text and the line
    the text of a trap in your reducer
      A schedule in which a reducer traps is left in a file, and replays to the same trap
    “received before”
      Each mistake is one failure with the text on the page, and the fixed test is green
    “The state changed by …, and the test expects no change”
      Code that a failure proposes is the code that makes the test green
    “The state after … is not what the test expects”
      Code that a failure proposes is the code that makes the test green
    “Expected to receive …, but no action arrived.”
      Each mistake is one failure with the text on the page, and the fixed test is green
    “Expected to receive …, but the next action is another one”
      Each mistake is one failure with the text on the page, and the fixed test is green
    “still in flight at the end of the test”
      Each mistake is one failure with the text on the page, and the fixed test is green
    “A run threw an error and has no `catch`”
      Without a handler each failing line is printed once, on standard error (E5)
      An error that is not caught (E5)
      A run that fails stops nothing else: others of its turn, tree and id go on (E5, E6)
    “outside of the test's control”
      A call outside of the test's control is waited for, and so is its answer
    “A run was cancelled and goes”
      A run that ignores its cancel sends and reports nothing more (E1, E4)
      A run that ignores its cancel blocks only exclusive runs of its own id (E2, O2)
      A run that ignores its cancellation
    “had read its sequence before”, in a store “had read it before: it can be read once.”
      A stream that a run had read before, and that ends without an element, is a failure (C6)
      One stream that two runs return is reported by a store, with the line of the second (C6)
    “The code of these runs goes on and on”
      A run that never suspends for long
      A retry without a backoff that always fails is a failure, and the test goes on (C2)
      A run that goes on for ever, cancelled or not, ends the search and is named
    “A turn has … actions and still goes on”
      A turn longer than the limit lets other actions in and drops nothing (T5)
      A turn that was put aside is reduced to its end; cut, its runs do not start (L4, T5)
      A cycle of follow-ups
    “The state is an object of the class”
      A state that is an object
      A field that holds an object notifies although the object equals itself (M5)
      An object, an optional one and collections of objects notify alike, whenever the state was reduced (M5)
    “The test ended without `await store.finish()`”, “comes after `finish()`, which ends the test.”
      A forgotten finish
      A forgotten finish without unfinished work is no failure
      Steps after finish
    “is called inside `reduce`”, “is called inside a run of the same store”
      A step inside the reducer
      A step inside a run
    “was refused, because `shutdown(_:)` came before.”
      A change that is expected of a refused action is a failure
      Actions after a shutdown are refused
    “What was sent has not settled”
      A request that has not settled is a failure, and may be asked again
    “There is no call to answer”
      An answer to a mock that was not called
      A second answer, and one that is too late
      An answer and a cancel that meet end a call once
      A position or a predicate that no pending call has
      Many calls
      An answer to a mock that answers by itself
    “No step was taken, so this test proves nothing.”
      A store that no step was taken with fails when it is finished
      A store that is released without any step fails at the line that made it
      Time that passes while nothing waits is no step
      A store whose state or work was compared may be finished
    “The answer of … was never read”
      A request whose answer is never read fails at its line
    “The state did not change by”
      No change where one is expected
    “There is nothing to skip”, “There is nothing to cancel”, “There is no next instant”, “There is nothing to settle”
      Nothing to skip, with and without runs
      Nothing to cancel
      No next instant
      Settling fails if no run was started
      Settling an id that no run has had fails, and names the existing ids
    “The script sends nothing”
      A script that sends nothing fails
      A script that only lets time pass fails
    “`budget: …` lets no schedule be run”, “cuts every schedule”, “`faults: …` injects no fault.”
      A limit of no schedules fails
      A limit of no steps fails
      Fewer deadlines than none, and no fault at all, fail
      A negative number of changes counts as zero
    “could not be injected”, “was not injected into any run”
      A fault that no run can get fails, and the text says how to find an id
      A fault that no run can get fails, also if the search does not end
      A cancel at a suspension that no run has fails, if all orders were tried
      A seed that selects no run fails
    “of the script matched nothing in”
      A cancel of the script that matches nothing in any schedule fails
    “No schedule tested this requirement”, “No schedule reached this state of `sometimes:`”
      A requirement that no schedule tests fails
      Each id and each condition is checked separately
      A state that no order leads to fails, and the text says so
    “At the end of a schedule a run waits for an answer”
      A mock that the test must answer fails at the end of a schedule, without a wait in real time
    “The body makes more than one store”, “The body makes no store”
      A body with two stores fails, and one without any
    “Uncontrolled nondeterminism”
      An actor that one schedule changes and the next one uses is found
    “The schedule does not fit”, “The schedule was cut at …, before its step”, “is not a step of a schedule.”
      A replay of no step fails
      A replay that does not fail passes, and one that does not fit reports it
      A replay that ends before its last step reports it
      A replay that is cut before its last step, or before the end that it checks, reports it
    “The recording has no action, so nothing was replayed.”, “The recording begins with another state”
      An empty recording fails
      A recording that begins with another state fails, and is not replayed
    “The recording has no state behind”, “The recording has no state after”
      A recording without a state after any action reports that it cannot be compared (V3)
      A recording without a state after any action proves nothing, and fails
    a damaged file, or one of another feature
      A file that is no recording is refused with a message
      A recording that is cut off is read up to the cut, whose position is reported (V3)
      A damaged recording is replayed up to the damage, and fails
      An action that cannot be read stops the replay before it
      What cannot be read is named: number, cause and line (V3)
      An action that the codec cannot read is thrown, with its number, cause and line (V3)
    the system's reason: no folder, a full disk, a file in use
      A file that cannot be read or written is named, with the reason
      A file that cannot be written is refused, and no other file is written instead
      A file takes one recording at a time, and a second one is refused with a message
      After an error nothing is recorded any more (V3)
    “The file … is used by another store.”
      A file is used by one store at a time
      When a shutdown or a stop has returned, the next store can use the file
    “The journal was written by version … of the codec”
      A version without a decoder is an error, and the journal is unchanged (V4)
    """#
}
