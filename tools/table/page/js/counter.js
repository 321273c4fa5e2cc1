// A counter: colour and pattern of its side, symbol, echelon, factors, steps, facing and badges, all from the display tables.

import { s } from "./dom.js";
import { fits } from "./look.js";
import { silhouette, symbol } from "./symbols.js";
import { state, protoOf, sideName } from "./store.js";
import { titled } from "./lang.js";

/** Width of a counter on a hex map, where a hex is 100 wide. */
export const SIZE = 68;

const TONES = { quiet: ["#5f5a4c", "#fffaf0"], good: ["#1d6b45", "#ffffff"], bad: ["#a3231c", "#ffffff"], busy: ["#8a5a00", "#ffffff"] };

const inks = new Map();
const brush = document.createElement("canvas").getContext("2d");

/** Whether dark or light ink reads better on a colour. */
export function inkOn(colour) {
  if (!inks.has(colour)) {
    // The browser turns any way of writing a colour into one.
    brush.fillStyle = "#777777";
    brush.fillStyle = colour;
    inks.set(colour, readable(brush.fillStyle));
  }
  return inks.get(colour);
}

function readable(colour) {
  const parts = /^#(..)(..)(..)$/.exec(colour);
  if (!parts) return "#1b1a17";
  const [r, g, b] = parts.slice(1).map((part) => parseInt(part, 16) / 255);
  return 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + 0.0722 * b ** 2.2 > 0.3 ? "#1b1a17" : "#fdfaf2";
}

/** What a piece looks like: the rows about it, with everything picked and inserted. */
export function face(piece) {
  const look = state.look;
  const proto = protoOf(piece);
  const get = look.ofPiece(piece, proto);
  const side = look.side(piece.side);
  if (!proto) return { hidden: true, side, colour: side.colour, ink: side.ink, symbol: "", title: "", shape: "square", badges: [], name: titled(piece.kind) };
  const row = look.over("counter", get) ?? plainRow(proto, piece);
  const pick = (key) => String(look.pick(row[key], get) ?? "");
  const colour = pick("colour") || side.colour;
  return {
    side,
    colour,
    ink: pick("ink") || inkOn(colour),
    symbol: pick("symbol"),
    echelon: pick("echelon"),
    title: pick("title"),
    corner: pick("corner"),
    factors: pick("factors"),
    band: pick("band"),
    shape: pick("shape") || "square",
    name: get("name"),
    level: get("level"),
    levels: get("levels"),
    badges: look.rows("badge").filter((badge) => fits(badge.when, get)).map((badge) => ({ text: String(look.pick(badge.text, get)), tone: badge.tone ?? "quiet", name: badge.name ?? badge.id })),
  };
}

/** A piece of a game without display tables: its name and its first numbers. */
function plainRow(proto) {
  const numbers = Object.entries(proto.levels[0]?.fields ?? {}).filter(([, value]) => typeof value === "number");
  return { title: "{name}", factors: numbers.slice(0, 3).map(([name]) => `{${name}}`).join("-") };
}

const text = (x, y, size, value, ink, more = {}) =>
  s("text", { x, y, "font-size": size, fill: ink, "text-anchor": "middle", ...more, text: value });

/** Shortens a name to what fits. */
function short(name, most) {
  if (name.length <= most) return name;
  // A number says most about a unit: what stands before it goes first, then what does not fit behind it.
  const words = name.split(/\s+/);
  const first = Math.max(0, words.findIndex((word) => /^[^']*\d/.test(word)));
  let kept = words[first].slice(0, most);
  for (const word of words.slice(first + 1)) {
    if (kept.length + word.length + 1 > most) break;
    kept += ` ${word}`;
  }
  return kept.length < 4 && words[first + 1] ? `${kept} ${words[first + 1]}`.slice(0, most) : kept;
}

/** Draws a piece around the origin, 60 by 60. */
export function counter(piece, angle = null) {
  const look = face(piece);
  const group = s("g", { class: `counter ${look.shape}` });
  if (look.shape === "bare" && !look.hidden) return bare(group, look);
  const round = look.shape === "round";
  // A shadow as a shape: filters make a large map slow.
  group.append(s("rect", { class: "shade", x: -28.4, y: -27.8, width: 60, height: 60, rx: round ? 30 : 4 }));
  group.append(s("rect", { class: "body", x: -30, y: -30, width: 60, height: 60, rx: round ? 30 : 4, fill: look.colour }));
  // The side shows by a strip with its pattern too, for those who do not see the colour.
  if (!round) group.append(s("path", { d: "M-30-26a4 4 0 0 1 4-4h52a4 4 0 0 1 4 4v2.6h-60z", fill: look.side.colour }), s("path", { d: "M-30-26a4 4 0 0 1 4-4h52a4 4 0 0 1 4 4v2.6h-60z", fill: `url(#side-${look.side.pattern})` }));
  if (look.hidden) {
    group.append(s("rect", { x: -30, y: -30, width: 60, height: 60, rx: round ? 30 : 4, fill: `url(#side-${look.side.pattern})`, opacity: 0.55 }), text(0, 9, 26, "?", look.ink, { "font-weight": 700 }));
    return group;
  }
  if (look.band) group.append(s("rect", { x: -30, y: 10, width: 60, height: 4, fill: look.band }));
  content(group, look);
  if (look.levels > 1) steps(group, look);
  if (angle !== null) group.append(s("path", { d: "M-10-30L0-41L10-30z", class: "facing", transform: `rotate(${angle})` }));
  badges(group, look.badges, 23);
  return group;
}

function content(group, look) {
  const bare = !look.symbol || look.symbol === "none";
  if (bare) {
    const lines = wrap(look.title || look.name, 11).slice(0, look.factors ? 3 : 4);
    lines.forEach((part, at) => group.append(text(0, (look.factors ? -12 : -4) + (at - (lines.length - 1) / 2) * 11 + 4, 10, part, look.ink, { "font-weight": 600 })));
  } else {
    const paper = inkOn(look.colour) === look.ink ? "rgba(255,255,255,0.35)" : look.colour;
    const big = silhouette(look.symbol);
    const drawn = symbol(look.symbol, look.ink, paper);
    const scale = big ? (look.factors ? 1.15 : 1.4) : look.factors ? 0.86 : 1.05;
    drawn?.setAttribute("transform", `translate(0 ${look.factors ? -7 : 0}) scale(${scale})`);
    if (drawn) group.append(drawn);
    if (look.echelon) group.append(text(0, -18.6, 7, look.echelon, look.ink, { "font-weight": 700, class: "echelon" }));
    const title = short(look.title, 14);
    if (title) group.append(text(0, look.factors ? 12 : 24, title.length > 11 ? 5.9 : title.length > 8 ? 6.6 : 8, title, look.ink, { class: look.factors ? "unit-title" : "" }));
  }
  if (look.corner) group.append(text(-20, -13, 8, look.corner, look.ink, { "font-weight": 700, class: "corner" }));
  if (look.factors) {
    const size = look.factors.length > 8 ? 11 : look.factors.length > 6 ? 13 : 15.5;
    group.append(text(0, 25.5, size, look.factors, look.ink, { "font-weight": 700, class: look.factors.length > 6 ? "factors long" : "factors" }));
  }
}

/** Steps as pips at the right edge: full ones are left. */
function steps(group, look) {
  const left = look.levels - look.level + 1;
  for (let at = 0; at < look.levels && look.levels <= 6; at++) {
    group.append(s("circle", { cx: 26, cy: -19 + at * 5.4, r: 1.9, fill: at < left ? look.ink : "none", stroke: look.ink, "stroke-width": 0.8 }));
  }
}

function badges(group, list, y) {
  list.slice(0, 4).forEach((badge, at) => {
    const [back, ink] = TONES[badge.tone] ?? TONES.quiet;
    const width = Math.max(11, badge.text.length * 5.6 + 5);
    group.append(
      s("g", { class: "badge", transform: `translate(${at % 2 ? 31 - width / 2 : -31 + width / 2} ${at < 2 ? y - 50 : y - 36})` },
        s("rect", { x: -width / 2, y: -6, width, height: 12, rx: 3, fill: back, stroke: "#fffaf0", "stroke-width": 0.8 }),
        text(0, 3.2, 8.6, badge.text, ink, { "font-weight": 700 }), s("title", { text: badge.name })),
    );
  });
}

/** A piece without a counter: its silhouette in the colour of its side. */
function bare(group, look) {
  const back = symbol(look.symbol, "#fffaf0", "none");
  back?.setAttribute("class", "halo");
  const drawn = symbol(look.symbol, look.colour, "#fffaf0");
  const big = silhouette(look.symbol) ? 1.45 : 1.2;
  for (const part of [back, drawn]) {
    part?.setAttribute("transform", `scale(${big})`);
    if (part) group.append(part);
  }
  group.append(s("rect", { x: -27, y: 19, width: 54, height: 5, rx: 2, fill: look.side.colour }), s("rect", { x: -27, y: 19, width: 54, height: 5, rx: 2, fill: `url(#side-${look.side.pattern})` }));
  badges(group, look.badges, 30);
  return group;
}

function wrap(name, most) {
  const lines = [];
  for (const word of name.split(/\s+/)) {
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + word.length < most) lines[last] += ` ${word}`;
    else lines.push(word.slice(0, most));
  }
  return lines;
}

/** A piece in words, for tooltips and screen readers. */
export function pieceTitle(piece) {
  const look = face(piece);
  const owner = piece.side ? sideName(piece.side) : "";
  const marks = look.badges.map((badge) => badge.name);
  const level = look.levels > 1 ? ` ${look.levels - look.level + 1}/${look.levels}` : "";
  return [look.name + level, look.factors, owner, ...marks].filter(Boolean).join(", ");
}
