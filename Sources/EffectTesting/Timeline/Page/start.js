// ---- Page: summary, buttons, legend, theme, and the code that runs first
/** Fills the header: numbers of events and runs, and what is missing. */
function summarise() {
  const first = events[0], last = events[events.length - 1];
  $("empty").hidden = events.length > 0;
  canvas.hidden = $("export").disabled = !events.length;
  const length = first ? Number(((last.time - first.time) / 1e9).toPrecision(4)) : 0;
  $("summary").textContent = `${counted(events.length, "event")}, ${counted(runs.size, "run")}, ${length} s`;
  const open = [...runs.values()].flatMap((run) => phasesOf(run).filter((phase) => !phase.to));
  const late = open.filter((phase) => phase.name === "cancelled").length;
  const notes = [...fileNotes];
  // Events that a `lost` event counts are not reported a second time.
  const isWhole = !first || first.number <= (first.kind === "lost" ? first.count : 1);
  if (!isWhole && !isExcerpt) notes.push(`Begins with event ${first.number}: what came before is not in this trace.`);
  if (lost) notes.push(`${counted(lost, "event")} lost to a slow listener.`);
  if (open.length > late && !isExcerpt) notes.push(`${counted(open.length - late, "run")} still open at the end.`);
  if (late && !isExcerpt) notes.push(`${counted(late, "cancelled run")} had not returned at the end.`);
  $("notice").textContent = notes.join(" ");
  canvas.ariaLabel = `Timeline: ${$("summary").textContent}`;
  const ids = [...knownIDs].slice(0, 200);
  if ($("ids").childElementCount !== ids.length) {
    $("ids").replaceChildren(...ids.map((id) => make("option", undefined, { value: id })));
  }
}

function updateButtons() {
  const press = (id, isOn) => { $(id).ariaPressed = String(isOn); };
  press("as-timeline", !view.list);
  for (const element of document.querySelectorAll(".chart-only")) element.hidden = view.list;
  press("as-list", view.list);
  press("by-time", view.axis === "time");
  press("by-order", view.axis === "order");
  press("only-seen", view.onlySeen);
  press("theme", document.documentElement.dataset.theme === "dark");
  const isFiltered = view.text.trim() || view.id.trim();
  const count = [
    isFiltered ? `${matching.length.toLocaleString("en")} of ${counted(events.length, "event")}` : "",
    view.arrowsLeftOut && !view.list ? "Zoom in to see arrows" : "",
  ].filter(Boolean).join(" · ");
  // Screen readers read the count aloud each time it is set.
  if ($("count").textContent !== count) $("count").textContent = count;
}

/** Entries of the legend: key, text, swatch width, function that draws the swatch, title. With a key: a checkbox. */
const phaseEntry = (name) => [null, phaseNames[name], 30, (pen) => drawBar(pen, name, 1, 3, 28, 14)];
const markEntry = (key, title, ...parts) => [key, key, 2 + parts.length * 14, (pen) => {
  parts.forEach(([shape, color], index) => drawShape(pen, shape, 8 + index * 14, 10, colors[color]));
}, title];
const legend = [
  ...["waiting", "queued", "running", "sleeping", "cancelled"].map(phaseEntry),
  markEntry("sent", "sent by the user; by a run", ["arrow", "sent"], ["ring", "sent"]),
  markEntry("reduced", "actions that were reduced; follow-ups", ["dot", "reduced"], ["square", "reduced"]),
  markEntry("dropped", "actions that were dropped; refused", ["diamond", "bad"], ["cross", "bad"]),
  markEntry("ends", "runs that finished; failed; returned late", ["check", "reduced"], ["warning", "bad"], ["box", "bad"]),
  markEntry("status", "where the status of an id changes", ["tick", "muted"]),
  ["causes", "causes"],
  ["actions", "actions"],
];

function fillLegend() {
  $("legend").replaceChildren(...legend.map(([key, text, width, paint, title = ""]) => {
    const entry = make(key ? "label" : "span", undefined, { title });
    if (key) {
      const box = make("input", undefined, { type: "checkbox", checked: view.marks[key] });
      box.addEventListener("change", () => { view.marks[key] = box.checked; redraw(); });
      entry.append(box);
    }
    if (paint) {
      const swatch = make("canvas", undefined, { width: width * 2, height: 40 });
      swatch.style.width = `${width}px`;
      swatch.style.height = "20px";
      swatch.ariaHidden = "true";
      const pen = swatch.getContext("2d");
      pen.scale(2, 2);
      paint(pen);
      entry.append(swatch);
    }
    entry.append(text);
    return entry;
  }));
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  readColors();
  fillLegend();
  redraw();
}

const on = (id, kind, action) => $(id).addEventListener(kind, action);
on("in", "click", () => zoom(1.5));
on("out", "click", () => zoom(1 / 1.5));
on("fit", "click", fit);
on("by-time", "click", () => setAxis("time"));
on("by-order", "click", () => setAxis("order"));
on("only-seen", "click", () => { view.onlySeen = !view.onlySeen; redraw(); });
on("as-timeline", "click", () => showList(false));
on("as-list", "click", () => showList(true));
on("more", "click", () => { rowLimit += page; changed(); });
on("theme", "click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
on("help", "click", () => $("keys").showModal());
for (const [id, key] of [["search", "text"], ["id", "id"]]) on(id, "input", () => {
  view[key] = $(id).value;
  rewind();
  rowLimit = page;
  changed();
});

const help = make("dl");
for (const [key, [text]] of Object.entries(keys)) {
  const entry = make("div"), name = make("dt");
  name.append(make("kbd", key.replace("Arrow", "")));
  entry.append(name, make("dd", text));
  help.append(entry);
}
const done = make("button", "Close", { autofocus: true });
done.addEventListener("click", () => $("keys").close());
$("keys").append(make("h2", "Keys and gestures"), help, make("p", "Drag or turn the wheel to move; wheel with Ctrl, or two "
  + "fingers, to zoom. Letters and arrows work while the timeline has the focus."), done);

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
new ResizeObserver(redraw).observe($("stage"));

/**
 * Shows events that another page has chosen, and marks one of them. That page says which part this is. A run without an end
 * may end later.
 */
function showExcerpt(list, number) {
  isExcerpt = true;
  append(list);
  show();
  view.marked = byNumber.get(number) ?? null;
  // First the run that it caused, then itself.
  for (const event of [view.marked?.effects.find((effect) => effect.run), view.marked]) if (event) reveal(event);
  redraw();
}

/** For a page that shows a running store, and for tests: adds events, and describes what is visible. */
window.timeline = {
  append, excerpt: showExcerpt, open: openFile, chromeTrace, mermaid,
  inspect: () => ({
    events: events.length, runs: runs.size, lanes: lanes.length, matching: matching.length, axis: view.axis,
    from: view.from, to: view.to, scroll: view.scroll, selected: view.selected?.number ?? null, marked: view.marked?.number ?? null,
    cuts: cuts.map((cut) => [cut.from, cut.to]),
    chain: [...view.chain].map((event) => event.number), marks: drawnMarks, arrows: drawnArrows, phases: lanes.map((run) => phasesOf(run).map((phase) => phase.name)),
  }),
};
const given = JSON.parse($("events").textContent);
// A page that was made without events is for any trace: who opens it names it.
if (addressTitle != null && !given.length) document.title = addressTitle;
$("title").textContent = document.title;
fillDetails(null);
setTheme(dark.matches ? "dark" : "light");
append(given);
openLink();
