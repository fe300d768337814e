// A race is a stream: it begins when the stream is opened, has its own two stores on the server, and ends with the stream.

const $ = (id) => document.getElementById(id);
const form = $("settings"), query = $("query");

const explanations = {
  concurrent: "All run. An id alone does not help: whatever comes back is shown.",
  restart: "The oldest is cancelled, and nothing it sends is shown any more.",
  drop: "The new one is ignored: the first letter is searched, and nothing after it.",
  enqueue: "The new one waits its turn: all answers come, one after another.",
  keepLatest: "One runs, the newest waits, those between are dropped.",
  join: "One with the same query shares its run; another waits its turn.",
};

function make(name, text, properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  if (text !== undefined) element.textContent = text;
  return element;
}

function say(element, text) {
  // A screen reader reads each text that is set, even if it has not changed.
  if (element.textContent !== text) element.textContent = text;
}

/** One of the two searches: what it shows, and a frame with the viewer for the events of its store. */
class Lane {
  constructor(name) {
    this.section = $(name);
    this.event = name;
    this.pending = [];
    this.isLoaded = false;
    const title = this.find("h2").textContent;
    this.frame = make("iframe", undefined, { title: `Timeline: ${title}` });
    this.frame.addEventListener("load", () => { this.isLoaded = true; this.draw(); });
    this.frame.src = `/timeline?title=${encodeURIComponent(title)}`;
    this.find(".stage").replaceChildren(this.frame);
    this.show({ query: "", birds: [], count: 0, outdated: 0, isStale: false, isBusy: false });
  }

  find(selector) { return this.section.querySelector(selector); }

  listen(source) {
    source.addEventListener(this.event, (message) => { this.pending.push(JSON.parse(message.data)); this.draw(); });
    source.addEventListener(`${this.event}-shown`, (message) => this.show(JSON.parse(message.data)));
  }

  draw() {
    if (this.isLoaded) this.frame.contentWindow.timeline.append(this.pending.splice(0));
  }

  show(state) {
    const [is, text] = verdict(state), element = this.find(".verdict");
    element.dataset.is = is;
    // The button stands out until something has been typed.
    $("automatic").classList.toggle("invites", is === "idle" && state.query === "");
    say(element, text);
    say(this.find(".outdated"), outdated(state.outdated));
    const more = state.count - state.birds.length;
    const birds = state.birds.map((bird) => make("li", bird));
    if (more > 0) birds.push(make("li", `and ${more} more`, { className: "more" }));
    this.find(".birds").replaceChildren(...birds);
  }
}

function verdict({ query, answered = null, count, isStale, isBusy }) {
  const answer = answered === null ? "" : `${count === 1 ? "1 bird" : `${count} birds`} for “${answered}”`;
  if (isStale && !isBusy) return ["stale", `✗ Stale: ${answer}, but “${query}” stands there`];
  if (isStale) return ["busy", `… ${answer}, but “${query}” stands there; still searching`];
  if (answered !== null) return ["right", `✓ ${answer}`];
  if (query && isBusy) return ["busy", `… searching for “${query}”`];
  return ["idle", query ? `Nothing was found out about “${query}”` : "Press Type “swift”, or type quickly yourself"];
}

function outdated(count) {
  if (count === 0) return "No answer to an older query was shown.";
  return count === 1 ? "1 answer to an older query was shown." : `${count} answers to older queries were shown.`;
}

class Race {
  constructor(settings, former) {
    this.lanes = [new Lane("naive"), new Lane("chosen")];
    // One text after the other: requests at the same time overtake each other.
    this.sent = new Promise((opened) => {
      const parameters = new URLSearchParams(settings);
      if (former) parameters.set("replaces", former);
      this.source = new EventSource(`/events?${parameters}`);
      for (const lane of this.lanes) lane.listen(this.source);
      this.source.addEventListener("session", (message) => {
        // A stream that is opened again after a break is another race.
        if (this.session) return start();
        this.session = JSON.parse(message.data);
        say($("connection"), "");
        opened();
      });
    });
    this.source.addEventListener("error", () => {
      const isOver = this.source.readyState === EventSource.CLOSED;
      say($("connection"), isOver ? "The server refuses this race: there are too many." : "The server does not answer. Trying again.");
    });
  }

  type(text) {
    this.sent = this.sent.then(async () => {
      const body = JSON.stringify({ session: this.session, text });
      const answer = await fetch("/typed", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.status === 429) say($("connection"), "This race has come to its last letter. Start again.");
    }).catch(() => {});
  }

  end() { this.source.close(); }
}

let race = null, typing = 0;

/** Begins a race with the chosen settings, unless one of them is invalid. */
function start() {
  const chosen = Object.fromEntries(new FormData(form)), isConcurrent = chosen.overlap === "concurrent";
  form.elements.limit.disabled = isConcurrent;
  form.elements.least.disabled = chosen.latency === "fixed";
  say($("explanation"), explanations[chosen.overlap]);
  const [least, most] = [form.elements.least, form.elements.most];
  const isReversed = chosen.latency !== "fixed" && Number(least.value) > Number(most.value);
  most.setCustomValidity(isReversed ? "Less than where it begins" : "");
  if (!form.checkValidity()) return;
  const limit = form.elements.limit.value, isLimited = !isConcurrent && limit !== "1";
  say($("chosen").querySelector(".effect"), `.run(id: "search", overlap: .${chosen.overlap}${isLimited ? `(limit: ${limit})` : ""}, input: query)`);
  typing += 1;
  query.value = "";
  race?.end();
  race = new Race({
    overlap: chosen.overlap, limit, latency: chosen.latency, most: most.value,
    least: chosen.latency === "fixed" ? most.value : least.value, deaf: String(form.elements.deaf.checked),
  }, race?.session);
}

form.addEventListener("change", start);
form.addEventListener("submit", (event) => event.preventDefault());
$("again").addEventListener("click", start);
query.addEventListener("input", () => { typing += 1; race.type(query.value); });

/** Types as a person would, until the user types or starts again. */
$("automatic").addEventListener("click", () => {
  const mine = typing += 1;
  const step = (text) => {
    if (typing !== mine) return;
    query.value = text;
    race.type(text);
    if (text !== "swift") setTimeout(() => step("swift".slice(0, text.length + 1)), 120);
  };
  step("s");
});

start();
