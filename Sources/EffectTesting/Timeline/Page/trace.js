// ---- The trace: events and runs. Text of the traced program is shown only with `textContent` and on the canvas.
const $ = (id) => document.getElementById(id);
const make = (tag, text, properties) => {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
};
const events = [];             // in order of arrival
const byNumber = new Map();
const runs = new Map();        // by number; `lanes` contains the visible ones
const knownIDs = new Set();
let lost = 0, lastLost = null;
let fileNotes = [];            // what the reader must know about the opened file
let isExcerpt = false;         // another page says which part this is

/** Adds events in the format of `TraceEvent.json`. Events with a known number are ignored. */
function append(list) {
  for (const raw of list) if (!byNumber.has(raw.number)) add(raw);
  // The end of an open phase depends on the last event of the trace.
  for (const run of runs.values()) if (run.phases?.some((phase) => !phase.to)) run.phases = null;
  changed();
}

function add(raw) {
  const event = { ...raw, text: null, index: events.length, effects: [], row: rows[raw.kind] ?? (raw.run ? "run" : "store") };
  event.run = raw.run && runFor(raw.run);
  event.other = raw.other && runFor(raw.other);
  event.sender = raw.source?.run ? runFor(raw.source.run) : undefined;
  // If the cause is unknown, an action sent by a run is attributed to the first event of the run.
  event.parent = byNumber.get(raw.cause) ?? event.sender?.events[0] ?? null;
  event.parent?.effects.push(event);
  events.push(event);
  byNumber.set(raw.number, event);
  for (const run of new Set([event.run, event.kind === "accepted" ? event.sender : undefined])) {
    if (!run) continue;
    if (!run.events.length) run.beganBefore = !isFirstOfRun(raw);
    run.events.push(event);
    run.phases = null;
    run.since ??= lastLost ?? events[0];
  }
  if (raw.kind === "lost") { lost += raw.count; lastLost = event; }
  if (raw.kind === "status") knownIDs.add(raw.id);
}

/** A run that is dropped on arrival, or whose dispatch was already cancelled, is never registered. */
const isFirstOfRun = (raw) => ["registered", "joined"].includes(raw.kind)
  || (raw.kind === "ended" && ["dropped", "cancelled"].includes(raw.outcome?.kind));

/** The rows above the lanes. Other events are drawn in the lane of their run, or in the row of the store. */
const rows = {
  accepted: "sent", refused: "sent", dispatchCancelled: "sent", reduced: "reduced", dropped: "reduced",
  unmatched: "store", status: "store", turnSuspended: "store", budgetExceeded: "store", shutdown: "store", lost: "store",
};

function runFor(raw) {
  let run = runs.get(raw.number);
  if (!run) {
    run = { ...raw, since: null, events: [], phases: null, beganBefore: true };
    run.label = [run.id ?? run.name ?? (run.tree ? "tree" : "run"), run.input].filter((part) => part != null).join("  ");
    runs.set(raw.number, run);
    if (run.id != null) knownIDs.add(run.id);
  }
  return run;
}
