// One stream of news from the server; everything else is read when it is needed.
import { $, change, grouped, make, query, say } from "./tools.js";
import { List } from "./list.js";
import { MomentView } from "./moment.js";

const view = { store: null, stores: [], isPaused: false, source: null, missed: 0, examples: {} };
const moment = new MomentView();
const list = new List((position) => { pause(true); jump(position); });

// ---- The stream

function connect() {
  view.source?.close();
  const source = view.source = new EventSource(`events?${query({ ...(view.store === null ? {} : { store: view.store }), ...list.filter })}`);
  source.addEventListener("open", () => say($("connection"), ""));
  source.addEventListener("message", (event) => receive(JSON.parse(event.data)));
  source.addEventListener("error", () => say($("connection"),
    source.readyState === EventSource.CLOSED ? "The server refuses this page." : "The process does not answer. Trying again."));
}

function receive(message) {
  view.stores = message.stores;
  const store = current();
  if (!store) return open(message.stores[0]?.id ?? null);
  list.oldest = store.oldest;
  showStores();
  showWork(store);
  showTools();
  if (view.isPaused) {
    view.missed = store.count - (list.rows[0]?.position ?? 0);
    return showCount(store);
  }
  const isNew = message.rows.length > 0;
  list.skip(message.skipped);
  list.add(message);
  showCount(store);
  // The newest action is shown until the user chooses another one.
  if (isNew) follow(message.rows[0].position);
  else if (moment.shown === null && store.count === store.oldest) follow(store.count);
}

let following = null;

/** Shows the newest action; while one is being read, only the last of those that follow waits. */
async function follow(position) {
  const isBusy = following !== null;
  following = position;
  if (isBusy) return;
  moment.undraw();
  while (following !== null && !view.isPaused) {
    const next = following;
    await moment.show(next);
    showTools();
    if (following === next) following = null;
  }
  following = null;
}

const current = () => view.stores.find((store) => store.id === view.store);

/** Shows another store. */
function open(id) {
  following = null;
  view.store = id;
  list.reset(id, list.filter);
  moment.clear(id);
  say($("sent"), "");
  pause(false);
}

// ---- What is shown of the stores

function showStores() {
  const kinds = { attached: "", fork: ", no effects", continued: ", with effects" };
  const buttons = view.stores.map((store) => {
    const button = make("button", store.name, { type: "button", id: `store-${store.id}` });
    button.setAttribute("aria-pressed", String(store.id === view.store));
    button.append(make("small", `${grouped(store.count)}${kinds[store.kind]}${store.hasEnded ? ", ended" : ""}`));
    button.addEventListener("click", () => open(store.id));
    return button;
  });
  const focused = document.activeElement?.id;
  $("stores").replaceChildren(...buttons);
  if (focused?.startsWith("store-")) $(focused)?.focus();
}

function showCount(store) {
  const more = view.isPaused && view.missed > 0 ? `, ${grouped(view.missed)} newer not shown` : "";
  say($("count"), `${grouped(store.count)} reduced, ${grouped(store.count - store.oldest)} kept${more}`);
}

function showWork(store) {
  say($("work-count"), store.activeCount > store.active.length ? `the first ${store.active.length} of ${grouped(store.activeCount)}` : "");
  const runs = store.active.map((run) => {
    const item = make("li");
    item.append(make("span", run.phase, { className: "phase" }), `${run.run}: ${run.text}`);
    return item;
  });
  $("runs").replaceChildren(...(runs.length > 0 ? runs : [make("li", "Nothing runs or waits.")]));
}

/** Buttons and links that depend on what is shown. */
function showTools() {
  const store = current(), position = moment.shown?.position;
  const isFork = store?.kind === "fork", origin = store?.origin;
  $("fork").disabled = $("copy").disabled = position === undefined;
  $("continue").hidden = !isFork;
  $("drop").hidden = !store || store.kind === "attached";
  $("origin").hidden = !origin;
  if (origin) {
    const actions = origin.actions === 1 ? "1 action" : `${grouped(origin.actions)} actions`;
    const rest = store.kind === "fork" ? "" : `, continued after ${actions}`;
    say($("origin").firstElementChild, `Forked from ${origin.name} at ${grouped(origin.position)}${rest}`);
    $("origin").lastElementChild.hidden = !view.stores.some((other) => other.id === origin.store);
  }
  say($("fork-note"), isFork ? "This fork runs no effect." : "");
  const encoded = moment.shown?.encoded;
  $("copy").disabled = !encoded;
  if (encoded) view.examples[view.store] = encoded;
  const example = view.examples[view.store] ?? view.examples[origin?.store];
  $("action").placeholder = example ? `As the codec writes it, for example ${example}` : "As the codec writes it";
  const parameters = new URLSearchParams({ store: view.store ?? "" });
  if (position !== undefined) parameters.set("upTo", position);
  if ($("newest").value) parameters.set("newest", $("newest").value);
  $("recording").href = `recording?${parameters}`;
  $("test").href = `test?${parameters}`;
}

// ---- What the user does

function pause(isPaused) {
  if (view.isPaused === isPaused && view.source) {
    if (isPaused) return;
  }
  view.isPaused = isPaused;
  $("pause").setAttribute("aria-pressed", String(isPaused));
  say($("pause"), isPaused ? "Resume" : "Pause");
  showTools();
  if (isPaused) return;
  // The list begins again with the newest actions.
  view.missed = 0;
  list.reset(view.store, list.filter);
  connect();
}

function togglePause() {
  pause(!view.isPaused);
  if (view.isPaused) moment.drawRuns();
}

async function jump(position) {
  const store = current();
  if (!store || !Number.isFinite(position)) return;
  pause(true);
  following = null;
  if (!await moment.show(position)) return;
  showTools();
  await list.select(position);
  showCount(store);
  await moment.drawRuns();
}

/** Does something that changes a store, and says in an element how it went. */
async function attempt(element, text, action) {
  try {
    const { store } = await action();
    say(element, text);
    return store;
  } catch (error) {
    say(element, error.message);
    return null;
  }
}

async function replaceStore(path, body) {
  const id = await attempt($("fork-note"), "", () => change(path, body));
  if (id !== null) open(path === "drop" ? view.stores.find((store) => store.id !== id)?.id ?? null : id);
}

$("pause").addEventListener("click", togglePause);
$("jump").addEventListener("submit", (event) => { event.preventDefault(); jump($("at").valueAsNumber); });
$("back").addEventListener("click", () => jump((moment.shown?.position ?? 1) - 1));
$("forth").addEventListener("click", () => jump((moment.shown?.position ?? -1) + 1));
$("fork").addEventListener("click", () => replaceStore("fork", { store: view.store, at: moment.shown.position }));
$("continue").addEventListener("click", () => replaceStore("continue", { store: view.store }));
$("origin").lastElementChild.addEventListener("click", () => {
  const { store, position } = current().origin;
  open(store);
  jump(position);
});
$("drop").addEventListener("click", () => replaceStore("drop", { store: view.store }));
$("copy").addEventListener("click", () => { $("action").value = moment.shown.encoded; $("action").focus(); });
$("send").addEventListener("submit", async (event) => {
  event.preventDefault();
  const id = await attempt($("sent"), "Sent.", () => change("send", { store: view.store, action: $("action").value }));
  if (id !== null) pause(false);
});
$("newest").addEventListener("input", showTools);
for (const [id, key] of [["search", "text"], ["kind", "kind"]]) $(id).addEventListener("input", () => {
  list.reset(view.store, { ...list.filter, [key]: $(id).value });
  view.isPaused = true;
  pause(false);
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape") return document.activeElement?.blur();
  if (event.target.closest("input, textarea, select, button, a, summary")) return;
  const actions = {
    " ": togglePause, "/": () => $("search").focus(), g: () => $("at").select(), s: () => $("action").focus(),
    f: () => $("fork").click(),
    ArrowDown: () => { list.step(1); $("list").focus(); }, ArrowUp: () => { list.step(-1); $("list").focus(); },
  };
  const action = actions[event.key];
  if (!action || (event.key.startsWith("Arrow") && event.target === $("list"))) return;
  event.preventDefault();
  action();
});

moment.clear(null);
showTools();
connect();
