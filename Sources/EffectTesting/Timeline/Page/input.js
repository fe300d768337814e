// ---- Input: pointer, wheel and keys
const pointers = new Map();
let dragged = 0, pinch = 0;

/** The nearest drawn element at a point. At equal distance, the one drawn last. */
function hitAt(x, y) {
  let best = null, least = Infinity;
  for (const hit of hits) {
    if (x < hit.x || x > hit.x + hit.width || y < hit.y || y > hit.y + hit.height) continue;
    const distance = hit.width > 40 ? 100 : Math.hypot(x - hit.x - hit.width / 2, y - hit.y - hit.height / 2);
    if (distance <= least) { least = distance; best = hit; }
  }
  return best;
}

const at = (event) => {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, at(event));
  dragged = 0;
  $("tip").hidden = true;
  if (at(event)[1] > area.bottom) jump(at(event)[0]);
});

canvas.addEventListener("pointermove", (event) => {
  const [x, y] = at(event), before = pointers.get(event.pointerId);
  if (!before) return hover(x, y);
  pointers.set(event.pointerId, [x, y]);
  dragged += Math.hypot(x - before[0], y - before[1]);
  const fingers = [...pointers.values()];
  if (fingers.length === 2) {
    const width = Math.hypot(fingers[0][0] - fingers[1][0], fingers[0][1] - fingers[1][1]);
    if (pinch) zoom(width / pinch, (fingers[0][0] + fingers[1][0]) / 2);
    pinch = width;
  } else if (before[1] > area.bottom) jump(x);
  else if (dragged > 4) pan(before[0] - x, before[1] - y);
});

for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => {
  const [x, y] = at(event);
  pointers.delete(event.pointerId);
  pinch = 0;
  if (kind === "pointerup" && dragged <= 4 && y < area.bottom) click(x, y);
});
canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });

/** Selects the event at a point. Another click on a mark of several events selects the next of them. */
function click(x, y) {
  const list = (hitAt(x, y)?.events ?? []).filter(Boolean);
  select(list[(list.indexOf(view.selected) + 1) % list.length] ?? null, false);
}

function hover(x, y) {
  const hit = pointers.size ? null : hitAt(x, y), tip = $("tip");
  canvas.style.cursor = hit ? "pointer" : "grab";
  tip.hidden = !hit;
  if (!hit) return;
  const lines = hit.events.slice(0, 6).map((event) => `#${event.number}  ${seconds(event.time)}\n${say(event)}`);
  if (hit.events.length > 6) lines.push(`and ${hit.events.length - 6} more`);
  tip.textContent = lines.join("\n");
  tip.style.left = `${clamp(x + 14, 0, Math.max(0, area.width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > area.height ? Math.max(0, y - tip.offsetHeight - 12) : y + 18}px`;
}

/** Centers the view on a point of the overview. */
function jump(x) {
  const middle = bounds[0] + (x - area.left) / area.plot * (bounds[1] - bounds[0]);
  move(middle - (view.to - view.from) / 2);
}

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1, [x, y] = [event.deltaX * unit, event.deltaY * unit];
  const isTall = lanes.length * area.lane > area.bottom - area.top;
  // Browsers report a pinch on a touch pad as a wheel event with the control key.
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(-y / 200), at(event)[0]);
  else if (event.shiftKey || !isTall) pan(x + y, 0);
  else pan(x, y);
}, { passive: false });

/** Selects the next matching event in the given direction. */
function step(by) {
  const visible = matching.filter(isMarked);
  const last = view.selected?.number ?? (by > 0 ? -1 : Infinity);
  const next = by > 0 ? visible.find((event) => event.number > last) : visible.findLast((event) => event.number < last);
  if (next) select(next);
}

const keys = {
  "/": ["search", () => { $("search").focus(); $("search").select(); }],
  "+": ["zoom in", () => zoom(1.5)],
  "-": ["zoom out", () => zoom(1 / 1.5)],
  "0": ["show all", fit],
  "n": ["next event", () => step(1)],
  "p": ["previous event", () => step(-1)],
  "c": ["go to the cause", () => view.selected?.parent && select(view.selected.parent)],
  "o": ["axis by time or by order", () => setAxis(view.axis === "time" ? "order" : "time")],
  "v": ["only runs in view, or all", () => $("only-seen").click()],
  "l": ["list or timeline", () => showList(!view.list)],
  "?": ["these keys", () => $("keys").showModal()],
  "Escape": ["select nothing", () => select(null)],
  "ArrowLeft": ["move left", () => pan(-60, 0)],
  "ArrowRight": ["move right", () => pan(60, 0)],
  "ArrowUp": ["move up", () => pan(0, -area.lane * 2)],
  "ArrowDown": ["move down", () => pan(0, area.lane * 2)],
  "Home": ["first event", () => select(matching[0] ?? null)],
  "End": ["last event", () => select(matching[matching.length - 1] ?? null)],
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inField = event.target.matches("input"), isOnChart = event.target === canvas || event.target === document.body
    || (event.key.length === 1 && $("details").contains(event.target));
  if (inField && event.key === "Escape") { canvas.focus(); return; }
  // Letters work while the chart or the details have the focus, arrows in the chart. The keys listed here work everywhere
  // except in a text field.
  const key = keys[event.key === "=" ? "+" : event.key];
  if (inField || !key || !(isOnChart || ["/", "+", "=", "-", "0", "?", "Escape"].includes(event.key))) return;
  event.preventDefault();
  key[1]();
});
