// The list of actions, the newest first.
import { $, grouped, make, read, say, seconds } from "./tools.js";

/** More rows would make the page slow. Older ones are read again when they are needed. */
const mostRows = 400;
const list = $("list");

export class List {
  constructor(choose) {
    this.choose = choose;
    this.reset(null);
    list.addEventListener("click", (event) => {
      const row = event.target.closest("li[data-position]");
      if (row) choose(Number(row.dataset.position));
    });
    list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -mostRows, End: mostRows }[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.step(step);
    });
    $("older").addEventListener("click", () => this.older());
  }

  /** Begins again with another store or filter. */
  reset(store, filter = { text: "", kind: "" }) {
    Object.assign(this, { store, filter, rows: [], selected: null, searched: null, oldest: 0, isReading: false });
    say($("notice"), "");
    this.draw();
  }

  get isFiltered() { return this.filter.text !== "" || this.filter.kind !== ""; }

  /** What was reduced since the last message. */
  add(message) {
    this.searched ??= message.searched;
    this.rows = [...message.rows, ...this.rows];
    if (this.rows.length > mostRows) {
      this.rows.length = mostRows;
      this.searched = this.rows.at(-1).position - 1;
    }
    this.draw();
    // A search goes on until it has found something, or is at the end.
    if (this.isFiltered && this.rows.length === 0) this.older();
  }

  /** Says what the list leaves out. */
  skip(count) {
    say($("notice"), count === 0 ? "" : `The list skips ${grouped(count)} actions here, because there are more than it can show. Pause or jump to see them.`);
  }

  /** Reads rows that are older than those in the list; searches until some are found. */
  async older() {
    if (this.store === null || this.isReading) return;
    const { store, filter } = this;
    this.isReading = true;
    try {
      let found = 0, searched = this.searched ?? 0;
      while (found === 0 && searched > this.oldest && this.store === store && this.filter === filter) {
        say($("older-note"), this.isFiltered ? `Searching below ${grouped(searched)} …` : "");
        const page = await read("rows", { store, before: searched + 1, ...filter });
        if (this.store !== store || this.filter !== filter) return;
        this.rows.push(...page.rows);
        found = page.rows.length;
        searched = this.searched = page.searched;
      }
      this.draw();
    } catch (error) {
      say($("older-note"), error.message);
    } finally {
      this.isReading = false;
    }
  }

  /** Selects another row of the list. */
  step(count) {
    if (this.rows.length === 0) return;
    const index = this.rows.findIndex((row) => row.position <= (this.selected ?? Infinity));
    const next = this.selected === null ? 0 : Math.min(Math.max((index < 0 ? this.rows.length - 1 : index) + count, 0), this.rows.length - 1);
    this.choose(this.rows[next].position);
  }

  /** Shows a position as selected; the rows around it are read if they are not in the list. */
  async select(position) {
    this.selected = position;
    const isListed = this.rows.length > 0 && position <= this.rows[0].position && position > (this.searched ?? 0);
    if (position !== null && !isListed && this.store !== null) {
      const { store, filter } = this;
      const page = await read("rows", { store, before: position + 21, ...filter });
      if (this.store !== store || this.filter !== filter || this.selected !== position) return;
      this.rows = page.rows;
      this.searched = page.searched;
    }
    this.draw();
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const isAtEnd = this.searched !== null && this.searched <= this.oldest;
    $("older").disabled = isAtEnd || this.searched === null;
    say($("older-note"), isAtEnd && this.oldest > 0 ? `Older than ${grouped(this.oldest)}: only the state is kept.` : "");
    if (this.rows.length === 0) {
      const text = this.isFiltered ? "No action that was searched matches." : "No action has been reduced since the store was attached or forked.";
      const empty = make("li", undefined, { className: "empty" });
      empty.append(make("span", text));
      return list.replaceChildren(empty);
    }
    list.replaceChildren(...this.rows.map((row) => this.row(row)));
    const selected = list.querySelector('[aria-selected="true"]');
    if (selected) list.setAttribute("aria-activedescendant", selected.id); else list.removeAttribute("aria-activedescendant");
  }

  row(row) {
    const element = make("li", undefined, { id: `row-${row.position}`, role: "option", title: `${row.action} ${row.source}` });
    element.dataset.position = row.position;
    element.setAttribute("aria-selected", String(row.position === this.selected));
    element.append(
      make("span", grouped(row.position), { className: "position" }), make("span", `.${row.action}`),
      make("span", seconds(row.time), { className: "time" }), make("span", row.source, { className: "note" }),
      ...row.notes.slice(0, 6).map((note) => make("span", note, { className: "note" })));
    if (row.notes.length > 6) element.append(make("span", `and ${row.notes.length - 6} more`, { className: "note" }));
    return element;
  }
}
