// Unit symbols, put together from parts: rows of `display.symbol`, those of every game and the game's own. A part draws in a frame 36 wide and 24 high around the origin.

import { s } from "./dom.js";
import { state } from "./store.js";

const line = (d) => ({ d });
const solid = (d) => ({ d, solid: true });
const word = (text) => ({ text });

/** A row of `display.symbol` as parts. */
const own = (row) => [
  row.fill && solid(row.fill),
  row.line && { ...line(row.line), width: row.width, dash: row.dash },
  row.white && { ...solid(row.white), white: true },
  row.text && word(row.text),
].filter(Boolean);

const partsOf = (name) => {
  const row = state.look?.row("symbol", name);
  return row ? own(row) : [];
};

/** Whether a part stands in the frame of a unit. */
const framed = (name) => state.look?.row("symbol", name)?.frame === true;

const draw = (part, ink) =>
  part.text
    ? s("text", { y: 5, "font-size": 13, "text-anchor": "middle", fill: ink, "font-weight": 700, text: part.text })
    : s("path", { d: part.d, fill: part.white ? "#fffaf0" : part.solid ? ink : "none", stroke: part.white ? "#fffaf0" : ink, "stroke-width": part.width ?? (part.solid ? 0.6 : 1.9), "stroke-dasharray": part.dash, "stroke-linejoin": "round" });

/** A symbol of one or several parts; `paper` fills its frame. */
export function symbol(names, ink, paper) {
  const parts = names.split(" ").filter((name) => name && name !== "none");
  if (!parts.length) return null;
  return s(
    "g",
    {},
    parts.some(framed) && s("rect", { x: -18, y: -12, width: 36, height: 24, fill: paper, stroke: ink, "stroke-width": 1.9 }),
    parts.flatMap((name) => partsOf(name).map((part) => draw(part, ink))),
  );
}

/** Whether a symbol is a silhouette, which can be drawn larger. */
export const silhouette = (names) => !names.split(" ").some(framed);

/** A drawing of the game's own as a mark in a space: its parts with a dark edge, and where it stands. */
export function ownMark(name, colour) {
  const row = state.look.row("symbol", name);
  if (!row) return null;
  const nodes = own(row).map((part) => draw(part, colour));
  for (const [at, part] of own(row).entries()) if (part.solid && !part.white) (nodes[at].setAttribute("stroke", "#2b261c"), nodes[at].setAttribute("stroke-width", 1.4));
  return { nodes, at: row.at };
}
