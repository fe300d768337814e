// ---- Opening a trace: a file that is chosen or dropped, or a link. Each of its lines is an event as `TraceEvent.json`.
/** In a frame the page around it adds the events. */
const isFramed = window.parent !== window;
/** Only the page that is published without events has a policy that allows links. */
const mayConnect = document.querySelector("meta[http-equiv]").content.includes("connect-src");
/** The title in the address of the page, `?title=…`. */
const addressTitle = new URLSearchParams(location.search).get("title")?.slice(0, 200) || null;
let openings = 0;

const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";
const isObject = (value) => typeof value === "object" && value !== null;
const isRun = (value) => isObject(value) && isWhole(value.number);
/** What a value must be, by its key, if there is one. */
const shapes = {
  number: isWhole, time: Number.isFinite, kind: isText, action: isText, run: isRun, other: isRun, until: Number.isFinite,
  count: isWhole, actions: isWhole, steps: isWhole, status: isObject, source: (value) => isObject(value)
    && (value.run == null || isRun(value.run)), place: (value) => ["starting", "queued", "waiting"].includes(value),
};
/** The keys that every event must have, and those of a kind. */
const always = ["number", "time", "kind"];
const required = new Map(Object.entries({
  accepted: ["action", "source"], reduced: ["action", "source"], dropped: ["action", "source"], refused: ["action"],
  registered: ["run", "place"], joined: ["run", "other"], started: ["run"], attemptFailed: ["run"], sleeping: ["run", "until"],
  ended: ["run"], returned: ["run"], status: ["status"], turnSuspended: ["actions"], budgetExceeded: ["steps"], lost: ["count"],
}));

/** Whether a value can be drawn as an event. Kinds of newer versions are shown by their names. */
function isEvent(raw) {
  if (!isObject(raw)) return false;
  for (const key in shapes) if (raw[key] != null && !shapes[key](raw[key])) return false;
  return [always, required.get(raw.kind) ?? []].every((keys) => keys.every((key) => raw[key] != null));
}

/** The events of a text, and what the reader must know about it. */
function parse(text) {
  const lines = text.split("\n"), broken = [];
  let list = [], traces = 1, isCut = false;
  lines.forEach((line, index) => {
    if (!line.trim()) return;
    let event;
    try { event = JSON.parse(line); } catch { isCut = index === lines.length - 1; }
    if (!isEvent(event)) { if (!isCut) broken.push(index + 1); return; }
    // A program that was started again adds to its file.
    if (list.length && event.number < list[list.length - 1].number) { list = []; traces += 1; }
    list.push(event);
  });
  const notes = [], most = 5, others = broken.length - most;
  if (broken.length === 1) notes.push(`Line ${broken[0]} is no event and left out.`);
  if (broken.length > 1) {
    notes.push(`Lines ${broken.slice(0, most).join(", ")}${others > 0 ? ` and ${others} more` : ""} are no events and left out.`);
  }
  if (isCut) notes.push("The last line is cut off and left out.");
  if (traces > 1) notes.push(`The file has ${traces} traces in sequence; this is the last.`);
  return { list, notes };
}

/** Shows other events than before, as if the page had been made with them. */
function replace(list, notes) {
  events.length = 0;
  for (const known of [byNumber, runs, knownIDs]) known.clear();
  lost = 0;
  lastLost = view.marked = null;
  isExcerpt = false;
  fileNotes = notes;
  Object.assign(view, { fitted: true, onlySeen: false, text: "", id: "", chosenAxis: false, isFirst: true });
  for (const id of ["search", "id"]) $(id).value = "";
  rewind();
  rowLimit = page;
  select(null);
  append(list);
}

/** Opens the text that a promise brings, unless another opening begins before. */
async function openText(name, promise) {
  const opening = openings += 1;
  let list = [], notes = [];
  try {
    const text = await promise;
    if (opening !== openings) return;
    ({ list, notes } = parse(text));
    if (!list.length) notes = [`${name} is not a trace: expected is one event a line, as TraceEvent.json writes it.`];
  } catch (error) {
    if (opening !== openings) return;
    notes = [`${name} cannot be read: ${error.message}.`];
  }
  if (list.length) {
    replace(list, notes);
    $("title").textContent = document.title = name;
  } else {
    // What was shown before stays.
    fileNotes = notes;
    changed();
  }
  $("said").textContent = [list.length ? `Opened ${name}.` : "", ...notes].join(" ");
}

const openFile = (file) => openText(file.name, file.text());

async function textOf(link) {
  const answer = await fetch(link);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return answer.text();
}

/** Opens the address behind `#open=`, as it is or as `encodeURIComponent` writes it. */
function openLink() {
  if (!mayConnect || isFramed || !location.hash.startsWith("#open=")) return;
  let link = location.hash.slice("#open=".length);
  try { if (/^[^/?]*%(3A|2F)/i.test(link)) link = decodeURIComponent(link); } catch { /* It is opened as it is. */ }
  openText(addressTitle ?? link.split(/[?#]/)[0].split("/").pop().slice(0, 200), textOf(link));
}

function dropped(event) {
  const [file] = event.dataTransfer.files;
  if (file) openFile(file);
}

function listenForFiles() {
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    const [file] = $("file").files;
    if (file) openFile(file);
    // So that the same file can be chosen again.
    $("file").value = "";
  });
  for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("target", kind === "dragover");
    if (kind === "drop") dropped(event);
  });
  window.addEventListener("hashchange", openLink);
}

for (const id of ["open", "how"]) $(id).hidden = isFramed;
if (mayConnect && !isFramed) $("nothing").textContent = "No trace is open.";
if (!isFramed) listenForFiles();
