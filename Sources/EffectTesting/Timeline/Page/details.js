// ---- Details: the panel with every field of an event
/** Selects an event together with its causes and its effects. */
function select(event, moves = true) {
  view.selected = event;
  view.chain = new Set();
  for (let cause = event; cause; cause = cause.parent) view.chain.add(cause);
  const pending = event ? [event] : [];
  while (pending.length) {
    const next = pending.pop();
    view.chain.add(next);
    pending.push(...next.effects.slice(0, 2000));
  }
  fillDetails(event);
  if (event && moves && !view.list) reveal(event);
  $("said").textContent = event ? `Event ${event.number}, ${seconds(event.time)}: ${say(event)}` : "Nothing selected";
  for (const row of $("rows").children) row.ariaCurrent = String(row.event === event);
  redraw();
}

function linkTo(event) {
  const link = make("button", `#${event.number} ${say(event).slice(0, 160)}`);
  link.addEventListener("click", () => select(event));
  return link;
}

function links(list, most = 20) {
  const items = make("ul");
  for (const event of list.slice(0, most)) items.append(make("li")), items.lastChild.append(linkTo(event));
  if (list.length > most) items.append(make("li", `and ${(list.length - most).toLocaleString("en")} more`));
  return items;
}

function fillDetails(event) {
  const panel = $("details"), focused = panel.contains(document.activeElement) ? document.activeElement : null;
  panel.hidden = !event;
  if (!event) {
    if (focused) (view.list ? $("list") : canvas).focus();
    return;
  }
  const top = make("div", undefined, { className: "top" });
  top.append(make("h2", `Event ${event.number}`));
  for (const [text, label, action] of [["‹", "Previous event", () => step(-1)], ["›", "Next event", () => step(1)],
    ["✕", "Close", () => select(null)]]) {
    const button = make("button", text, { ariaLabel: label, title: label });
    button.addEventListener("click", action);
    top.append(button);
  }
  const fields = make("dl");
  const field = (name, value, isCode) => {
    if (value == null || value === "") return;
    const entry = make("div"), content = make("dd", undefined, { className: isCode ? "code" : "" });
    content.append(value);
    entry.append(make("dt", name), content);
    fields.append(entry);
  };
  field("What", event.action == null ? say(event) : event.kind);
  field("Time", seconds(event.time));
  field("Action", event.action, true);
  field("Changed", event.change, true);
  field("Sent", event.source && sourceText(event.source));
  field("Sent action", event.source?.dispatch ?? event.dispatch);
  field("Sent at", event.source?.site ?? event.site, true);
  field("Until", event.until != null ? seconds(event.until) : null);
  field("Outcome", event.outcome && outcomeText(event.outcome));
  for (const [name, value] of Object.entries(event.status ?? {})) field(name, value);
  for (const name of ["place", "attempt", "error", "next", "id", "actions", "steps", "stage", "count"]) {
    field(name, event[name], name === "error" || name === "id");
  }
  field("Cause", causeOf(event));
  field("Led to", event.effects.length ? links(event.effects) : "nothing that was reported");
  if (event.other) field("Shared", `${nameOf(event.other)}  ${event.other.label}`);
  const run = event.run ?? event.sender;
  if (run) runFields(run, field);
  panel.replaceChildren(top, fields);
  panel.scrollTop = 0;
  // The focused button was replaced above. Focus the new button with the same title.
  if (focused) ([...top.children].find((button) => focused.title && button.title === focused.title) ?? panel).focus();
}

function causeOf(event) {
  if (event.parent) return linkTo(event.parent);
  return event.cause == null ? "outside of the store" : `#${event.cause}, not in this trace`;
}

function runFields(run, field) {
  const open = phasesOf(run).find((phase) => !phase.to);
  field("Run", `${nameOf(run)}${open ? `: ${phaseNames[open.name]} when the trace ends` : ""}`);
  field("Id", run.id, true);
  field("Input", run.input, true);
  field("Name", run.name);
  field("Overlap", run.overlap, true);
  field("Built at", run.site, true);
  field("Its events", links(run.events));
}
