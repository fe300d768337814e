// This source file is part of swift-effects. License: Apache-2.0.

extension Viewer {
  /// How the page looks. Colours are custom properties, which the script reads for the canvas; all pairs of text and ground
  /// have a contrast of at least 4.5 to 1. Nothing moves by itself.
  static let style = #"""
    :root {
      color-scheme: light;
      --ground: #ffffff; --raised: #f5f6f8; --line: #d5dae1; --grid: #e9ecf0; --overview: #b9c2cd; --text: #1b1f24; --muted: #566070;
      --accent: #5b35b5; --sent: #5b35b5; --reduced: #08704f; --bad: #ab2f18; --store: #6a5200;
      --running: #2b69b0; --running-text: #ffffff; --sleeping: #d9e6f5; --sleeping-text: #1b4a7e;
      --waiting: #fff0cc; --waiting-text: #664700; --queued: #e8eaee; --queued-text: #3d4550;
      --cancelled: #fce3dd; --cancelled-text: #8c2410; --unknown: #f0f0f0; --unknown-text: #555555;
    }
    :root[data-theme="dark"] {
      color-scheme: dark;
      --ground: #14171c; --raised: #1d2229; --line: #39424d; --grid: #242a32; --overview: #4d5866; --text: #e8ebf0; --muted: #a3aebb;
      --accent: #b79df5; --sent: #b79df5; --reduced: #56d0a4; --bad: #f4937b; --store: #e0bf62;
      --running: #5a9ae0; --running-text: #08121f; --sleeping: #1e3855; --sleeping-text: #c3dcf7;
      --waiting: #3b2f10; --waiting-text: #f2d58d; --queued: #2d343d; --queued-text: #d8dde4;
      --cancelled: #46231c; --cancelled-text: #ffc7ba; --unknown: #2a2a2a; --unknown-text: #bbbbbb;
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html, body { height: 100%; margin: 0; }
    body {
      display: flex; flex-direction: column; height: 100dvh; background: var(--ground); color: var(--text);
      font: 14px/1.45 system-ui, "Segoe UI", "Liberation Sans", sans-serif;
    }
    header, #tools, #legend { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 14px; }
    header { padding-bottom: 2px; }
    h1 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
    #summary { color: var(--muted); flex: 1; min-width: 12em; }
    #notice { margin: 0; padding: 0 14px 4px; color: var(--store); }
    #notice:empty { display: none; }
    .group { display: flex; gap: 4px; }
    button, input {
      font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
      min-height: 32px; padding: 3px 10px;
    }
    button { cursor: pointer; }
    button:hover { background: var(--raised); }
    button[aria-pressed="true"] { background: var(--raised); border-color: var(--accent); color: var(--accent); }
    input::placeholder { color: var(--muted); opacity: 1; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    #tools input { width: 13em; min-width: 0; }
    #count { color: var(--muted); }
    main { flex: 1; min-height: 330px; display: flex; flex-direction: column; border-block: 1px solid var(--line); }
    #stage { position: relative; flex: 1; min-height: 190px; }
    canvas#chart { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
    canvas#chart:focus-visible { outline-offset: -2px; }
    #empty { position: absolute; inset: 0; display: grid; place-content: center; color: var(--muted); text-align: center; padding: 20px; }
    #tip {
      position: absolute; max-width: min(420px, 90%); padding: 6px 9px; border: 1px solid var(--line); border-radius: 6px;
      background: var(--raised); font-size: 12.5px; white-space: pre-wrap; overflow-wrap: anywhere; pointer-events: none;
      box-shadow: 0 2px 8px #0003;
    }
    #list { flex: 1; min-height: 0; overflow: auto; }
    table { border-collapse: collapse; width: 100%; }
    caption { text-align: start; padding: 8px 14px; color: var(--muted); }
    th, td { text-align: start; padding: 2px 8px; border-bottom: 1px solid var(--grid); vertical-align: top; }
    th { position: sticky; top: 0; background: var(--raised); font-weight: 600; }
    td { overflow-wrap: anywhere; }
    td:nth-child(2) { white-space: nowrap; font-variant-numeric: tabular-nums; }
    td button, dd button { min-height: 24px; padding: 0 6px; text-align: start; overflow-wrap: anywhere; }
    tr[aria-current="true"] td { background: var(--raised); }
    #more { margin: 10px 14px; }
    #details { max-height: 42%; overflow: auto; padding: 8px 14px; background: var(--raised); border-top: 1px solid var(--line); }
    h2 { font-size: 15px; margin: 0; flex: 1; }
    #details .top { display: flex; gap: 4px; align-items: center; margin-bottom: 6px; }
    dl { margin: 0; columns: 310px; column-gap: 28px; }
    dl div { display: grid; grid-template-columns: 5.5em 1fr; gap: 10px; padding: 2px 0; break-inside: avoid; }
    dt { color: var(--muted); }
    dt::first-letter { text-transform: uppercase; }
    dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
    dd ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 3px; }
    .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12.5px; white-space: pre-wrap; }
    #legend { gap: 2px 10px; padding-block: 5px; font-size: 12.5px; }
    #legend label, #legend span { display: inline-flex; gap: 5px; align-items: center; min-height: 26px; white-space: nowrap; }
    #legend input { min-height: 0; margin: 0; width: 15px; height: 15px; accent-color: var(--accent); }
    dialog { max-width: min(34em, 92vw); border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--text); }
    dialog::backdrop { background: #0006; }
    kbd { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; border: 1px solid var(--line); border-radius: 4px; padding: 1px 5px; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    @media (max-width: 760px) {
      header, #tools, #notice, #legend { padding-inline: 10px; }
      #tools { gap: 6px; }
      #tools input { width: 9em; }
      #legend { flex-wrap: nowrap; overflow-x: auto; }
      th:nth-child(5), td:nth-child(5), th:nth-child(4), td:nth-child(4) { display: none; }
    }
    @media (max-width: 520px) {
      #tools input { flex: 1 1 40%; }
      h1, #summary { flex-basis: 100%; line-height: 1.25; }
    }
    @media (prefers-reduced-motion: reduce) { * { scroll-behavior: auto !important; } }
    """#
}
