// ---- Marks of events, and arrows from causes to effects
const arrowLimit = 300;
let drawnMarks = 0, drawnArrows = 0;

/** The vertical position of an event; undefined if its run is not shown. */
function heightOf(event) {
  if (event.row !== "run") return topRows.includes(event.row) ? rowY(event.row) : undefined;
  return event.run.y == null ? undefined : barMiddle(event.run);
}

/** The start of the arrow to an event: x, y and the kind of the cause. */
function arrowTo(event) {
  const y = heightOf(event);
  if (y === undefined) return null;
  const x = xOf(event);
  // The arrow of a sent action starts at the time of sending, not at the start of the run.
  if (event.kind === "accepted" && event.sender) {
    return event.sender.y == null ? null : { x, y: barMiddle(event.sender), kind: "sent" };
  }
  if (event.kind === "joined") return event.other.y == null ? null : { x, y: barMiddle(event.other), kind: "running" };
  const cause = byNumber.get(event.cause);
  if (!cause || !isMarked(cause)) return null;
  // Registration and start with the same cause get one arrow.
  if (event.kind === "started" && event.run.events[0].cause === event.cause && event.run.events[0] !== event) return null;
  const from = heightOf(cause);
  if (from === undefined || (from === y && event.source?.kind !== "followUp")) return null;
  const kind = event.outcome?.kind === "cancelled" ? "bad" : event.row === "run" ? "running" : "muted";
  return { x: xOf(cause), y: from, kind };
}

function drawArrows(isFront) {
  if (!isFront) { drawnArrows = 0; view.arrowsLeftOut = false; }
  if (isFront ? !view.selected : !view.marks.causes) return;
  const left = area.left - 40, right = area.width + 40;
  const candidates = [];
  for (const event of events) {
    const isStrong = view.chain.has(event) && view.chain.has(event.parent);
    if (!event.shown || !isMarked(event) || isStrong !== isFront) continue;
    const x = xOf(event);
    if (x < left && (!event.parent || xOf(event.parent) < left)) continue;
    if (event.parent && xOf(event.parent) > right && x > right) continue;
    const from = arrowTo(event);
    if (!from) continue;
    const y = heightOf(event);
    if (Math.max(y, from.y) < area.top - 60 || Math.min(y, from.y) > area.bottom) continue;
    candidates.push({ from, x, y });
  }
  // Too many arrows hide the marks. Then only arrows of the selection are drawn, and the count mentions it.
  if (!isFront) view.arrowsLeftOut = candidates.length > arrowLimit;
  if (!isFront && view.arrowsLeftOut) return;
  pen.globalAlpha = isFront ? 1 : view.selected ? 0.2 : 0.7;
  for (const { from, x, y } of candidates) drawArrow(from, x, y, isFront ? 2.25 : 1.25);
  drawnArrows += candidates.length;
  pen.globalAlpha = 1;
}

function drawArrow(from, x, y, width) {
  const down = y > from.y ? 1 : -1, tip = y - down * 8, bend = clamp(Math.abs(tip - from.y) / 2, 4, 60) * down;
  pen.strokeStyle = pen.fillStyle = colors[from.kind];
  pen.lineWidth = width;
  pen.setLineDash(from.kind === "bad" ? [5, 3] : []);
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  if (from.y === y) pen.lineTo(x, y);
  else if (Math.abs(x - from.x) < 2) pen.lineTo(x, tip - down * 3);
  else pen.bezierCurveTo(from.x, from.y + bend, x, tip - bend, x, tip - down * 3);
  pen.stroke();
  pen.setLineDash([]);
  // Arrows between the top rows have no head: there is no room, and the direction is clear.
  if (Math.max(y, from.y) < area.top) return;
  pen.fill(new Path2D(`M${x} ${tip + down}l-3.5 ${-6 * down}h7Z`));
}

function drawMarks() {
  drawnMarks = 0;
  const clusters = new Map(topRows.map((row) => [row, []]));
  const inLanes = [];
  for (const event of events) {
    if (!isMarked(event)) continue;
    const x = xOf(event);
    if (x < area.left - 8 || x > area.width - 4) continue;
    if (event.row === "run") {
      if (isVisible(event.run)) inLanes.push({ x, event });
    } else if (event.shown) {
      const row = clusters.get(event.row), last = row[row.length - 1];
      // Marks that would overlap are combined into one mark with a count.
      if (last && Math.abs(x - last.x) < 9) last.events.push(event); else row.push({ x, events: [event] });
    }
  }
  within(0, area.top - 2, area.width, area.bottom - area.top + 2, () => {
    for (const { x, event } of inLanes) drawMark(event, x, barMiddle(event.run));
  });
  for (const [row, list] of clusters) {
    list.sort((a, b) => a.x - b.x);
    list.forEach((cluster, index) => drawCluster(cluster, rowY(row), (list[index + 1]?.x ?? area.width + 8) - 8));
  }
  for (const event of [view.marked, view.selected]) if (event) drawSelection(event);
}

function drawMark(event, x, y) {
  const [shape, color] = look(event);
  drawnMarks += 1;
  pen.globalAlpha = view.selected && !view.chain.has(event) ? 0.35 : 1;
  // A tick is a plain line. Other marks have a rim, which separates them from the bar.
  if (shape !== "tick") drawShape(pen, shape, x, y, colors[color]);
  else box(color, x - 0.75, y - area.bar / 2, 1.5, area.bar);
  pen.globalAlpha = 1;
  hits.push({ x: x - 8, y: y - 10, width: 16, height: 20, events: [event] });
}

function drawCluster({ x, events }, y, end) {
  const event = events.find((event) => view.chain.has(event)) ?? events[0];
  drawMark(event, x, y);
  hits[hits.length - 1].events = events;
  if (!view.marks.actions) return;
  const isDim = view.selected && !events.some((event) => view.chain.has(event));
  // The name of a reduced action is already in the row above, except for follow-ups.
  const isRepeated = event.row === "reduced" && event.source?.kind !== "followUp";
  const text = events.length > 1 ? `×${events.length}` : isRepeated ? "" : event.action ?? say(event);
  const room = end - x - 11;
  if (room > 46 || text.length < 5) write(text, x + 9, y + 0.5, room, isDim ? colors.muted : colors.text, codeFont);
}

function drawSelection(event) {
  const y = heightOf(event), x = xOf(event);
  if (y === undefined || x < area.left - 8 || (event.row === "run" && !isVisible(event.run))) return;
  pen.strokeStyle = colors.accent;
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.arc(x, y, 10, 0, 7);
  pen.stroke();
  if (event !== view.marked) return;
  pen.lineWidth = 1.5;
  for (const [from, to] of [[area.axis, y - 10], [y + 10, area.bottom]]) pen.stroke(new Path2D(`M${x} ${from}V${to}`));
}
