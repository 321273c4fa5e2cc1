// Unit symbols, put together from parts in the manner of military maps. A part draws in a frame 36 wide and 24 high around the origin.

import { s } from "./dom.js";
import { state } from "./store.js";

const line = (d) => ({ d });
const solid = (d) => ({ d, solid: true });
const word = (text) => ({ text });

/** Parts that stand in the frame, by their names on military maps; games draw everything else in `display.symbol`. */
const PARTS = {
  infantry: [line("M-18-12L18 12M18-12L-18 12")],
  cavalry: [line("M-18 12L18-12")],
  reconnaissance: [line("M-18 12L18-12")],
  armour: [line("M-7-6.5H7A6.5 6.5 0 0 1 7 6.5H-7A6.5 6.5 0 0 1-7-6.5z")],
  mechanised: [line("M-18-12L18 12M18-12L-18 12"), line("M-7-6.5H7A6.5 6.5 0 0 1 7 6.5H-7A6.5 6.5 0 0 1-7-6.5z")],
  motorised: [line("M-18-12L18 12M18-12L-18 12"), line("M0-12V12")],
  artillery: [solid("M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z")],
  rockets: [line("M-6 2L0-5L6 2M-6 8L0 1L6 8")],
  mortar: [line("M-3.5 6a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zM0 2.5V-8M-3.5-4.5L0-8L3.5-4.5")],
  "anti-tank": [line("M-18 12L0-12L18 12")],
  "anti-air": [line("M-18 12Q0-16 18 12")],
  engineer: [line("M-11 6V-4H11V6M0-4V6")],
  mountain: [solid("M-6 12L0 3L6 12z")],
  airborne: [line("M-9 10Q-4.5 3 0 10Q4.5 3 9 10")],
  marine: [line("M0-8V8M-6 3Q0 12 6 3M-4-4H4")],
  headquarters: [solid("M-18-12H18V-5H-18z"), line("M-18 12V17")],
  supply: [line("M-18 6H18")],
  "machine-gun": [line("M0 9V-8M-4-4L0-8L4-4M-6 9H6")],
  air: [solid("M0 0L-11-6Q-15 0-11 6zM0 0L11-6Q15 0 11 6z")],
  tracks: [line("M-11 15H11a2.2 2.2 0 0 1 0 4.4H-11a2.2 2.2 0 0 1 0-4.4z")],
  wheels: [line("M-12 16a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0zM7.2 16a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z")],
};

/** A row of `display.symbol` as parts. */
const own = (row) => [
  row.fill && solid(row.fill),
  row.line && { ...line(row.line), width: row.width, dash: row.dash },
  row.white && { ...solid(row.white), white: true },
  row.text && word(row.text),
].filter(Boolean);

const partsOf = (name) => {
  const row = state.look?.row("symbol", name);
  return row ? own(row) : (PARTS[name] ?? []);
};

/** Whether a part stands in the frame of a unit. */
const framed = (name) => {
  const row = state.look?.row("symbol", name);
  return row ? row.frame === true : name in PARTS;
};

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
