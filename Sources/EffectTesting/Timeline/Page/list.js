// ---- List: the same events as a table. It shows a limited number of rows, and a button that adds more.
const page = 300;
let rowLimit = page;

function showList(isOn) {
  view.list = isOn;
  $("list").hidden = !isOn;
  $("stage").hidden = isOn;
  (isOn ? $("list") : canvas).focus();
  changed();
}

function fillList() {
  const shown = matching.slice(0, rowLimit), all = matching.length.toLocaleString("en");
  $("caption").textContent = shown.length < matching.length
    ? `Showing the first ${shown.length.toLocaleString("en")} of ${all} events` : counted(matching.length, "event");
  $("more").hidden = shown.length === matching.length;
  // Unchanged rows are kept, because one of them may have the focus.
  const kept = [...$("rows").children], isSame = kept.every((row, index) => row.event === shown[index]);
  if (!isSame) $("rows").replaceChildren();
  $("rows").append(...shown.slice(isSame ? kept.length : 0).map((event) => {
    const row = make("tr", undefined, { event, ariaCurrent: String(event === view.selected) });
    const link = make("button", `#${event.number}`, { ariaLabel: `Details of event ${event.number}` });
    link.addEventListener("click", () => select(event));
    const run = event.run ?? event.sender;
    row.append(make("td"), make("td", seconds(event.time)), make("td", say(event)),
      make("td", run ? `${run.number}  ${run.label}` : ""), make("td", event.cause == null ? "" : `#${event.cause}`));
    row.firstChild.append(link);
    return row;
  }));
}
