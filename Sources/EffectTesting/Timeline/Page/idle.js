// ---- Idle time: on the axis of time, long stretches without any run are short, so that the runs around them can be seen
let cuts = [];   // in their order: real times, the length that is drawn, and how much all before it leave out

/** Where a time is on the axis. */
function placeOf(time) {
  const cut = lastCut((cut) => cut.from <= time);
  if (!cut) return time;
  const length = cut.to - cut.from, inside = Math.min(time - cut.from, length);
  return time - cut.before - inside + inside / length * cut.drawn;
}

/** The time at a place of the axis. */
function timeAt(place) {
  const cut = lastCut((cut) => cut.from - cut.before <= place);
  if (!cut) return place;
  const length = cut.to - cut.from, inside = Math.min(place - cut.from + cut.before, cut.drawn);
  return place + cut.before - inside + inside / cut.drawn * length;
}

/** The last cut that fulfils a condition, which those before it fulfil too. */
function lastCut(holds) {
  let low = 0, high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(cuts[middle])) low = middle + 1; else high = middle;
  }
  return cuts[low - 1];
}

/** Finds the cuts. What is in view stays in view. */
function cutIdleTime() {
  const kept = [view.from, view.to, ...bounds].map(timeAt), chosen = longIdleTimes();
  let before = 0;
  cuts = chosen.list.map(([from, to]) => {
    const cut = { from, to, drawn: chosen.drawn, before };
    before += to - from - chosen.drawn;
    return cut;
  });
  if (view.axis === "time") [view.from, view.to, ...bounds] = kept.map(placeOf);
}

/** Between two events, while no run is active: longer than a quarter of the time of all runs. */
function longIdleTimes() {
  const span = events.length ? events[events.length - 1].time - events[0].time : 0, idle = [];
  const starts = new Int32Array(events.length + 1);
  for (const run of runs.values()) {
    const isOpen = phasesOf(run).some((phase) => !phase.to);
    // One that is active at an end of an excerpt may be active for days.
    if (!run.events.length || (isExcerpt && (run.beganBefore || isOpen))) continue;
    starts[run.beganBefore ? run.since.index : run.events[0].index] += 1;
    if (!isOpen) starts[run.events[run.events.length - 1].index] -= 1;
  }
  let active = 0, busy = span, count = 0;
  for (let index = 1; index < events.length; index += 1) {
    active += starts[index - 1];
    const gap = [events[index - 1].time, events[index].time], length = gap[1] - gap[0];
    if (active > 0 || length <= 0) continue;
    busy -= length;
    count += 1;
    if (length > span / 1000) idle.push(gap);
  }
  const lengthOf = ([from, to]) => to - from;
  let list = idle.filter((gap) => lengthOf(gap) > busy / 4);
  if (busy <= 0) {
    // Without runs, those that are much longer than the others.
    busy = span;
    list = idle.sort((a, b) => lengthOf(b) - lengthOf(a)).filter((gap) => {
      const isLong = count > 1 && lengthOf(gap) > 10 * (busy - lengthOf(gap)) / (count - 1);
      if (isLong) { busy -= lengthOf(gap); count -= 1; }
      return isLong;
    });
    // All of it, and the events are at one time.
    if (busy <= 0) list = [];
  }
  list.sort((a, b) => a[0] - b[0]);
  return { list, drawn: busy / Math.max(8, 2 * list.length) };
}

/** The times that the axis names: every so many, except in cuts. */
function ticks(step) {
  const isTime = view.axis === "time", list = [], [from, to] = isTime ? [view.from, view.to].map(timeAt) : [view.from, view.to];
  let start = from;
  for (const cut of [...(isTime ? cuts : []), null]) {
    const end = Math.min(cut?.from ?? to, to);
    for (let at = Math.ceil(start / step) * step; at <= end; at += step) list.push(at);
    start = Math.max(start, cut?.to ?? start);
  }
  return list;
}

/** Draws the cuts, each with the time it stands for. Returns where they are on the screen. */
function drawCuts() {
  if (view.axis !== "time") return [];
  return cuts.flatMap((cut) => {
    const [left, right] = [toX(cut.from - cut.before), toX(cut.from - cut.before + cut.drawn)];
    if (right < area.left || left > area.width) return [];
    within(area.left - 8, area.axis, area.plot + 26, area.bottom - area.axis, () => {
      box("grid", left + 3, area.axis, Math.max(right - left - 6, 2), area.bottom - area.axis);
    });
    pen.font = textFont;
    const text = `⋯ ${Number(((cut.to - cut.from) / 1e9).toPrecision(2))} s ⋯`, room = pen.measureText(text).width;
    const from = (left + right - room) / 2;
    if (from < area.left || from + room > area.width) return [[left, right]];
    write(text, from, area.axis / 2, room + 2, colors.muted);
    return [[from, from + room]];
  });
}
