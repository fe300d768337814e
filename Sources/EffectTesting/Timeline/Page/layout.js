// ---- View and layout: what is shown, and where
const view = {
  axis: "time", from: 0, to: 1, scroll: 0, fitted: true, onlySeen: false, list: false, text: "", id: "",
  marks: { sent: true, reduced: true, dropped: true, status: false, ends: true, causes: true, actions: true },
  selected: null, marked: null, chain: new Set(), chosenAxis: false, isFirst: true,
};
let lanes = [], matching = [], bounds = [0, 1], area = {}, topRows = [], stale = true, queued = false;
const canvas = $("chart"), pen = canvas.getContext("2d");

/** The position of a point of the trace on the axis. */
const place = (point) => view.axis === "time" ? placeOf(point.time) : point.index;
const toX = (value) => area.left + (value - view.from) / (view.to - view.from) * area.plot;
const xOf = (point) => toX(place(point));
const toValue = (x) => view.from + (x - area.left) / area.plot * (view.to - view.from);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Requests a new layout in the next frame. Call it when the trace or the filter has changed. */
function changed() { stale = true; redraw(); }

function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => { queued = false; show(); });
}

function show() {
  if (stale) summarise();
  measure();
  if (stale) {
    cutIdleTime();
    filter();
    fitIfAsked();
    if (view.list) fillList();
  }
  stale = false;
  placeLanes();
  if (!view.list) draw();
  updateButtons();
}

function measure() {
  const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const narrow = width < 620;
  topRows = ["sent", "reduced", "store"].filter((row) => row === "reduced"
    || events.some((event) => event.row === row && (row === "sent" || isMarked(event))));
  const left = narrow ? 66 : Math.round(clamp(width * 0.17, 140, 240));
  // A narrow screen has no column for names. Each name is written above its lane.
  area = {
    width, height, narrow, left, plot: Math.max(width - left - 18, 20), axis: 26, row: 26,
    top: 26 + 26 * topRows.length + 6, lane: narrow ? 40 : 26, bar: 16, barTop: narrow ? 19 : 5, overview: 26,
  };
  area.bottom = height - area.overview;
}

/** Applies the search and the id to events and runs. */
function filter() {
  const text = view.text.trim().toLowerCase(), id = view.id.trim().toLowerCase();
  const ofID = (value) => value != null && String(value).toLowerCase().includes(id);
  for (const event of events) {
    event.matches = (!id || ofID((event.run ?? event.sender)?.id ?? event.id))
      && (!text || searchable(event).includes(text));
    event.shown = event.matches;
  }
  matching = text || id ? events.filter((event) => event.matches) : events;
  // Causes of matching events stay visible.
  for (let { parent } of matching) for (; parent && !parent.shown; parent = parent.parent) parent.shown = true;
  const end = bounds[1];
  // `Math.min(...list)` would overflow the stack with many events.
  bounds = events.reduce(([low, high], event) => {
    const at = place(event);
    return [Math.min(low, at), Math.max(high, at)];
  }, [Infinity, -Infinity]);
  if (!events.length) bounds = [0, 1];
  // If the end was visible, keep it visible when events are added.
  if (!view.fitted && view.from <= end && end <= view.to) {
    view.from += bounds[1] - end;
    view.to += bounds[1] - end;
  }
}

function placeLanes() {
  const all = [...runs.values()].sort((a, b) => a.number - b.number);
  const before = lanes, anchor = lanes.find((run) => run.y >= area.top);
  for (const run of all) run.y = null;
  lanes = all.filter((run) => run.events.some((event) => event.matches)
    && (!view.onlySeen || livesIn(run, view.from, view.to)));
  // Keep the topmost lane in place when lanes above it are hidden.
  const index = lanes.indexOf(anchor);
  if (view.onlySeen && index >= 0) view.scroll += (index - before.indexOf(anchor)) * area.lane;
  view.scroll = clamp(view.scroll, 0, Math.max(0, lanes.length * area.lane - (area.bottom - area.top) + 8));
  lanes.forEach((run, index) => { run.y = area.top + index * area.lane - view.scroll; });
}

/** Chooses time, unless most events would be drawn at the same position. */
function chooseAxis() {
  view.axis = "time";
  const [low, high] = [events[0]?.time ?? 0, events[events.length - 1]?.time ?? 0].map(placeOf);
  const room = area.plot / 9, places = new Set();
  for (const event of events) places.add(Math.floor((placeOf(event.time) - low) / Math.max(high - low, 1) * room));
  if (places.size < 0.12 * Math.min(events.length, room)) view.axis = "order";
}

function fitIfAsked() {
  if (!view.fitted) return;
  if (!view.chosenAxis) { chooseAxis(); filter(); }
  const room = Math.max(bounds[1] - bounds[0], view.axis === "time" ? 1000 : 1);
  view.from = bounds[0] - room * 0.02;
  view.to = bounds[1] + room * 0.04;
  const seen = Math.floor((area.bottom - area.top) / area.lane), next = [...runs.values()][seen];
  const isFirst = view.isFirst;
  view.isFirst = !events.length;
  if (!isFirst || runs.size < seen * 1.5 || !next) return;
  // If there are many runs, the first view shows only as many as fit on the screen, at a readable width.
  view.fitted = false;
  view.onlySeen = true;
  const part = Math.max(place(next.events[0]) - bounds[0], room / 1e6) * 1.3;
  view.from = bounds[0] - part * 0.02;
  view.to = bounds[0] + part;
}

/** Scrolls to the first lane and forgets the topmost lane. */
const rewind = () => { view.scroll = 0; lanes = []; };
const fit = () => { view.fitted = true; rewind(); changed(); };

function zoom(factor, x = area.left + area.plot / 2) {
  const still = toValue(x), most = Math.max(bounds[1] - bounds[0], 1) * 2, least = view.axis === "time" ? 50 : 3;
  const width = clamp((view.to - view.from) / factor, least, Math.max(most, least));
  const share = (still - view.from) / (view.to - view.from);
  move(still - share * width, width);
}

function pan(x, y) {
  const width = view.to - view.from;
  view.scroll += y;
  move(view.from + x / area.plot * width, width);
}

/** Shows another part. A part of the trace always stays visible. */
function move(from, width = view.to - view.from) {
  view.fitted = false;
  view.from = clamp(from, bounds[0] - width * 0.8, bounds[1] - width * 0.2);
  view.to = view.from + width;
  redraw();
}

function setAxis(axis) { view.axis = axis; view.chosenAxis = true; fit(); }

/** Makes an event visible and moves the view only if needed. */
function reveal(event) {
  measure();
  const at = place(event);
  if (at < view.from || at > view.to) {
    move(at - (view.to - view.from) / 2);
    placeLanes();
  }
  const run = event.run ?? event.sender, index = lanes.indexOf(run);
  if (index < 0) return;
  const y = index * area.lane, room = area.bottom - area.top - area.lane;
  if (y < view.scroll || y > view.scroll + room) view.scroll = y - room / 2;
}
