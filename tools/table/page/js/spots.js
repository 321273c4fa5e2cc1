// Marks in spaces that follow the state: flags of control, stars, drawings of the game's own, the tint of an area by its holder.

import { s } from "./dom.js";
import { fits } from "./look.js";
import { state, shown } from "./store.js";
import { ownMark } from "./symbols.js";

/** Where a mark stands in a hex if its row says nothing. */
const PLACES = { flag: [-33, -22], star: [33, -22], text: [30, 22] };

const DRAWN = {
  dot: (c) => [s("circle", { r: 6.5, fill: c, stroke: "#2b261c", "stroke-width": 1.6 })],
  square: (c) => [s("rect", { x: -8, y: -8, width: 16, height: 16, fill: c, stroke: "#2b261c", "stroke-width": 1.6 })],
  star: (c) => [s("path", { d: "M0-10L2.9-3.1L10.2-2.4L4.7 2.4L6.3 9.6L0 5.8L-6.3 9.6L-4.7 2.4L-10.2-2.4L-2.9-3.1z", fill: c, stroke: "#2b261c", "stroke-width": 1.2 })],
  flag: (c, pattern) => [s("path", { d: "M-7 11V-11", stroke: "#2b261c", "stroke-width": 2 }), s("path", { d: "M-6-10.5H10V0H-6z", fill: c, stroke: "#2b261c", "stroke-width": 0.8 }), s("path", { d: "M-6-10.5H10V0H-6z", fill: `url(#side-${pattern})` })],
  ring: (c) => [s("circle", { r: 38, fill: "none", stroke: c, "stroke-width": 4 })],
  edge: (c) => [s("path", { d: "", fill: "none", stroke: c, "stroke-width": 5, "stroke-linejoin": "round", class: "edge" })],
  arrow: (c) => [s("path", { d: "M-14 0H8M2-7L11 0L2 7", fill: "none", stroke: c, "stroke-width": 4 })],
  cross: (c) => [s("path", { d: "M-9-9L9 9M9-9L-9 9", fill: "none", stroke: c, "stroke-width": 4 })],
};

/** In an area a mark stands above its name, and a text below. */
function beside(area, mark, letters) {
  const half = ((area.lines?.length ?? 1) / 2) * letters * 1.05;
  return [0, mark === "text" ? half + letters * 0.75 : -half - letters * 0.6];
}

export class Spots {
  constructor(geometry) {
    this.geometry = geometry;
    this.tints = s("g", { class: "tints" });
    this.layer = s("g", { class: "spots" });
    this.drawn = new Map();
  }

  /** Draws again what has changed. */
  draw() {
    const view = shown();
    for (const space of state.board.spaces) {
      if (!this.geometry.places.has(space.id)) continue;
      const held = view?.spaces[space.id];
      const key = JSON.stringify(held?.values ?? null);
      const old = this.drawn.get(space.id);
      if (old?.key === key) continue;
      old?.nodes.forEach((node) => node.remove());
      this.drawn.set(space.id, { key, nodes: this.spot(space, held) });
    }
  }

  spot(space, held) {
    const look = state.look;
    const place = this.geometry.places.get(space.id);
    const get = look.ofSpace(space, held);
    const nodes = [];
    const holder = (look.map.tint ?? []).map(get).find((side) => side);
    if (holder && place.area) {
      const node = s("path", { d: this.geometry.outline(space.id), fill: look.side(holder).tint, class: "tint" });
      this.tints.append(node);
      nodes.push(node);
    }
    for (const row of look.rows("spot")) {
      if (!fits(row.when, get)) continue;
      const colour = String(look.pick(row.colour, get) || "#3b3528");
      const side = look.sides.get(colour);
      const mark = look.pick(row.mark, get) || "dot";
      if (mark === "none") continue;
      const letters = place.area?.["label-size"] ?? 18;
      const scale = ((row.size ?? 100) / 100) * (place.area ? letters / 18 : 1);
      const own = ownMark(mark, side?.colour ?? colour);
      const [dx, dy] = row.offset ?? (place.area ? beside(place.area, mark, letters) : (own?.at ?? PLACES[mark] ?? [0, 0]));
      const parts = mark === "text"
        ? [s("text", { "font-size": 15, class: "spot-text", fill: side?.colour ?? colour, text: String(look.pick(row.text, get)) })]
        : own?.nodes ?? (DRAWN[mark] ?? DRAWN.dot)(side?.colour ?? colour, side?.pattern ?? "plain");
      if (mark === "edge") parts[0].setAttribute("d", this.inner(space.id));
      const moved = mark === "edge" ? null : `translate(${place.x + dx} ${place.y + dy}) scale(${scale})`;
      const node = s("g", { transform: moved, class: `spot ${mark}` }, parts, row.name && s("title", { text: String(look.pick(row.name, get)) }));
      this.layer.append(node);
      nodes.push(node);
    }
    return nodes;
  }

  inner(id) {
    return this.geometry.outline(id, 0.9);
  }
}
