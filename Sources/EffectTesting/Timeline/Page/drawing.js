// ---- Drawing: the picture except marks and arrows. Only what is visible is drawn, so that large traces stay fluid.
const textFont = '12px system-ui, "Segoe UI", "Liberation Sans", sans-serif';
const codeFont = '11px ui-monospace, "DejaVu Sans Mono", monospace';
let hits = [];

function draw() {
  pen.clearRect(0, 0, area.width, area.height);
  hits = [];
  if (!events.length) return;
  drawGrid();
  // Arrows are drawn behind bars, so that the labels stay readable. Arrows of the selection are drawn in front.
  const plot = (body) => within(area.left - 8, area.axis, area.plot + 26, area.bottom - area.axis, body);
  plot(() => { drawLost(); drawArrows(false); });
  within(0, area.top, area.width, area.bottom - area.top, drawLanes);
  plot(() => drawArrows(true));
  drawMarks();
  drawOverview();
}

function within(x, y, width, height, body) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  body();
  pen.restore();
}

function box(color, x, y, width, height) {
  pen.fillStyle = colors[color];
  pen.fillRect(x, y, width, height);
}

/** Shortens a text by removing its middle, because actions and inputs usually differ at their ends. */
const shorter = (text, count) => `${text.slice(0, Math.ceil(count / 2))}…${text.slice(text.length - (count >> 1))}`;

/** Writes as much of a text as fits. Returns the width used. */
function write(text, x, y, room, color, font = textFont) {
  if (room < 12) return 0;
  pen.font = font;
  pen.fillStyle = color;
  pen.textBaseline = "middle";
  let shown = text.length > 400 ? shorter(text, 400) : text;
  if (pen.measureText(shown).width > room) {
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText(shorter(shown, middle)).width <= room) low = middle; else high = middle - 1;
    }
    if (low < 1) return 0;
    shown = shorter(shown, low);
  }
  pen.fillText(shown, x, y);
  return pen.measureText(shown).width;
}

function drawGrid() {
  const rough = (view.to - view.from) / Math.max(area.plot / 110, 1), power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough);
  if (view.axis === "order") step = Math.max(1, Math.round(step));
  const most = Math.max(...[view.from, view.to].map((place) => Math.abs(view.axis === "time" ? timeAt(place) : place)));
  const [unit, name] = most < 2e6 ? [1e3, "µs"] : most < 2e9 ? [1e6, "ms"] : [1e9, "s"];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
  const names = drawCuts();
  for (const at of ticks(step)) {
    const x = Math.round(toX(view.axis === "time" ? placeOf(at) : at)) + 0.5;
    if (x < area.left || x > area.width) continue;
    box("grid", x, area.axis, 1, area.bottom - area.axis);
    const event = view.axis === "order" ? events[at] : null;
    if (view.axis === "order" && !event) continue;
    const text = event ? `#${event.number}` : `${(at / unit).toFixed(digits)} ${name}`;
    pen.font = textFont;
    const end = x + 7 + pen.measureText(text).width;
    if (end > area.width || names.some(([left, right]) => left < end && x < right + 4)) continue;
    write(text, x + 3, area.axis / 2, 200, colors.muted);
    names.push([x, end]);
  }
  box("line", 0, area.axis - 1, area.width, 1);
  box("line", 0, area.top - 3, area.width, 1);
  write(view.axis === "time" ? "time" : "event", 8, area.axis / 2, area.left - 12, colors.muted);
  topRows.forEach((row, index) => {
    write({ sent: "Sent", reduced: "Reduced", store: "Store" }[row], 8, area.axis + area.row * (index + 0.5) + 2,
      area.left - 12, colors.text);
  });
}

const rowY = (row) => area.axis + area.row * (topRows.indexOf(row) + 0.5) + 2;
const barMiddle = (run) => run.y + area.barTop + area.bar / 2;
const isVisible = (run) => run.y != null && run.y + area.lane > area.top && run.y < area.bottom;

function drawLanes() {
  for (const run of lanes) {
    if (!isVisible(run)) continue;
    const isDim = view.selected && !run.events.some((event) => view.chain.has(event));
    box("grid", 0, Math.round(run.y + area.lane) - 1, area.width, 1);
    const middle = area.narrow ? run.y + 10 : run.y + area.lane / 2;
    if (area.narrow) {
      // Names are drawn in front of the arrows.
      pen.font = textFont;
      box("ground", 4, middle - 8, Math.min(pen.measureText(`${run.number}${run.label}`).width + 18, area.width), 16);
    }
    const number = write(`${run.number}`, 8, middle, 60, isDim ? colors.muted : colors.text, `600 ${textFont}`);
    const room = area.narrow ? area.width - 24 - number : area.left - 24 - number;
    write(run.label, 16 + number, middle, room, isDim ? colors.muted : colors.text);
    hits.push({ x: 0, y: run.y, width: area.narrow ? 40 : area.left - 8, height: area.lane, events: [run.events[0]] });
    within(area.left - 8, area.top, area.plot + 26, area.bottom - area.top, () => {
      pen.globalAlpha = isDim ? 0.45 : 1;
      for (const phase of phasesOf(run)) drawPhase(run, phase);
    });
  }
}

function drawPhase(run, phase) {
  // Slightly more than the visible part, so that a clipped bar shows no end.
  const left = area.left - 20, right = area.width + 12;
  const start = Math.max(xOf(phase.from), left);
  const last = events[events.length - 1];
  const end = phase.to ? xOf(phase.to) : Math.max(xOf(last) + 14, start + 14);
  if (end < left || start > right) return;
  const y = run.y + area.barTop, width = Math.max(Math.min(end, right) - start, 2);
  drawBar(pen, phase.name, start, y, width, area.bar, !phase.to);
  const color = colors[`${phase.name}-text`], text = phase.name === "cancelled" ? "cancelled" : phaseNames[phase.name];
  // The label has a plain background, so that no pattern crosses a letter. It leaves room for marks at both ends.
  pen.font = codeFont;
  const room = pen.measureText(text).width, from = Math.max(start, area.left - 12);
  if (Math.min(end, area.width) - from > room + 26) {
    if (phase.name !== "running") box(phase.name, from + 9, y + 1.5, room + 6, area.bar - 3);
    write(text, from + 12, y + area.bar / 2 + 0.5, room + 2, color, codeFont);
  }
  if (phase.to) return;
  // The trace ends before the phase does.
  pen.strokeStyle = phase.name === "running" ? colors.text : color;
  pen.lineWidth = 1.5;
  for (const x of [end + 2, end + 6]) pen.stroke(new Path2D(`M${x} ${y + 3}l4 5l-4 5`));
}

function drawLost() {
  for (const event of events) {
    if (event.kind !== "lost") continue;
    const to = xOf(event), from = Math.min(to - 6, xOf(events[event.index - 1] ?? event));
    pen.globalAlpha = 0.6;
    drawBar(pen, "unknown", from, area.axis, to - from, area.bottom - area.axis);
    pen.globalAlpha = 1;
  }
}

/** The number of active runs that match the filter, over the whole trace, and a frame around the visible part. */
function drawOverview() {
  const top = area.bottom + 3, height = area.overview - 6, [low, high] = bounds, room = Math.max(high - low, 1);
  const columns = Math.max(Math.floor(area.plot / 3), 1), change = new Float64Array(columns + 2);
  const column = (point) => clamp(Math.floor((place(point) - low) / room * columns), 0, columns);
  for (const run of runs.values()) {
    const list = phasesOf(run);
    if (!list.length || !run.events.some((event) => event.matches)) continue;
    change[column(list[0].from)] += 1;
    const end = list[list.length - 1].to;
    if (end) change[column(end) + 1] -= 1;
  }
  let living = 0;
  const counts = Array.from(change.subarray(0, columns), (step) => living += step), most = Math.max(...counts, 1);
  box("ground", 0, area.bottom, area.width, area.overview);
  box("line", 0, area.bottom, area.width, 1);
  const step = area.plot / columns;
  counts.forEach((count, index) => {
    const bar = count / most * height, left = Math.round(index * step);
    box("overview", area.left + left, top + height - bar, Math.round((index + 1) * step) - left, bar);
  });
  write(area.narrow ? "live" : `live runs (most: ${most})`, 8, area.bottom + area.overview / 2, area.left - 16, colors.muted);
  const shown = (value) => area.left + clamp((value - low) / room, 0, 1) * area.plot;
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 1.5;
  pen.strokeRect(shown(view.from), top - 1, Math.max(shown(view.to) - shown(view.from), 3), height + 2);
}
