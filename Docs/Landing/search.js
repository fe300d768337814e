// Text search over the guides. `/` or a click on an element with `data-search` opens it. search.json is loaded with the first search.
(() => {
  let pages, selected = 0;
  const make = (name, properties = {}) => Object.assign(document.createElement(name), properties);
  const dialog = make("dialog", {id: "site-search", ariaLabel: "Search"});
  const field = make("input", {type: "search", placeholder: "Search the guides", autocomplete: "off", spellcheck: false});
  const list = make("div", {id: "site-search-results"});
  const count = make("p", {ariaLive: "polite"});
  const close = make("button", {type: "button", textContent: "Close", onclick: () => dialog.close()});
  const options = {role: "combobox", "aria-label": "Search the guides", "aria-controls": list.id, "aria-autocomplete": "list"};
  for (const [name, value] of Object.entries({...options, "aria-expanded": "true"})) { field.setAttribute(name, value); }
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  dialog.append(field, close, count, list);

  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // How well a text has a word of the query: as a word, or as a beginning of a word.
  const has = (text, word) => text.includes(word) ? 2 : text.some((other) => other.startsWith(word)) ? 1.5 : 0;

  async function load() {
    pages ??= fetch("/search.json").then((answer) => answer.json()).then((read) => read.flatMap(([page, title, sections]) => {
      const weight = page === "how-to" ? 2.5 : /^(decision|changes|contributing|benchmarks)/.test(page) ? 0.4 : 1;
      return sections.map(([anchor, heading, other, text]) => ({
        address: `/documentation/guides/${page === "guides" ? "" : `${page}/`}${anchor && `#${anchor}`}`,
        title, heading, weight, text: other ? `${other} ${text}` : text,
        names: words(heading || title), others: words(other), page: words(title), words: words(text),
      }));
    }));
    return pages;
  }

  function score(section, query) {
    let sum = 0;
    for (const word of query) {
      const part = Math.max(has(section.names, word) * 10, has(section.others, word) * 8, has(section.page, word) * 3,
        has(section.words, word));
      if (!part) { return 0; }
      sum += part;
    }
    return sum * section.weight;
  }

  // The text around the first word that is found, with all found words marked.
  function context(text, query) {
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])(?:${query.join("|")})`, "giu");
    const start = Math.max(0, text.search(begins) - 50);
    const line = make("small");
    const shown = (start ? "…" : "") + text.slice(start, start + 150) + (text.length > start + 150 ? "…" : "");
    let end = 0;
    for (const match of shown.matchAll(begins)) {
      line.append(shown.slice(end, match.index), make("mark", {textContent: match[0]}));
      end = match.index + match[0].length;
    }
    line.append(shown.slice(end));
    return line;
  }

  function select(number) {
    selected = Math.max(0, Math.min(number, list.children.length - 1));
    [...list.children].forEach((link, index) => link.setAttribute("aria-selected", index === selected));
    const link = list.children[selected];
    if (link) { field.setAttribute("aria-activedescendant", link.id); } else { field.removeAttribute("aria-activedescendant"); }
    link?.scrollIntoView({block: "nearest"});
  }

  async function show() {
    const text = field.value, query = [...new Set(words(text).map((word) => word.length > 4 ? word.replace(/s$/, "") : word))];
    let all;
    try { all = await load(); } catch { pages = undefined; count.textContent = "The index cannot be loaded."; return; }
    if (text !== field.value) { return; }
    const found = query.length ? all.map((section) => [score(section, query), section]).filter(([points]) => points) : [];
    found.sort(([first], [second]) => second - first);
    list.replaceChildren(...found.slice(0, 12).map(([, section], index) => {
      const link = make("a", {href: section.address, id: `site-search-${index}`, tabIndex: -1, role: "option"});
      link.append(make("b", {textContent: section.heading || section.title}), make("span", {textContent: section.title}));
      link.append(context(section.text, query));
      return link;
    }));
    count.textContent = query.length ? `${found.length} ${found.length === 1 ? "section" : "sections"}` : "";
    select(0);
  }

  function open() {
    if (!dialog.isConnected) { document.body.append(dialog); }
    if (!dialog.open) { dialog.showModal(); }
    field.select();
    load().catch(() => { pages = undefined; });
  }

  field.addEventListener("input", show);
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.target !== field) { return; }
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) { event.preventDefault(); select(selected + step); }
    if (event.key === "Enter") { event.preventDefault(); list.children[selected]?.click(); }
    if (event.key === "Escape") { event.preventDefault(); dialog.close(); }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) { dialog.close(); }
  });
  // Before the pages' own key, which filters the sidebar.
  addEventListener("keydown", (event) => {
    const typing = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) { return; }
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }, true);
  // The header of the pages is in a shadow tree.
  addEventListener("click", (event) => {
    if (event.composedPath()[0].closest?.("[data-search]")) { open(); }
  });
})();
