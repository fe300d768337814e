// On the first page and the pages of DocC: a button that copies a listing, and keys for listings that scroll.
(() => {
  function prepare(pre) {
    if (pre.scrollWidth > pre.clientWidth + 1) {
      pre.tabIndex = 0;
      pre.setAttribute("role", "region");
      pre.setAttribute("aria-label", "Listing");
    }
    const box = pre.closest(".code-listing") ?? pre;
    if (!navigator.clipboard || pre.closest(".declaration-list, .source") || box.previousElementSibling?.matches(".copy-row")) { return; }
    const row = document.createElement("div"), button = document.createElement("button");
    row.className = "copy-row";
    Object.assign(button, {type: "button", textContent: "Copy", ariaLabel: "Copy the listing"});
    button.onclick = async () => {
      const lines = [...pre.querySelectorAll(".code-line")].map((line) => line.textContent);
      const text = lines.length ? lines.join("\n") : pre.textContent;
      // Drawings have no-break spaces and word joiners.
      try {
        await navigator.clipboard.writeText(text.replaceAll("\u00a0", " ").replaceAll("\u2060", ""));
        button.textContent = "Copied";
      } catch { button.textContent = "Not copied"; }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    };
    row.append(button);
    box.before(row);
    box.classList.add("has-copy");
    button.style.top = `${box.getBoundingClientRect().top - row.getBoundingClientRect().top + 6}px`;
  }
  function all() {
    document.querySelectorAll("pre").forEach(prepare);
    // DocC's button for the pages above this one has no name.
    document.querySelectorAll("button.toggle:not([aria-label])").forEach((button) => { button.ariaLabel = "Pages above this one"; });
  }
  new MutationObserver(all).observe(document.body, {childList: true, subtree: true});
  all();
})();
