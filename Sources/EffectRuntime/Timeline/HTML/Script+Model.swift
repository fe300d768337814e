// This source file is part of swift-effects. License: Apache-2.0.

extension Viewer {
  /// What is known: events, and the runs they tell of.
  static let model = #"""
    // ---- The trace. Text of the program being watched reaches the page by `textContent` and the canvas only.
    const $ = (id) => document.getElementById(id);
    const make = (tag, text, properties) => {
      const element = Object.assign(document.createElement(tag), properties);
      if (text !== undefined) element.textContent = text;
      return element;
    };
    const events = [];             // in the order in which they came
    const byNumber = new Map();
    const runs = new Map();        // by number; `lanes` holds those that are shown
    const knownIDs = new Set();
    let lost = 0, lastLost = null;

    /** Takes in events, as `TraceEvent.json` writes them. Those it has already are passed over. */
    function append(list) {
      for (const raw of list) if (!byNumber.has(raw.number)) add(raw);
      // What is still open depends on how far the trace goes.
      for (const run of runs.values()) if (run.phases?.some((phase) => !phase.to)) run.phases = null;
      changed();
    }

    function add(raw) {
      const event = { ...raw, index: events.length, effects: [], row: rows[raw.kind] ?? (raw.run ? "run" : "store") };
      event.run = raw.run && runFor(raw.run);
      event.other = raw.other && runFor(raw.other);
      event.sender = raw.source?.run ? runFor(raw.source.run) : undefined;
      // What a run sends follows from the run, also if the event says no more than that.
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

    /** One that is dropped when it comes, or whose dispatch has been cancelled, is never registered. */
    const isFirstOfRun = (raw) => ["registered", "joined"].includes(raw.kind)
      || (raw.kind === "ended" && ["dropped", "cancelled"].includes(raw.outcome?.kind));

    /** The rows above the lanes; what is not named here belongs to the lane of its run, or to the store. */
    const rows = {
      accepted: "sent", refused: "sent", dispatchCancelled: "sent", reduced: "reduced", dropped: "reduced",
      unmatched: "store", status: "store", turnSuspended: "store", budgetExceeded: "store", shutdown: "store", lost: "store",
    };

    function runFor(raw) {
      let run = runs.get(raw.number);
      if (!run) {
        run = { ...raw, events: [], phases: null, beganBefore: true };
        run.label = [run.id ?? run.name ?? (run.tree ? "tree" : "run"), run.input].filter((part) => part != null).join("  ");
        runs.set(raw.number, run);
        if (run.id != null) knownIDs.add(run.id);
      }
      return run;
    }

    // ---- Words
    const seconds = (time) => (time / 1e9).toFixed(9).replace(/0{1,6}$/, "") + " s";
    const counted = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
    const nameOf = (run) => `${run.tree ? "tree" : "run"} ${run.number}`;
    const outcomeText = (outcome) => [outcome?.kind ?? "none", outcome?.reason ?? outcome?.error]
      .filter((part) => part != null).join(": ");

    function sourceText(source) {
      switch (source?.kind) {
        case "run": return source.run ? `from ${nameOf(source.run)}` : "from a run that is gone";
        case "followUp": return "as a follow-up";
        default: return "by the user";
      }
    }

    /** What happened, in one line. */
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
        case "unmatched": return `${event.operation} ${event.ids} matched nothing`;
        case "status": return `status ${event.id}: ${statusText(event.status)}`;
        case "dispatchCancelled": return `dispatch ${event.dispatch} cancelled`;
        case "turnSuspended": return `turn suspended after ${counted(event.actions, "action")}`;
        case "budgetExceeded": return `budget exceeded: ${counted(event.steps, "step")}`;
        case "shutdown": return `shutdown: ${event.stage}`;
        case "lost": return `${counted(event.count, "event")} lost before this`;
        default: return String(event.kind);
      }
    }

    function statusText(status) {
      const parts = ["running", "queued", "cancelling"].filter((key) => status[key]).map((key) => `${status[key]} ${key}`);
      if (status.lastOutcome) parts.push(`last ${outcomeText(status.lastOutcome)}`);
      return parts.join(", ") || "idle";
    }

    /** Everything a search looks at. */
    function searchable(event) {
      const run = event.run ?? event.sender;
      return event.text ??= [`#${event.number}`, say(event), run?.label, run?.name, run?.site, event.source?.site, event.site]
        .join(" ").toLowerCase();
    }
    """#
}
