// ---- Shapes of marks and patterns of phases. Each is recognizable without its colour.
let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  colors = new Proxy({}, { get: (known, name) => known[name] ??= style.getPropertyValue(`--${name}`).trim() });
}

/** The shape and the colour of an event, and the legend entry that hides it. */
function look(event) {
  switch (event.kind) {
    case "accepted": return [{ run: "ring", followUp: "box" }[event.source?.kind] ?? "arrow", "sent", "sent"];
    case "dispatchCancelled": return ["cross", "bad", "sent"];
    case "refused": return ["cross", "bad", "dropped"];
    case "reduced": return [event.source?.kind === "followUp" ? "square" : "dot", "reduced", "reduced"];
    case "dropped": return ["diamond", "bad", "dropped"];
    case "status": return ["tick", "muted", "status"];
    case "shutdown": return ["square", "store", ""];
    case "lost": case "turnSuspended": case "budgetExceeded": return ["warning", "store", ""];
    case "attemptFailed": return ["warning", "bad", "ends"];
    case "joined": return ["ring", "running", "ends"];
    case "returned": return ["box", "bad", "ends"];
    case "ended":
      if (["finished", "handled"].includes(event.outcome?.kind)) return ["check", "reduced", "ends"];
      return [{ failed: "warning", cancelled: "cross" }[event.outcome?.kind] ?? "diamond", "bad", "ends"];
    default: return ["tick", "text", "ends"];
  }
}

const isMarked = (event) => view.marks[look(event)[2]] !== false;

/** For each shape: an outline around the origin, the lines inside it, and whether it is filled. */
const outlines = Object.fromEntries(Object.entries({
  arrow: ["M-5-4.5H5L0 5Z", "", true],
  dot: ["M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0Z", "", true],
  ring: ["M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0Z", ""],
  box: ["M-4-4H4V4H-4Z", ""],
  square: ["M-4-4H4V4H-4Z", "", true],
  diamond: ["M0-5.5L5.5 0L0 5.5L-5.5 0Z", "M-2.5 2.5L2.5-2.5"],
  tick: ["", "M0-7V7"],
  cross: ["", "M-4-4L4 4M-4 4L4-4"],
  check: ["M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0Z", "M-2.2 0L-.5 2L2.2-1.7", true],
  warning: ["M0-5.5L5.8 4.5H-5.8Z", "M0-2.5V1M0 2.2V3.6", true],
}).map(([name, [outline, inside, isSolid]]) => [name, [new Path2D(outline), new Path2D(inside), isSolid]]));

function drawShape(pen, shape, x, y, color) {
  const [outline, inside, isSolid] = outlines[shape];
  const stroke = (path, style, width) => { pen.strokeStyle = style; pen.lineWidth = width; pen.stroke(path); };
  pen.save();
  pen.translate(x, y);
  // A rim in the background colour separates the shape from what is below it.
  for (const path of [outline, inside]) stroke(path, colors.ground, isSolid ? 2 : 4.5);
  pen.fillStyle = isSolid ? color : colors.ground;
  pen.fill(outline);
  if (!isSolid) stroke(outline, color, 1.75);
  stroke(inside, isSolid ? colors.ground : color, isSolid ? 1.5 : 2);
  pen.restore();
}

/** Draws a bar with the colours and the pattern of a phase. An open end has no line. */
function drawBar(pen, name, x, y, width, height, isOpen = false) {
  const color = colors[`${name}-text`];
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.fillStyle = colors[name];
  pen.fill();
  pen.clip();
  pen.strokeStyle = color;
  pen.globalAlpha *= 0.4;
  pen.lineWidth = 1;
  pen.beginPath();
  // Patterns start at the edge of the picture, so that a clipped bar has the same pattern.
  const each = (step, draw) => {
    for (let at = Math.floor((x - height) / step) * step; at < x + width + height; at += step) draw(at);
  };
  const line = (x0, y0, x1, y1) => { pen.moveTo(x0, y + y0); pen.lineTo(x1, y + y1); };
  if (name === "waiting") each(5, (at) => line(at + 0.5, 0, at + 0.5, height));
  if (name === "queued") each(8, (at) => line(at, height, at + height, 0));
  if (name === "cancelled") each(6, (at) => { line(at, height, at + height, 0); line(at, 0, at + height, height); });
  if (name === "sleeping") each(6, (at) => { line(at, 4, at + 1.5, 4); line(at + 3, height - 4, at + 4.5, height - 4); });
  pen.stroke();
  pen.restore();
  if (name === "running" || width < 4) return;
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  if (name === "cancelled" || name === "unknown") pen.setLineDash([3, 2]);
  const [right, bottom] = [x + width - (isOpen ? 0 : 0.5), y + height - 0.5];
  pen.stroke(new Path2D(`M${right} ${bottom}H${x + 0.5}V${y + 0.5}H${right}${isOpen ? "" : "Z"}`));
  pen.setLineDash([]);
}
