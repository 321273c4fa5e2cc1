// Unit symbols, put together from parts in the manner of military maps. A part draws in a frame 36 wide and 24 high around the origin.

import { s } from "./dom.js";

const line = (d) => ({ d });
const solid = (d) => ({ d, solid: true });
const word = (text) => ({ text });

/** Parts that stand in the frame. */
const PARTS = {
  infantry: [line("M-18-12L18 12M18-12L-18 12")],
  foot: [line("M-18-12L18 12M18-12L-18 12")],
  cavalry: [line("M-18 12L18-12")],
  horse: [solid("M-18 12L18-12V12z")],
  reconnaissance: [line("M-18 12L18-12")],
  armour: [line("M-7-6.5H7A6.5 6.5 0 0 1 7 6.5H-7A6.5 6.5 0 0 1-7-6.5z")],
  mechanised: [line("M-18-12L18 12M18-12L-18 12"), line("M-7-6.5H7A6.5 6.5 0 0 1 7 6.5H-7A6.5 6.5 0 0 1-7-6.5z")],
  motorised: [line("M-18-12L18 12M18-12L-18 12"), line("M0-12V12")],
  "assault-gun": [line("M-7-6.5H7A6.5 6.5 0 0 1 7 6.5H-7A6.5 6.5 0 0 1-7-6.5z"), line("M-12 12L0-12L12 12")],
  artillery: [solid("M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z")],
  guns: [solid("M-3.5 1a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"), line("M0 1V-10M-9 8L0 1L9 8")],
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
  security: [word("SEC")],
  partisan: [word("P")],
  "machine-gun": [line("M0 9V-8M-4-4L0-8L4-4M-6 9H6")],
  air: [solid("M0 0L-11-6Q-15 0-11 6zM0 0L11-6Q15 0 11 6z")],
  leader: [solid("M0-9L2.6-2.8L9.2-2.2L4.2 2.2L5.7 8.7L0 5.2L-5.7 8.7L-4.2 2.2L-9.2-2.2L-2.6-2.8z")],
  tracks: [line("M-11 15H11a2.2 2.2 0 0 1 0 4.4H-11a2.2 2.2 0 0 1 0-4.4z")],
  wheels: [line("M-12 16a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0zM7.2 16a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z")],
};

/** Silhouettes, which need no frame. */
const SHAPES = {
  tank: [solid("M-17 3H17L13 10H-13zM-9-1L-6-7H6L8-1H20V1H8L9 2H-10z")],
  truck: [solid("M-17-6H4V6H-17zM5-3H11L16 2V6H5z"), solid("M-13 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zM7 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z")],
  train: [solid("M-17-8H-6V-3H10V-8H14V-3Q17-2 17 2V6H-17z"), solid("M-14 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM-4 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM7 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0z")],
  fighter: [solid("M0-12Q2-8 2-4L17 2V5L2 3L1.5 8L6 10V12H-6V10L-1.5 8L-2 3L-17 5V2L-2-4Q-2-8 0-12z")],
  bomber: [solid("M0-12Q2.5-9 2.5-5L6-4V-7H8V-3.5L18 0V4L2.5 3L1.5 8L8 10V12H-8V10L-1.5 8L-2.5 3L-18 4V0L-8-3.5V-7H-6V-4L-2.5-5Q-2.5-9 0-12z")],
  battleship: [solid("M-18 3H-12L-11 0H-6L-5-3H-3V-8H-1V-12H1V-8H4V-3H6L7 0H12L13 3H18L14 9H-15zM-17 1L-11-1V0zM17 1L11-1V0z")],
  carrier: [solid("M-18-1H2V-6H4V-9H6V-6H9V-1H18L14 9H-14z")],
  destroyer: [solid("M-18 3H-9V0H-5L-4-5H-2V-9H-1V-5H1V0H4V-3H7V0H9V3H18L14 9H-15z")],
  submarine: [solid("M-18 4Q-14 0-8 0H-3V-6H-1V-10H0V-6H3V0H10Q16 0 18 4Q14 8 8 8H-10Q-16 8-18 4z")],
  transport: [solid("M-18 2H-8V-3H-3V-8H0V-3H3V2H8V-4H9V2H18L14 9H-15z")],
  factory: [solid("M-16 10V-3L-8 1V-3L0 1V-3L6 0V-11H10V-3L16 0V10z")],
  mine: [solid("M-8 4Q-8-5 0-5Q8-5 8 4z"), line("M-12 6H12M0-5V-10M-6-3L-9-7M6-3L9-7")],
  wire: [line("M-17 0Q-12-8-8 0T0 0T8 0T17 0M-17 0Q-12 8-8 0T0 0T8 0T17 0")],
  bunker: [solid("M-15 9V0L-9-8H9L15 0V9z")],
  trench: [line("M-17 4H-11V-4H-4V4H4V-4H11V4H17M-17 8H-9V0H-6V8H6V0H9V8H17")],
  smoke: [solid("M-12 8Q-18 8-17 2Q-16-3-10-2Q-8-9 0-8Q8-9 10-2Q17-3 17 3Q17 8 11 8z")],
  mark: [line("M-7-5Q-6-11 0-11Q7-11 7-5Q7-1 2 1Q0 2 0 5"), solid("M-1.8 9.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z")],
};

const draw = (part, ink) =>
  part.text
    ? s("text", { y: 5, "font-size": 13, "text-anchor": "middle", fill: ink, "font-weight": 700, text: part.text })
    : s("path", { d: part.d, fill: part.solid ? ink : "none", stroke: ink, "stroke-width": part.solid ? 0.6 : 1.9, "stroke-linejoin": "round" });

/** A symbol of one or several parts; `paper` fills its frame. */
export function symbol(names, ink, paper) {
  const parts = names.split(" ").filter((name) => name && name !== "none");
  if (!parts.length) return null;
  const framed = parts.some((name) => PARTS[name]);
  return s(
    "g",
    {},
    framed && s("rect", { x: -18, y: -12, width: 36, height: 24, fill: paper, stroke: ink, "stroke-width": 1.9 }),
    parts.flatMap((name) => (PARTS[name] ?? SHAPES[name] ?? []).map((part) => draw(part, ink))),
  );
}

/** Whether a symbol is a silhouette, which can be drawn larger. */
export const silhouette = (names) => names.split(" ").every((name) => SHAPES[name]);
