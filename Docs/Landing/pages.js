// On the first page and the pages of DocC: a button that copies a listing, keys for listings that scroll, and the menu's button.
(() => {
  const icons = {
    copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z", done: "M3 8.5l3.5 3.5L13 4.5", failed: "M4 4l8 8M12 4l-8 8",
  };
  function draw(button, icon, label) {
    button.innerHTML = `<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.4">
      <path d="${icons[icon]}"/></svg>`;
    button.ariaLabel = button.title = label;
  }

  function prepare(pre) {
    if (pre.scrollWidth > pre.clientWidth + 1) {
      pre.tabIndex = 0;
      pre.setAttribute("role", "region");
      pre.setAttribute("aria-label", "Listing");
    }
    const box = pre.closest(".code-listing, .listing");
    if (!box || !navigator.clipboard || box.querySelector(".copy")) { return; }
    const button = document.createElement("button");
    Object.assign(button, {type: "button", className: "copy"});
    draw(button, "copy", "Copy the listing");
    button.onclick = async () => {
      const lines = [...pre.querySelectorAll(".code-line")].map((line) => line.textContent);
      const text = lines.length ? lines.join("\n") : pre.textContent;
      // Drawings have no-break spaces and word joiners.
      try {
        await navigator.clipboard.writeText(text.replaceAll("\u00a0", " ").replaceAll("\u2060", ""));
        draw(button, "done", "Copied");
      } catch { draw(button, "failed", "Not copied"); }
      setTimeout(() => draw(button, "copy", "Copy the listing"), 1500);
    };
    box.append(button);
  }

  const narrow = matchMedia("(max-width: 1023px)");
  function all() {
    document.querySelectorAll("pre").forEach(prepare);
    // DocC's button for the pages above this one has no name.
    document.querySelectorAll("button.toggle:not([aria-label])").forEach((button) => { button.ariaLabel = "Pages above this one"; });
    const menu = document.querySelector("[data-menu]"), toggle = document.querySelector(".sidenav-toggle");
    menu.hidden = !toggle || !narrow.matches;
    menu.onclick = () => toggle.click();
  }
  narrow.addEventListener("change", all);
  new MutationObserver(all).observe(document.body, {childList: true, subtree: true});
  all();
})();
