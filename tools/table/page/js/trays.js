// Beside the map: hands of cards, decks and discards, boxes with their pieces, grouped into trays with tabs.

import { byId, h, put, s } from "./dom.js";
import { back, card, deck } from "./cards.js";
import { grouped, token } from "./stacks.js";
import { inPlay, listen, protoOf, shown, sideName, state } from "./store.js";
import { t, titled } from "./lang.js";
import { openPlace } from "./place.js";

let chosen = null;
let geometry = null;
let after = () => {};

/** What a pile or box is laid out as, if its row says nothing. */
function formOf(space, row, held) {
  if (row?.form) return row.form;
  if (space.kind === "box") return "row";
  if (space.see === "owner" && (held?.pieces?.length || space.side === state.view?.as)) return "hand";
  return "deck";
}

/** The places that lie in trays: id of the tray -> places. */
function trays() {
  const found = new Map();
  for (const space of state.board.spaces) {
    if ((space.kind !== "box" && space.kind !== "pile") || geometry.places.has(space.id)) continue;
    const row = state.look.row("place", space.id);
    const held = shown()?.spaces[space.id];
    const form = formOf(space, row, held);
    if (form === "hidden") continue;
    const tray = row?.tray ?? space.side ?? "table";
    if (!found.has(tray)) found.set(tray, []);
    found.get(tray).push({ space, row, held, form });
  }
  return found;
}

const trayName = (id) => (state.look.sides.has(id) ? sideName(id) : id === "table" ? t("tray.table") : titled(id));

/** Makes the trays of a board. */
export function startTrays(shapes, mark) {
  geometry = shapes;
  after = mark;
  chosen = null;
}

function draw() {
  const view = shown();
  if (!view || !geometry) return;
  const found = trays();
  const seats = [...state.look.sides.keys()];
  const names = [...found.keys()].sort((a, b) => (seats.indexOf(a) + 1 || 99) - (seats.indexOf(b) + 1 || 99)).filter((id) => !state.look.sides.has(id) || inPlay(view, id));
  const mine = view.as && found.has(view.as) ? view.as : names[0];
  if (!names.includes(chosen)) chosen = null;
  const open = chosen ?? mine;
  byId("dock").dataset.trays = names.length ? "some" : "none";
  if (!names.length) return void put(byId("dock-tabs"));
  const tab = (id) => {
    const count = found.get(id).reduce((sum, place) => sum + (place.held?.count ?? 0), 0);
    const colour = state.look.sides.get(id)?.colour;
    return h("button", { role: "tab", class: "tab", "aria-selected": String(id === open), "data-tray": id, onclick: () => { chosen = id; draw(); } },
      colour && h("i", { class: "chip", style: `background:${colour}` }), trayName(id), h("small", {}, `${count}`));
  };
  put(byId("dock-tabs"), names.map(tab));
  const order = { hand: 0, row: 1, track: 1, deck: 2, count: 3 };
  const places = [...found.get(open)].sort((a, b) => (order[a.form] ?? 1) - (order[b.form] ?? 1) || full(b) - full(a));
  byId("dock").dataset.tall = String(places.some((place) => place.held?.count && (place.form === "hand" || place.form === "deck") && (!place.held.pieces?.length || isCard(place.held.pieces[0]))));
  // Places in which nothing lies, or nothing but a number, need no room of their own.
  const roomy = (place) => full(place) && place.form !== "count";
  const [filled, empty] = [places.filter(roomy), places.filter((place) => !roomy(place))];
  byId("dock").dataset.bare = String(filled.length === 0);
  put(byId("dock-body"), filled.map(placeNode), empty.length > 0 && h("div", { class: "tray-empty" }, empty.map(emptyNode)));
  after(byId("dock-body"));
}

const full = (place) => ((place.held?.count ?? 0) > 0 ? 1 : 0);

function emptyNode({ space, row, held }) {
  const title = row?.title ?? space.name ?? titled(space.id);
  const count = held?.count ?? 0;
  const head = count ? h("button", { class: "plain", "data-place": space.id, title: t("place.open"), onclick: () => openPlace(space.id) }, title) : h("span", { title }, title);
  return h("section", { class: "tray-place", "data-space": space.id, "data-empty": String(count === 0) }, h("h3", {}, head, h("small", {}, `${count}`)));
}

function placeNode({ space, row, held, form }) {
  const title = row?.title ?? space.name ?? titled(space.id);
  const pieces = held?.pieces ?? [];
  const count = held?.count ?? 0;
  const hidden = count - pieces.length;
  const head = h("h3", {}, h("button", { class: "plain", "data-place": space.id, title: t("place.open"), onclick: () => openPlace(space.id) }, title), h("small", {}, `${count}`));
  const node = h("section", { class: `tray-place ${form}`, "data-space": space.id, "data-empty": String(count === 0) }, head);
  if (form === "hand") {
    node.dataset.hand = space.id;
    const backs = Array.from({ length: Math.max(0, hidden) }, () => back({ kind: "card", side: space.side }));
    const cards = pieces.map((piece) => (isCard(piece) ? card(piece, space.id) : tokenBox(piece, space.id)));
    node.append(h("div", { class: "cards" }, cards, backs));
  } else if (form === "deck" && (pieces.length === 0 || isCard(pieces[0]))) {
    const top = pieces[0] ? card(pieces[0], space.id, true) : count ? deck(count, space.side) : h("div", { class: "card empty" });
    node.append(h("div", { class: "cards" }, top));
  } else node.append(tokens(pieces, hidden, space));
  return node;
}

const isCard = (piece) => piece.kind === "card" || Boolean(protoOf(piece)?.text);

function tokenBox(piece, space) {
  return h("div", { class: "token-box" }, tokenSvg([[piece]], space, 46));
}

/** Counters of a box in a row, equal ones together. */
function tokens(pieces, hidden, space) {
  const groups = grouped(pieces);
  if (hidden > 0) groups.push(Array.from({ length: hidden }, () => ({ kind: "unit", side: space.side })));
  if (!groups.length) return h("div", { class: "none" }, "–");
  const most = 14;
  return h("div", { class: "tokens" }, tokenSvg(groups.slice(0, most), space.id, 46), groups.length > most && h("button", { class: "more", "data-place": space.id, onclick: () => openPlace(space.id) }, `+${groups.length - most}`));
}

/** Counters in an SVG of their own. */
export function tokenSvg(groups, space, size, across = groups.length) {
  const down = Math.ceil(groups.length / across) || 1;
  const cell = 68;
  const svg = s("svg", { viewBox: `0 0 ${across * cell} ${down * cell}`, width: (across * size * cell) / 60, height: (down * size * cell) / 60, class: "token-svg" });
  groups.forEach((group, at) => svg.append(token(group, space, geometry, 1, (at % across) * cell + cell / 2, Math.floor(at / across) * cell + cell / 2)));
  return svg;
}

listen(["view", "past", "board"], draw);
