// What happened at a position: the action, its change, the state after it, and the runs around it.
import { $, grouped, make, read, say, seconds } from "./tools.js";

export class MomentView {
  constructor() {
    this.shown = null;
    this.number = 0;
  }

  clear(store) {
    this.store = store;
    this.shown = null;
    this.number += 1;
    say($("moment-title"), "Nothing selected");
    say($("moment-source"), "Select an action, or jump to a position.");
    $("difference").replaceChildren();
    say($("state"), "");
    say($("took"), "");
    this.undraw();
  }

  /** Removes the runs: they are not drawn again for each action that follows. */
  undraw() {
    $("stage").replaceChildren();
    say($("timeline-note"), "Pause, or select an action, to draw them.");
  }

  /** Reads and shows a position. Returns whether it was shown; a later call replaces an earlier one. */
  async show(position) {
    const number = this.number += 1, began = performance.now();
    let moment;
    try {
      moment = await read("moment", { store: this.store, at: position });
    } catch (error) {
      if (number === this.number) say($("took"), error.message);
      return false;
    }
    if (number !== this.number) return false;
    this.shown = moment;
    say($("moment-title"), moment.row ? `.${moment.row.action}` : `The state at ${grouped(position)}`);
    say($("moment-source"), moment.row
      ? `${grouped(position)}, ${seconds(moment.row.time)}, ${moment.row.source}`
      : position === 0 ? "Before the first action." : "A checkpoint: which actions led to it is not kept.");
    $("difference").replaceChildren(...this.lines(moment));
    say($("state"), moment.state);
    // Not while the user types another one.
    if (document.activeElement !== $("at")) $("at").value = position;
    // Laid out, so that the time includes it.
    $("difference").getBoundingClientRect();
    const took = performance.now() - began;
    $("took").dataset.milliseconds = took;
    say($("took"), `in ${took.toFixed(0)} ms`);
    return true;
  }

  lines(moment) {
    if (moment.difference.length === 0) return [make("span", moment.row ? "The state is the same." : "")];
    return moment.difference.map((line) => {
      const sign = line.trimStart()[0];
      return make("span", `${line}\n`, { className: sign === "+" ? "new" : sign === "-" ? "old" : "" });
    });
  }

  /** Draws the runs around the position that is shown, in the viewer of the library. */
  async drawRuns() {
    const number = this.number, position = this.shown?.position;
    if (position === undefined) return;
    const events = await read("trace", { store: this.store, at: position });
    if (number !== this.number) return;
    const hasRuns = events.some((event) => event.run);
    say($("timeline-note"), hasRuns ? "from 30 actions before to 15 after" : "No run had an event near this action.");
    if (events.length === 0) return $("stage").replaceChildren();
    const marked = this.shown.row?.number;
    const frame = make("iframe", undefined, { title: "Timeline of the runs" });
    frame.addEventListener("load", () => frame.contentWindow.timeline.excerpt(events, marked));
    frame.src = "timeline?title=Runs";
    $("stage").replaceChildren(frame);
  }
}
