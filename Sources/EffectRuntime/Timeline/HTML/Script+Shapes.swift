// This source file is part of swift-effects. License: Apache-2.0.

extension Viewer {
  /// What marks and phases look like: each has its own shape or pattern, so that colour is never all there is.
  static let shapes = #"""
    // ---- Shapes
    let colors = {};
    function readColors() {
      const style = getComputedStyle(document.documentElement);
      colors = new Proxy({}, { get: (known, name) => known[name] ??= style.getPropertyValue(`--${name}`).trim() });
    }

    /** The shape and colour of an event, and the toggle that hides it. */
    function look(event) {
      switch (event.kind) {
        case "accepted": return [event.source?.kind === "run" ? "ring" : event.source?.kind === "followUp" ? "box" : "arrow", "sent", "sent"];
        case "refused": return ["cross", "bad", "dropped"];
        case "dispatchCancelled": return ["cross", "bad", "sent"];
        case "reduced": return ["dot", "reduced", "reduced"];
        case "dropped": return ["diamond", "bad", "dropped"];
        case "status": return ["tick", "muted", "status"];
        case "shutdown": return ["square", "store", ""];
        case "lost": case "turnSuspended": case "budgetExceeded": return ["warning", "store", ""];
        case "attemptFailed": return ["warning", "bad", "ends"];
        case "joined": return ["ring", "running", "ends"];
        case "returned": return ["box", "bad", "ends"];
        case "ended": return {
          failed: ["warning", "bad", "ends"], cancelled: ["cross", "bad", "ends"], dropped: ["diamond", "bad", "ends"],
        }[event.outcome?.kind] ?? ["check", "reduced", "ends"];
        default: return ["tick", "text", "ends"];
      }
    }

    const isMarked = (event) => view.marks[look(event)[2]] !== false;

    function drawShape(pen, shape, x, y, color, size = 5) {
      const line = (...points) => {
        pen.beginPath();
        points.forEach(([dx, dy], index) => pen[index ? "lineTo" : "moveTo"](x + dx * size, y + dy * size));
      };
      const circle = () => { pen.beginPath(); pen.arc(x, y, size * 0.9, 0, 7); };
      const hollow = () => { pen.closePath(); pen.fillStyle = colors.ground; pen.fill(); pen.stroke(); };
      const solid = () => { pen.closePath(); pen.fill(); pen.strokeStyle = colors.ground; pen.lineWidth = 1; pen.stroke(); };
      pen.fillStyle = pen.strokeStyle = color;
      pen.lineWidth = 1.75;
      switch (shape) {
        case "arrow": line([-1, -0.9], [1, -0.9], [0, 1]); solid(); break;
        case "dot": circle(); solid(); break;
        case "ring": circle(); hollow(); break;
        case "box": line([-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]); hollow(); break;
        case "square": line([-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]); solid(); break;
        case "diamond": line([0, -1.1], [1.1, 0], [0, 1.1], [-1.1, 0]); hollow(); line([-0.5, 0.5], [0.5, -0.5]); pen.stroke(); break;
        case "tick": line([0, -1], [0, 1]); pen.stroke(); break;
        case "cross":
          for (const [style, width] of [[colors.ground, 5], [color, 2.25]]) {
            pen.strokeStyle = style;
            pen.lineWidth = width;
            line([-0.8, -0.8], [0.8, 0.8]); pen.stroke();
            line([-0.8, 0.8], [0.8, -0.8]); pen.stroke();
          }
          break;
        case "check": circle(); solid(); pen.strokeStyle = colors.ground; pen.lineWidth = 1.5;
          line([-0.45, 0], [-0.1, 0.4], [0.45, -0.35]); pen.stroke(); break;
        case "warning": line([0, -1.1], [1.15, 0.9], [-1.15, 0.9]); solid(); pen.fillStyle = colors.ground;
          pen.fillRect(x - 0.75, y - size * 0.5, 1.5, size * 0.7); pen.fillRect(x - 0.75, y + size * 0.4, 1.5, 1.5); break;
      }
    }

    /** A bar in the colours of a phase, with its pattern. An open end has no line. */
    function drawBar(pen, name, x, y, width, height, isOpen = false) {
      pen.save();
      pen.beginPath();
      pen.rect(x, y, width, height);
      pen.clip();
      pen.fillStyle = colors[name];
      pen.fillRect(x, y, width, height);
      pen.strokeStyle = pen.fillStyle = colors[`${name}-text`];
      pen.globalAlpha *= 0.4;
      pen.lineWidth = 1;
      // Patterns are counted from the left end of the axis, so that they do not swim with the edge of the picture.
      const slanted = (step, slope) => {
        pen.beginPath();
        for (let at = Math.floor((x - height) / step) * step; at < x + width + height; at += step) {
          pen.moveTo(at, y + (slope > 0 ? height : 0));
          pen.lineTo(at + height, y + (slope > 0 ? 0 : height));
        }
        pen.stroke();
      };
      if (name === "queued") slanted(8, 1);
      if (name === "cancelled") { slanted(6, 1); slanted(6, -1); }
      if (name === "waiting") for (let at = Math.floor(x / 5) * 5; at < x + width; at += 5) pen.fillRect(at, y, 1, height);
      if (name === "sleeping") {
        for (let at = Math.floor(x / 6) * 6; at < x + width; at += 6) for (const row of [0.25, 0.75]) {
          pen.fillRect(at + (row > 0.5 ? 3 : 0), y + height * row - 0.75, 1.5, 1.5);
        }
      }
      pen.restore();
      if (name === "running" || width < 4) return;
      pen.strokeStyle = colors[`${name}-text`];
      pen.lineWidth = 1;
      if (name === "cancelled" || name === "unknown") pen.setLineDash([3, 2]);
      pen.beginPath();
      pen.moveTo(x + width, y + 0.5);
      pen.lineTo(x + 0.5, y + 0.5);
      pen.lineTo(x + 0.5, y + height - 0.5);
      pen.lineTo(x + width, y + height - 0.5);
      pen.stroke();
      if (!isOpen) pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
      pen.setLineDash([]);
    }
    """#
}
