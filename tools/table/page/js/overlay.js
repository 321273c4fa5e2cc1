// What lies over the counters: lit spaces and pieces, arrows of moves, the path under the mouse, and stacks fanned out.

import { s } from "./dom.js";
import { decision, findPiece, shown, state } from "./store.js";
import { grouped, piecesAt, token } from "./stacks.js";
import { lookUp, ofPieces } from "./options.js";
import { t } from "./lang.js";

export class Overlay {
  constructor(geometry, camera) {
    this.geometry = geometry;
    this.camera = camera;
    this.under = s("g", { class: "lit-spaces" });
    this.arrows = s("g", { class: "arrows", "aria-hidden": "true" });
    this.ghost = s("g", { class: "ghost", "aria-hidden": "true" });
    this.fan = s("g", { class: "fan" });
    this.fanned = null;
  }

  /** Lights what can be clicked. */
  light() {
    const { spaces, within } = lookUp();
    const asked = decision();
    this.under.replaceChildren();
    const lit = (id, kind, label) => {
      const d = this.geometry.outline(id, 0.94);
      // A dark line below the bright one: on any ground one of the two stands out.
      if (d) this.under.append(s("path", { d, class: "lit-back", "fill-rule": "evenodd" }), s("path", { d, class: `lit ${kind}`, "data-space": id, "data-lit": "true", role: "button", "aria-label": label ?? id, "fill-rule": "evenodd" }));
    };
    for (const [id, options] of spaces) lit(id, this.taken(options) ? "taken" : "to", options[0].label);
    for (const [id, options] of within) {
      if (!spaces.has(id)) lit(id, this.taken(options) ? "taken from" : "from", options[0].label);
    }
    this.under.dataset.many = String(spaces.size > 24);
    this.mark(document);
    this.about(asked);
    this.underWay();
    document.body.dataset.lit = asked ? "true" : "false";
  }

  /** Shows what the question is about: the unit that is ordered, the hex that is attacked. */
  about(asked) {
    for (const node of document.querySelectorAll("[data-about]")) delete node.dataset.about;
    for (const ref of Object.values(asked?.about ?? {})) {
      if (ref.space && this.geometry.places.has(ref.space)) this.under.prepend(s("path", { d: this.geometry.outline(ref.space, 0.97), class: "about", "fill-rule": "evenodd" }));
      if (ref.piece) document.querySelectorAll(`[data-piece="${CSS.escape(ref.piece)}"]`).forEach((node) => (node.dataset.about = "true"));
    }
  }

  /** What is going on, such as a combat: the space that it is about, and lines from the pieces that have a part in it. */
  underWay() {
    for (const { values } of shown()?.records ?? []) {
      const [target] = Object.values(values).filter((value) => typeof value === "string" && this.geometry.places.has(value));
      const to = this.geometry.places.get(target);
      if (!to) continue;
      const pieces = Object.values(values).filter(Array.isArray).flat().map((id) => findPiece(id)?.space);
      const from = [...new Set(pieces)].filter((id) => id && id !== target).map((id) => this.geometry.places.get(id)).filter(Boolean);
      this.under.append(s("path", { d: this.geometry.outline(target, 0.97), class: "under-way", "data-under-way": target, "fill-rule": "evenodd" }));
      if (from.length) this.under.append(s("path", { d: from.map(({ x, y }) => `M${x} ${y}L${to.x} ${to.y}`).join(""), class: "under-way line" }));
    }
  }

  taken(options) {
    return options.some((option) => state.chosen.has(option.name));
  }

  /** Lights pieces, on the map or in a tray. */
  mark(root) {
    for (const node of root.querySelectorAll(".piece, .card")) {
      const options = node.pieces ? ofPieces(node.pieces) : [];
      const taken = node.pieces?.some((piece) => state.chosen.has(piece.id)) ?? false;
      node.dataset.lit = options.length ? "true" : "false";
      node.dataset.taken = taken ? "true" : "false";
      // A card has buttons of its own, and all of it is in the list beside the map as well.
      if (options.length && node.matches(".piece")) node.setAttribute("role", "button");
      else node.removeAttribute("role");
    }
    for (const node of root.querySelectorAll(".plate")) {
      node.dataset.lit = lookUp().within.has(node.dataset.plate) ? "true" : "false";
    }
    for (const node of root.querySelectorAll(".tray-place")) {
      node.dataset.lit = lookUp().spaces.has(node.dataset.space) ? "true" : "false";
    }
  }

  /** Arrows of moves that were made. */
  moves(list) {
    this.arrows.replaceChildren(...this.paths(list, "made"));
  }

  /** What an option would do: moves, a path, the space or piece it is about. */
  hint(option, preview) {
    const nodes = [];
    const target = option?.space ?? option?.at ?? (option?.piece ? findPiece(option.piece)?.space : null);
    const d = target && this.geometry.outline(target, 0.98);
    if (d) nodes.push(s("path", { d, class: "aim", "fill-rule": "evenodd" }));
    if (preview?.path) nodes.push(...this.way(preview.path));
    if (option?.angle !== undefined) nodes.push(...this.paths([{ from: option.from, to: option.space }], "would"));
    nodes.push(...this.paths(preview?.moves ?? [], "would"));
    this.ghost.replaceChildren(...nodes);
  }

  /** What a line of the log tells of: its spaces, and the way between them. */
  point(places, line) {
    const shapes = places.map((id) => this.geometry.outline(id, 0.98)).filter(Boolean).map((d) => s("path", { d, class: "aim", "fill-rule": "evenodd" }));
    const way = line.from && line.to ? this.paths([line], "would") : [];
    this.ghost.replaceChildren(...shapes, ...way);
    this.ghost.dataset.line = line.n;
  }

  paths(list, kind) {
    const drawn = [];
    const seen = new Set();
    for (const { from, to } of list) {
      const [a, b] = [this.geometry.places.get(from), this.geometry.places.get(to)];
      if (!a || !b || a === b || seen.has(`${from} ${to}`)) continue;
      seen.add(`${from} ${to}`);
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const far = Math.hypot(dx, dy);
      const [mx, my] = [(a.x + b.x) / 2 - dy * 0.12, (a.y + b.y) / 2 + dx * 0.12];
      // The arrow ends at the edge of the counter that it leads to, so that both can be seen.
      const angle = Math.atan2(b.y - my, b.x - mx);
      const short = Math.min(40, far * 0.3);
      const [ex, ey] = [b.x - Math.cos(angle) * short, b.y - Math.sin(angle) * short];
      const wing = (turn) => `${(ex - Math.cos(angle + turn) * 22).toFixed(1)} ${(ey - Math.sin(angle + turn) * 22).toFixed(1)}`;
      const head = `M${ex.toFixed(1)} ${ey.toFixed(1)}L${wing(0.5)}L${wing(-0.5)}z`;
      const d = `M${a.x.toFixed(1)} ${a.y.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${(ex - Math.cos(angle) * 14).toFixed(1)} ${(ey - Math.sin(angle) * 14).toFixed(1)}`;
      drawn.push(s("path", { d: d + head, class: `arrow-back ${kind}` }), s("path", { d, class: `arrow ${kind}` }), s("path", { d: head, class: `arrow-head ${kind}` }));
    }
    return drawn.slice(0, 90);
  }

  way(path) {
    const points = path.map((id) => this.geometry.places.get(id)).filter(Boolean);
    return points.length < 2 ? [] : [s("path", { d: `M${points.map((p) => `${p.x} ${p.y}`).join("L")}`, class: "way" })];
  }

  /** Spreads the pieces of a space, so that each can be seen and clicked. */
  open(id) {
    const pieces = piecesAt(id);
    const place = this.geometry.places.get(id);
    if (!place || pieces.length === 0) return this.close();
    if (this.fanned === id) return;
    this.fanned = id;
    const groups = pieces.length > 8 ? grouped(pieces) : pieces.flatMap((piece) => [[piece], ...(piece.cargo ?? []).map((cargo) => [cargo])]);
    const scale = Math.max(1.05, 56 / 60 / this.camera.at.scale);
    const across = Math.min(groups.length, groups.length > 12 ? 6 : 4);
    const down = Math.ceil(groups.length / across);
    const step = 68 * scale;
    const [width, height] = [across * step + 8 * scale, down * step + 8 * scale];
    const { box } = this.camera;
    const left = Math.max(box.x + 4, Math.min(place.x - width / 2, box.x + box.w - width - 4));
    const above = place.y - height - 40;
    const top = above > box.y ? above : Math.min(place.y + 44, box.y + box.h - height);
    const nodes = groups.map((group, at) =>
      token(group, id, this.geometry, scale, left + 4 * scale + (at % across) * step + step / 2, top + 4 * scale + Math.floor(at / across) * step + step / 2));
    this.fan.replaceChildren(s("rect", { x: left, y: top, width, height, rx: 8 * scale, class: "fan-back", "stroke-width": 2 * scale }), ...nodes);
    this.fan.setAttribute("aria-label", t("map.stack", { place: id }));
    this.mark(this.fan);
  }

  close() {
    this.fanned = null;
    this.fan.replaceChildren();
  }
}
