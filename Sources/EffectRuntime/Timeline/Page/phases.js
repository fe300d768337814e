// ---- Phases. A point in the trace is anything with `time` and `index`: an event, or a time between two.
const phaseNames = {
  waiting: "waiting", queued: "queued", running: "running", sleeping: "sleeping",
  cancelled: "cancelled, not back", unknown: "began before",
};

/** From when to when a run does what. The last is open (`to` is null) if the trace ends before it does. */
function phasesOf(run) {
  if (run.phases) return run.phases;
  const list = [];
  let now = null, started = run.beganBefore, ended = null;
  const change = (name, at) => {
    if (now) close(list, now, at);
    now = name && { name, from: at, to: null };
  };
  if (run.beganBefore && run.events.length) change(beforeTrace(run.events[0]), run.since);
  for (const event of run.events) {
    switch (event.kind) {
      case "registered": change(event.place === "starting" ? "running" : event.place, event); break;
      case "started": started = true; change("running", event); break;
      case "attemptFailed": change(event.next === "retry" ? "waiting" : "running", event); break;
      case "sleeping":
        // A closure that was cancelled may still fall asleep.
        if (ended) break;
        change("sleeping", event);
        now.until = event.until;
        break;
      // A closure that has begun goes on until it returns, whatever became of its run.
      case "ended":
        change(event.outcome?.kind === "cancelled" && started && !run.tree ? "cancelled" : null, event);
        ended = event;
        break;
      case "returned":
        if (now?.name === "cancelled") change(null, event);
        // Out of time: that its closure went on is known only now.
        else if (ended && !now) list.push({ name: "cancelled", from: ended, to: event });
        break;
    }
  }
  if (now) close(list, now, null);
  return run.phases = list;
}

/** What a run did before the first that is told of it. */
function beforeTrace(event) {
  return event.kind === "returned" ? "cancelled" : "unknown";
}

function close(list, phase, to) {
  const end = to ?? events[events.length - 1];
  if (phase.name !== "sleeping" || phase.until >= end.time) return list.push({ ...phase, to });
  // Nobody says that a run has woken up: it has when the time it sleeps until is over.
  const awake = { time: phase.until, index: indexAt(phase.until, phase.from.index) };
  list.push({ ...phase, to: awake }, { name: "running", from: awake, to });
}

/** The first event at a time or after it, looking from an index on. */
function indexAt(time, low) {
  let high = events.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].time < time) low = middle + 1; else high = middle;
  }
  return low;
}

/** Whether anything of a run lies between two points of the axis. */
function livesIn(run, from, to) {
  const list = phasesOf(run), first = list[0]?.from ?? run.events[0], last = run.events[run.events.length - 1];
  return first && place(first) <= to && (place(last) >= from || list.some((phase) => !phase.to));
}
