// ---- Words: events and their parts as text
const seconds = (time) => (time / 1e9).toFixed(9).replace(/0{1,6}$/, "") + " s";
const counted = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const nameOf = (run) => `${run.tree ? "tree" : "run"} ${run.number}`;
const outcomeText = (outcome) => [outcome?.kind ?? "none", outcome?.reason ?? outcome?.error]
  .filter((part) => part != null).join(": ");

function sourceText(source) {
  switch (source?.kind) {
    case "run": return source.run ? `from ${nameOf(source.run)}` : "from a run that ended earlier";
    case "followUp": return "as a follow-up";
    default: return "by the user";
  }
}

/** Describes an event in one line. */
function say(event) {
  const run = event.run && nameOf(event.run);
  switch (event.kind) {
    case "accepted": return `sent ${event.action} ${sourceText(event.source)}`;
    case "reduced": return `reduced ${event.action} ${sourceText(event.source)}`;
    case "dropped": return `dropped ${event.action} ${sourceText(event.source)}`;
    case "refused": return `refused ${event.action}: the store was shut down`;
    case "registered": return `${run} ${{ queued: "queued", waiting: `waits until ${seconds(event.until)}` }[event.place]
      ?? "registered"}: ${event.run.label}`;
    case "joined": return `${run} shares the work of ${nameOf(event.other)}`;
    case "started": return `${run} started${event.attempt > 1 ? `, attempt ${event.attempt}` : ""}`;
    case "attemptFailed": return `${run}: ${event.error}; ${event.next === "retry"
      ? `again at ${seconds(event.until)}` : "catch follows"}`;
    case "sleeping": return `${run} sleeps until ${seconds(event.until)}`;
    case "ended": return `${run} ${outcomeText(event.outcome)}`;
    case "returned": return `${run} returned`;
    case "unmatched": return `cancel ${event.ids} matched nothing`;
    case "status": return `status ${event.id}: ${statusText(event.status)}`;
    case "dispatchCancelled": return `sent action ${event.dispatch} cancelled`;
    case "turnSuspended": return `turn suspended after ${counted(event.actions, "action")}`;
    case "budgetExceeded": return `budget exceeded: ${counted(event.steps, "step")}`;
    case "shutdown": return `shutdown: ${event.stage}`;
    case "lost": return `${counted(event.count, "event")} lost before this`;
    default: return String(event.kind);
  }
}

function statusText(status) {
  const parts = ["running", "queued", "cancelling"].filter((key) => status[key]).map((key) => `${status[key]} ${key}`);
  return parts.join(", ") || "idle";
}

/** The text that a search examines. */
function searchable(event) {
  const run = event.run ?? event.sender;
  return event.text ??= [`#${event.number}`, say(event), run?.label, run?.name, run?.site, event.source?.site, event.site]
    .join(" ").toLowerCase();
}
