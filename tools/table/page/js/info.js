// What is under the mouse, in words: a space with its ground and contents, or a piece with what is printed on it.

import { byId, h, put } from "./dom.js";
import { faceOf } from "./cards.js";
import { pieceTitle } from "./counter.js";
import { shown, state } from "./store.js";
import { plain } from "./lang.js";
import { spaceTitle, terms } from "./place.js";

let last = "";

/** Fields of a space that people want to read: words and numbers, not flags of the rules. */
function ground(id) {
  const space = state.look.spaces.get(id);
  const get = state.look.ofSpace(space, shown()?.spaces[id]);
  const word = get(state.look.map.terrain);
  const sides = [];
  for (const [a, b, features] of state.board.borders ?? []) if (a === id || b === id) sides.push(...features);
  const lines = Object.entries(state.board.networks ?? {}).filter(([name, net]) => state.look.line("link", name).style !== "none" && net.links.some(([a, b]) => a === id || b === id)).map(([name]) => state.look.line("link", name).name);
  const borders = [...new Set(sides)].filter((name) => state.look.line("border", name).style !== "none").map((name) => state.look.line("border", name).name);
  return [word && state.look.terrain(String(word)).name, ...borders, ...lines].filter(Boolean).map(plain).join(", ");
}

/** Fields that the counters of a game write out: those are worth a word. A game that draws none shows all. */
function printed(fields) {
  const rows = [...state.look.rows("counter"), ...state.look.rows("badge")];
  if (!rows.length) return fields;
  const text = JSON.stringify(rows);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => text.includes(`{${name}}`)));
}

/** A piece in words: a card with its whole text, a counter with what its numbers mean. */
function about(piece) {
  const proto = state.protos[piece.proto];
  if (!proto) return h("b", { class: "who" }, pieceTitle(piece));
  if (piece.kind === "card" || proto.text) {
    const face = faceOf(piece, proto);
    return [h("b", { class: "who" }, face.title), h("p", { class: "info-text" }, face.text), h("span", { class: "ground" }, face.foot)];
  }
  const rung = proto.levels[Math.min(piece.level ?? 1, proto.levels.length) - 1];
  return [h("b", { class: "who" }, pieceTitle(piece)), terms(printed({ ...rung?.fields, ...piece.values }))];
}

export function showInfo(thing) {
  const box = byId("info");
  const key = thing ? `${thing.space} ${thing.pieces?.[0].id ?? ""}` : "";
  if (key === last) return;
  last = key;
  box.hidden = !thing;
  if (!thing || !state.look.spaces.has(thing.space)) return;
  const held = shown()?.spaces[thing.space];
  const [piece] = thing.pieces ?? [];
  const pieces = held?.pieces ?? [];
  put(box,
    h("b", {}, spaceTitle(thing.space)), h("span", { class: "ground" }, ground(thing.space)),
    piece ? about(piece) : pieces.length > 0 && h("ul", {}, pieces.slice(0, 8).map((one) => h("li", {}, pieceTitle(one))), pieces.length > 8 && h("li", {}, `+${pieces.length - 8}`)));
}
