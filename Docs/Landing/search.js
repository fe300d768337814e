// Text search over the guides and the reference. `/` or a click on an element with `data-search` opens it. The first search loads
// search.json.
(() => {
  let index, selected = 0;
  const make = (name, properties = {}) => Object.assign(document.createElement(name), properties);
  const dialog = make("dialog", {id: "site-search", ariaLabel: "Search"});
  const field = make("input", {type: "search", placeholder: "Search", autocomplete: "off", spellcheck: false});
  const list = make("div", {id: "site-search-results"});
  const count = make("p", {ariaLive: "polite"});
  const close = make("button", {type: "button", textContent: "Close", onclick: () => dialog.close()});
  const options = {role: "combobox", "aria-label": "Search", "aria-controls": list.id, "aria-autocomplete": "list"};
  for (const [name, value] of Object.entries({...options, "aria-expanded": "true"})) { field.setAttribute(name, value); }
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  dialog.append(field, close, count, list);

  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const little = 0.1, few = new Set(words("a an and are at by can do does for how i in is it my of on or the to what when why with"));
  const stem = (word) => word.length > 4 ? word.replace(/s$/, "") : word;

  async function load() {
    index ??= fetch("/search.json").then((answer) => answer.json()).then(({pages, synonyms}) => {
      const sections = pages.flatMap(([page, title, weight, sections]) => sections.map(([anchor, heading, other, text, code]) => ({
        address: `/documentation/${page === "guides/guides/" ? "guides/" : page}${anchor && `#${anchor}`}`, title, heading, weight,
        text: page.startsWith("guides/") && other ? `${other} ${text}` : text,
        places: [[10, words(heading || title)], [8, words(other)], [3, words(title)], [1, words(text)], [0.4, words(code)]]
          .map(([worth, found]) => [worth, new Set(found.map(stem)), found.length]),
      })));
      return {sections, synonyms: Object.entries(synonyms).map(([typed, said]) => [` ${words(typed).join(" ")} `, words(said)])};
    });
    return index;
  }

  // The words of a text and how much each counts. What the pages say instead of a whole phrase counts more than its words.
  function query(text, synonyms) {
    const typed = words(text), found = new Map(), all = ` ${typed.join(" ")} `;
    const add = (word, share) => found.set(stem(word), Math.max(found.get(stem(word)) ?? 0, few.has(word) ? little : share));
    const known = synonyms.filter(([phrase]) => all.includes(phrase)), phrases = known.map(([phrase]) => phrase.trim());
    const isIn = (word) => phrases.some((phrase) => phrase.includes(" ") && phrase.split(" ").includes(word));
    for (const word of typed) { add(word, isIn(word) ? 0.6 : 1); }
    for (const [phrase, said] of known) { for (const word of said) { add(word, phrase.trim().includes(" ") ? 1.2 : 0.8); } }
    return found;
  }

  // How well a set has a word: as a word, or as the beginning of a word. A word in a short heading says more than in a long one.
  function worth(word, [points, found, length]) {
    const fits = found.has(word) ? 1 : word.length > 2 && [...found].some((other) => other.startsWith(word)) ? 0.7 : 0;
    return fits * (points > 1 ? points * (0.6 + 0.8 / (length + 1)) : points);
  }

  // Any word finds. More words, rarer words and words in headings are better.
  function search({sections}, wanted) {
    const points = new Map(), matched = new Map(), sum = [...wanted.values()].reduce((first, second) => first + second, 0);
    for (const [word, share] of [...wanted].sort(([, first], [, second]) => second - first)) {
      const found = sections.map((section) => [section, Math.max(...section.places.map((place) => worth(word, place)))])
        .filter(([, value]) => value);
      const rarity = Math.log(1 + sections.length / (found.length + 1));
      for (const [section, value] of found) {
        // "Of" alone finds nothing.
        if (share === little && sum > little * (wanted.size + 0.5) && !matched.has(section)) { continue; }
        points.set(section, (points.get(section) ?? 0) + value * share * rarity);
        matched.set(section, (matched.get(section) ?? 0) + share);
      }
    }
    return [...matched].map(([section, part]) => [points.get(section) * section.weight * (0.3 + part / sum), section])
      .sort(([first], [second]) => second - first);
  }

  // The text around the first word that is found, with all found words marked, except "a" and "of".
  function context(text, found) {
    const long = found.filter((word) => word.length > 2);
    const begins = new RegExp(`(?<![\\p{L}\\p{N}])(?:${(long.length ? long : found).join("|")})`, "giu");
    const first = text.search(begins);
    const start = first > 50 ? text.lastIndexOf(" ", first - 40) + 1 : 0;
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
    const text = field.value;
    let all;
    try { all = await load(); } catch { index = undefined; count.textContent = "The index cannot be loaded."; return; }
    if (text !== field.value) { return; }
    const wanted = query(text, all.synonyms), found = search(all, wanted);
    list.replaceChildren(...found.slice(0, 12).map(([, section], index) => {
      const link = make("a", {href: section.address, id: `site-search-${index}`, tabIndex: -1, role: "option"});
      link.append(make("b", {textContent: section.heading || section.title}), make("span", {textContent: section.title}));
      link.append(context(section.text, [...wanted.keys()]));
      return link;
    }));
    list.dataset.query = text;
    count.textContent = wanted.size ? `${found.length} ${found.length === 1 ? "place" : "places"}` : "";
    select(0);
  }

  function open() {
    if (!dialog.isConnected) { document.body.append(dialog); }
    if (!dialog.open) { dialog.showModal(); }
    field.select();
    load().catch(() => { index = undefined; });
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
