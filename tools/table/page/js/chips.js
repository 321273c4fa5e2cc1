// Areas seen from afar: pieces as large as can be read where there is room, and one plate for each side where there is not.

import { s } from "./dom.js";
import { counter } from "./counter.js";
import { sideName, state } from "./store.js";
import { t } from "./lang.js";

/** Pixels that a piece, and a plate, must at least be wide to be read. */
const READABLE = 18;
const PLATE = 30;

/** Scales go by steps, so that a little zoom draws nothing anew. */
export const stepOf = (scale) => Math.floor(Math.log2(scale) * 4);
const scaleOf = (step) => 2 ** (step / 4);

/** The places for pieces at a zoom: how wide each is, and those that lie far enough apart, in their order. */
export function roomIn(area, step) {
  const own = area["slot-size"] ?? 30;
  const size = Math.max(own, READABLE / scaleOf(step));
  if (size === own) return { size, slots: area.slots };
  const slots = [];
  for (const [x, y] of area.slots) {
    if (slots.every(([p, q]) => Math.abs(p - x) >= size * 0.95 || Math.abs(q - y) >= size * 0.7)) slots.push([x, y]);
  }
  return { size, slots };
}

/** Pieces of each side as plates around the places of an area: its first piece, and how many there are. */
export function plates(id, area, groups, step) {
  const sides = new Map();
  for (const group of groups) sides.set(group[0].side, [...(sides.get(group[0].side) ?? []), ...group]);
  const scale = Math.max((area["slot-size"] ?? 30) / 52, PLATE / 60 / scaleOf(step));
  const [x, y] = middle(area.slots);
  return [...sides].map(([side, pieces], at) => plate(id, side, pieces, scale, x, y + (at - (sides.size - 1) / 2) * 34 * scale));
}

/** The place that is nearest to the middle of all. */
function middle(slots) {
  const mean = (of) => slots.reduce((sum, slot) => sum + slot[of], 0) / slots.length;
  const [x, y] = [mean(0), mean(1)];
  const far = (slot) => Math.hypot(slot[0] - x, slot[1] - y);
  return [...slots].sort((a, b) => far(a) - far(b))[0];
}

function plate(id, side, pieces, scale, x, y) {
  const { colour, pattern } = state.look.side(side);
  const frame = { x: -30, y: -16, width: 60, height: 32, rx: 5 };
  const drawn = s("g", { transform: "translate(-12 -1) scale(0.62)" }, counter(pieces[0]));
  return s("g", { class: "plate", "data-shape": id, "data-plate": id, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})` },
    s("rect", { ...frame, class: "plate-back", stroke: colour }),
    drawn,
    s("text", { x: 18, y: 6.5, class: "plate-count", text: `${pieces.length}` }),
    s("path", { d: "M-29 12h58v2a3 3 0 0 1-3 3h-52a3 3 0 0 1-3-3z", fill: colour }), s("path", { d: "M-29 12h58v2a3 3 0 0 1-3 3h-52a3 3 0 0 1-3-3z", fill: `url(#side-${pattern})` }),
    s("title", { text: t("map.plate", { side: side ? sideName(side) : "", n: pieces.length }) }));
}
