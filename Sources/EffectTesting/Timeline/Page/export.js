// ---- Export: the trace in the Trace Event Format, for Perfetto, and as a sequence diagram of Mermaid
const unprintable = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const escapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };

/** A text on one line, without characters that change the direction of writing, cut to a number of characters. */
function printable(text, most) {
  const plain = String(text).replace(unprintable, (character) =>
    escapes[character] ?? `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
  if (plain.length <= most) return plain;
  const characters = Array.from(plain);
  return characters.length <= most ? plain : `${characters.slice(0, most).join("")}…`;
}

const unquoted = (text) => /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
const labelOf = (run) => printable([run.number, unquoted(run.id ?? run.name ?? (run.tree ? "tree" : "run")),
  run.input == null ? "" : printable(run.input, 40)].join(" ").trimEnd(), 300);
const shortSite = (site) => site == null ? "sent" : String(site).split("/").pop();

/** The phases of a run with their texts. The start of a `catch`, or of a run that runs since it came, begins no phase. */
function partsOf(run) {
  const parts = [];
  for (const { name, from, to } of phasesOf(run)) {
    const last = parts[parts.length - 1], isFirst = last?.text === "runs" && !(from.attempt > 1);
    if (from.kind === "started" && (isFirst || last?.text === "catch")) last.to = to;
    else parts.push({ name, text: partText(name, from), from, to });
  }
  return parts;
}

function partText(name, from) {
  switch (name) {
    case "waiting": return from.kind === "attemptFailed" ? "waits for the next attempt" : "waits for its time";
    case "queued": return "waits for a free slot";
    case "sleeping": return "sleeps";
    case "running": return from.kind === "attemptFailed" ? "catch" : from.attempt > 1 ? `attempt ${from.attempt}` : "runs";
    default: return phaseNames[name];
  }
}

/** The event with which an action was accepted, if the trace contains it. */
function acceptedBefore(event) {
  const cause = byNumber.get(event.cause);
  return cause?.kind === "accepted" ? cause : null;
}

const late = (event) => Math.max(0, event.time - (acceptedBefore(event)?.time ?? event.time));

// ---- Trace Event Format. Events of one instant are drawn a nanosecond apart, so that none hides another.
function chromeTrace() {
  const entries = [], stamps = new Map(), lives = new Map(), rows = [];
  let last = -1;
  for (const event of events) {
    const time = Math.max(0, Math.round(event.time));
    // The other two have no place of their own in the picture.
    if (event.kind !== "accepted" && event.kind !== "status") last = Math.max(time, last + 1);
    stamps.set(event, event.kind === "accepted" ? time : Math.max(time, last));
  }
  const stamp = (point) => stamps.get(point) ?? Math.max(0, Math.round(point.time));
  const add = (ph, name, cat, tid, time, rank, more) => entries.push({ time, rank, index: entries.length,
    json: { ph, name, cat, pid: 1, tid, ts: time / 1000, ...more } });
  const slice = (name, category, row, from, to, rank, args) =>
    add("X", name, category, row, from, rank, { dur: (to - from) / 1000, args });
  const instant = (name, row, time) => add("i", name, "event", row, time, 4, { s: "t" });
  const arrow = (id, from, to) => {
    if (from.time > to.time || from.row === to.row) return;
    add("s", "cause", "cause", from.row, from.time, 2, { id });
    add("f", "cause", "cause", to.row, to.time, 3, { id, bp: "e" });
  };
  const actions = 1;

  for (const run of runs.values()) {
    const parts = partsOf(run), ended = run.events.find((event) => event.kind === "ended"), from = parts[0]?.from ?? ended;
    // A run without phases was dropped when it came, or shares the work of another run and has no row.
    if (!from || run.events.some((event) => event.kind === "joined" && !parts.length)) continue;
    const start = stamp(from), to = parts.length ? parts[parts.length - 1].to : from;
    lives.set(run, { run, parts, ended, start, end: Math.max(start + 1, to ? stamp(to) : last + 1), isOpen: !to });
  }
  // Runs that do not overlap share a row.
  for (const life of [...lives.values()].sort((a, b) => a.start - b.start)) {
    const free = rows.findIndex((end) => end <= life.start), row = free < 0 ? rows.length : free;
    rows[row] = life.end;
    life.row = actions + 1 + row;
    writeLife(life);
  }

  function writeLife({ run, parts, ended, start, end, row, isOpen }) {
    slice(labelOf(run), "run", row, start, end, 0, {
      run: run.number, id: run.id, input: run.input, name: run.name, overlap: run.overlap, site: run.site,
      outcome: ended ? outcomeText(ended.outcome) : null, beginning: run.beganBefore ? "its start is not in the trace" : undefined,
      end: isOpen ? "its end is not in the trace" : undefined,
    });
    let from = start;
    parts.forEach(({ text }, index) => {
      const next = parts[index + 1], to = Math.min(Math.max(next ? stamp(next.from) : end, from), end);
      if (to > from) slice(text, "phase", row, from, to, 1, {});
      from = to;
    });
  }

  /** The position of an event of a run, within the slice of the run. */
  const placeIn = (run, event) => {
    const life = lives.get(run);
    return life && { row: life.row, time: Math.min(Math.max(stamp(event), life.start), life.end - 1) };
  };

  /** The time of the last event that an action causes at the same instant. */
  function endOf(event) {
    const numbers = new Set([event.number, acceptedBefore(event)?.number]);
    let end = stamp(event) + 1;
    for (let index = event.index + 1; index < events.length; index += 1) {
      const next = events[index];
      if (next.kind === "status") continue;
      if (next.row === "reduced" || next.time - event.time >= 1e6 || !numbers.has(next.cause)) break;
      numbers.add(next.number);
      if (next.kind !== "accepted") end = Math.max(end, stamp(next));
    }
    return end;
  }

  function writeAction(event) {
    const time = stamp(event), text = printable(event.action, 200), name = event.kind === "dropped" ? `dropped: ${text}` : text;
    const source = event.source.kind === "user" ? `sent${event.source.site == null ? "" : ` at ${event.source.site}`}`
      : sourceText(event.source);
    slice(name, "action", actions, time, endOf(event), 0, {
      event: event.number, fate: event.kind, source, waited: acceptedBefore(event) ? late(event) / 1000 : undefined,
    });
    const life = lives.get(event.sender), sent = time - late(event);
    // If the action was sent after the run was over, the arrow has no slice to start from.
    if (!life || life.start > time || sent >= life.end) return instant(name, actions, time);
    const from = { row: life.row, time: Math.max(sent, life.start) };
    instant(name, life.row, from.time);
    arrow(event.number, from, { row: actions, time });
  }

  function writeRunEvent(event) {
    const place = placeIn(event.run, event), cause = byNumber.get(event.cause), { kind, outcome } = event;
    if (kind === "joined") {
      const other = placeIn(event.other, event);
      if (other) instant(say(event), other.row, other.time);
    } else if (place && (kind === "attemptFailed" || kind === "returned")) {
      instant(printable(happening(event), 200), place.row, place.time);
    } else if (place && cause && (kind === "registered" || ["cancelled", "dropped"].includes(outcome?.kind)
      || (kind === "started" && lives.get(event.run).parts.some((part) => part.from === event)))) {
      const from = ["reduced", "dropped"].includes(cause.kind) ? { row: actions, time: stamp(cause) }
        : cause.run && placeIn(cause.run, cause);
      if (from) arrow(event.number, from, place);
    }
  }

  for (const event of events) {
    if (event.kind === "reduced" || event.kind === "dropped") writeAction(event);
    else if (event.run) writeRunEvent(event);
    else if (event.kind !== "accepted" && event.kind !== "status") instant(printable(say(event), 200), actions, stamp(event));
  }
  entries.sort((a, b) => a.time - b.time || a.rank - b.rank || a.index - b.index);
  const meta = (name, tid, args) => ({ ph: "M", name, pid: 1, tid, args });
  const names = [meta("process_name", actions, { name: "store" }), ...["actions", ...rows].flatMap((_, index) => [
    meta("thread_name", actions + index, { name: index ? `runs ${index}` : "actions" }),
    meta("thread_sort_index", actions + index, { sort_index: actions + index })])];
  // As in the page, no text can be read as markup.
  const json = (value) => JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const others = json({ firstEvent: events[0]?.number ?? 1, lostEvents: lost });
  return `{"displayTimeUnit":"ms","otherData":${others},"traceEvents":[\n${
    [...names, ...entries.map((entry) => entry.json)].map(json).join(",\n")}\n]}\n`;
}

// ---- Mermaid
/** A text without characters and words that have a meaning in Mermaid. */
const forMermaid = (text, most) => printable(text, most).replace(/[a-z]+|["<>&;#%$\\`]/gi, (part) => {
  if (/^(end|wrap|nowrap)$/i.test(part)) return `${part[0]}#${part.charCodeAt(1)};${part.slice(2)}`;
  return { '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;" }[part] ?? (/\w/.test(part) ? part : `#${part.charCodeAt(0)};`);
});

/** Describes an event of a run, without the number of the run. */
function happening(event) {
  const error = (text) => printable(text ?? "", 80);
  switch (event.kind) {
    case "registered": return { queued: "waits for a free slot", waiting: event.until == null ? "waits"
      : `waits until ${seconds(event.until)}` }[event.place] ?? "starts";
    case "joined": return `joins ${event.other.number}`;
    case "started": return event.attempt > 1 ? `starts again, attempt ${event.attempt}` : "starts";
    case "attemptFailed": return `fails: ${error(event.error)}, ${event.next === "retry" && event.until != null
      ? `again at ${seconds(event.until)}` : "its catch follows"}`;
    case "sleeping": return `sleeps until ${seconds(event.until)}`;
    case "returned": return event.run.events.some((other) => other.kind === "ended" && other.index < event.index) ? "returns"
      : "returns from an attempt out of time";
    default: switch (event.outcome?.kind) {
      case "handled": return "ends, its error handled";
      case "failed": return `fails: ${error(event.outcome.error)}`;
      case "dropped": return "is dropped";
      case "cancelled": return { byDispatch: "is cancelled by the sender of its action", replaced: "is replaced",
        shutdown: "is cancelled by the shutdown" }[event.outcome.reason] ?? "is cancelled";
      default: return "ends";
    }
  }
}

/** At most so many runs: first those that probably show a mistake, then open ones, then the newest. */
function chosenRuns(most) {
  const unlucky = new Set(events.map((event) => event.kind === "dropped" ? event.sender : null));
  const candidates = [...runs.values()].map((run) => ({ run, parts: partsOf(run) }))
    .filter(({ run, parts }) => parts.length || run.events.some((event) => event.kind === "ended"));
  for (const choice of candidates) {
    const { run, parts } = choice, isOpen = parts.some((part) => !part.to);
    const isLate = parts.some(({ name, from, to }) => name === "cancelled" && (!to || to.time - from.time >= 1e6));
    const hasFailed = run.events.some((event) => event.kind === "attemptFailed" || event.outcome?.kind === "failed");
    choice.group = unlucky.has(run) || isLate || hasFailed ? 0 : isOpen ? 1 : 2;
  }
  const all = candidates.length;
  candidates.sort((a, b) => a.group - b.group || b.run.number - a.run.number).splice(most);
  return { all, chosen: new Map(candidates.sort((a, b) => a.run.number - b.run.number).map(({ run, parts }) => [run, parts])) };
}

function mermaid(mostRuns = 12, mostLines = 200) {
  const { all, chosen } = chosenRuns(mostRuns), nameIn = (run) => `R${run.number}`;
  const lines = ["sequenceDiagram", "  participant U as outside", "  participant S as store",
    ...[...chosen.keys()].map((run) => `  participant ${nameIn(run)} as ${forMermaid(labelOf(run), 60)}`)];
  const note = (over, text) => lines.push(`  Note over ${over}: ${forMermaid(text, 400)}`);
  const first = events[0], active = new Set();
  if (first && first.kind !== "lost" && first.number > 1) {
    note("U,S", `The trace begins with event ${first.number}, what came before is not known.`);
  }
  if (chosen.size < all) {
    note("U,S", `${chosen.size} of ${all} runs are drawn: first those that fail, lose actions or return late, then the active `
      + "ones, then the newest.");
  }
  const activate = (run) => {
    if (!active.has(run)) { active.add(run); lines.push(`  activate ${nameIn(run)}`); }
  };
  for (const [run, parts] of chosen) {
    if (parts[0]?.name === "unknown" && run.events[0].kind !== "started") activate(run);
  }
  const told = events.map((event) => [event, lineOf(event)]).filter(([, line]) => line);
  // A gap of one line would not save a line.
  const begin = mostLines / 4, gap = told.length > mostLines + 1 ? told.length - mostLines : 0;
  let time = null;
  const place = new Map(told.map(([event, line], index) => [event, { line, index }]));
  for (const event of events) {
    const entry = place.get(event), parts = chosen.get(event.run);
    if (entry && gap && entry.index === begin) note("S", `${gap} lines are left out here`);
    if (entry && !(gap && entry.index >= begin && entry.index < begin + gap)) {
      const { line: [where, text, most] } = entry, at = event.time === time ? "" : `[${seconds(event.time)}] `;
      lines.push(`  ${where}: ${at}${forMermaid(text, most)}`);
      time = event.time;
    }
    // Bars begin and end in the gap, too.
    if (!parts?.length) continue;
    if (parts.some(({ name, from }) => name === "running" && from === event)) activate(event.run);
    if (parts[parts.length - 1].to === event && active.delete(event.run)) lines.push(`  deactivate ${nameIn(event.run)}`);
  }
  const open = [...chosen].filter(([, parts]) => parts.some((part) => !part.to));
  if (open.length) {
    note("U,S", `Open at the end: ${open.map(([run, parts]) => `run ${run.number} ${parts[parts.length - 1].text}`).join(", ")}.`);
  }
  return `${lines.join("\n")}\n`;

  /** The arrow or note of an event, its text, and how much of that is shown; null if it has none. */
  function lineOf(event) {
    const to = (from, arrow, goal, text) => [`${from}${arrow}${goal}`, text, 100];
    const over = (who, text) => [`Note over ${who}`, text, 200];
    switch (event.kind) {
      case "accepted": case "status": return null;
      case "reduced": case "dropped": case "refused": {
        const { kind } = event.source ?? { kind: "user" }, sender = chosen.has(event.sender) ? event.sender : null;
        const source = kind === "followUp" ? "follow-up" : kind === "user" ? shortSite(event.source?.site ?? event.site)
          : event.sender ? `from ${event.sender.number}` : "from a run that ended long ago";
        const delay = late(event) >= 1e6 ? `, sent at ${seconds(acceptedBefore(event).time)}` : "";
        const text = `${event.kind === "reduced" ? "" : `${event.kind}: `}${printable(event.action, 80)}  ${source}${delay}`;
        if (kind === "run" && !sender) return over("S", text);
        return to(kind === "run" ? nameIn(sender) : kind === "followUp" ? "S" : "U", event.kind === "reduced" ? "->>" : "--x",
          "S", text);
      }
      case "joined":
        return chosen.has(event.other) ? over(`S,${nameIn(event.other)}`, `${event.run.number} ${happening(event)}`) : null;
    }
    if (!event.run) return over("S", say(event));
    return chosen.has(event.run) ? lineOfRun(event, nameIn(event.run), to, over) : null;
  }

  function lineOfRun(event, name, to, over) {
    const text = happening(event), parts = chosen.get(event.run);
    switch (event.kind) {
      case "registered": return to("S", event.place === "starting" ? "->>" : "-->>", name, text);
      case "started": return parts.some((part) => part.from === event) ? to("S", "->>", name, text) : null;
      case "attemptFailed": case "sleeping": return over(name, text);
      case "returned": {
        const ended = event.run.events.find((other) => other.kind === "ended" && other.index < event.index);
        return !ended || event.time - ended.time >= 1e6 ? over(name, text) : null;
      }
      case "ended": switch (event.outcome?.kind) {
        case "cancelled": case "dropped": return to("S", "-x", name, text);
        case "failed": return to(name, "--x", "S", text);
        default: return to(name, "-->>", "S", text);
      }
      default: return over(name, say(event));
    }
  }
}

// ---- Files
function save(text, type, ending) {
  const name = document.title.replace(/\.(jsonl?|ndjson|txt|log)$/i, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  const link = make("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })) });
  link.download = `${name.slice(0, 60) || "trace"}${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  $("exports").close();
}

$("export").addEventListener("click", () => $("exports").showModal());
$("exported").addEventListener("click", () => $("exports").close());
$("perfetto").addEventListener("click", () => save(chromeTrace(), "application/json", ".perfetto.json"));
$("mermaid").addEventListener("click", () => save(mermaid(), "text/plain", ".mmd"));
