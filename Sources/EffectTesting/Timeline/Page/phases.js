// ---- Phases: what a run does, and when. A point of the trace has `time` and `index`: an event, or a time between two.
const phaseNames = {
  waiting: "waiting", queued: "queued", running: "running", sleeping: "sleeping",
  cancelled: "cancelled, not returned", unknown: "began before",
};

/** The phases of a run, in order. If the trace ends during the last phase, its `to` is null. */
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
        // A closure may sleep after its run was cancelled.
        if (ended) break;
        change("sleeping", event);
        now.until = event.until;
        break;
      // A started closure continues until it returns, whatever the outcome of its run.
      case "ended":
        change(event.outcome?.kind === "cancelled" && started && !run.tree ? "cancelled" : null, event);
        ended = event;
        break;
      case "returned":
        if (now?.name === "cancelled") change(null, event);
        // After a timeout, only this event shows that the closure continued.
        else if (ended && !now) list.push({ name: "cancelled", from: ended, to: event });
        break;
    }
  }
  if (now) close(list, now, null);
  return run.phases = list;
}

/** The phase of a run before its first event in the trace. */
function beforeTrace(event) {
  return event.kind === "returned" ? "cancelled" : "unknown";
}

function close(list, phase, to) {
  const end = to ?? events[events.length - 1];
  if (phase.name !== "sleeping" || phase.until >= end.time) return list.push({ ...phase, to });
  // There is no event for the end of a sleep. It ends at the time in `until`.
  const awake = { time: phase.until, index: indexAt(phase.until, phase.from.index) };
  list.push({ ...phase, to: awake }, { name: "running", from: awake, to });
}

/** The index of the first event at or after a time. The search starts at index `low`. */
function indexAt(time, low) {
  let high = events.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].time < time) low = middle + 1; else high = middle;
  }
  return low;
}

/** Whether a run is active between two points of the axis. */
function livesIn(run, from, to) {
  const list = phasesOf(run), first = list[0]?.from ?? run.events[0], last = run.events[run.events.length - 1];
  return first && place(first) <= to && (place(last) >= from || list.some((phase) => !phase.to));
}
