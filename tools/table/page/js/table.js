// The map on the table: puts its layers together, follows the position, and turns clicks into answers.

import { byId, h, later, put, s } from "./dom.js";
import { Camera } from "./camera.js";
import { Geometry } from "./geometry.js";
import { definitions, drawMap } from "./map.js";
import { Overlay } from "./overlay.js";
import { Spots } from "./spots.js";
import { piecesAt, Stacks } from "./stacks.js";
import { startTrays } from "./trays.js";
import { askWhy, choose, point, pointed } from "./answer.js";
import { narrow, ofPieces, ofSpace, take, within } from "./options.js";
import { choices, decision, findPiece, listen, shown, state } from "./store.js";
import { placesOf } from "./places.js";
import { pieceTitle } from "./counter.js";
import { capital } from "./lang.js";
import { openPlace, spaceTitle } from "./place.js";
import { editClick } from "./edit.js";
import { showInfo } from "./info.js";
import { startDrag } from "./drag.js";

export const table = { camera: null, geometry: null, overlay: null };
let [stacks, spots] = [null, null];

/** Builds the map of a board. */
export function buildTable() {
  const svg = byId("map");
  const geometry = new Geometry(state.board, state.look);
  stacks = new Stacks(geometry);
  spots = new Spots(geometry);
  const before = table.camera && table.game === state.board.game ? table.camera.at : null;
  table.camera ??= new Camera(svg, geometry.bounds);
  table.camera.bounds = geometry.bounds;
  const overlay = new Overlay(geometry, table.camera);
  table.camera.zoomed = (scale) => stacks.zoom(scale) && overlay.light();
  stacks.zoom(table.camera.at.scale);
  put(svg, definitions(), drawMap(state.board, state.look, geometry), spots.tints, areaShapes(geometry), spots.layer, overlay.under, stacks.layer, overlay.arrows, overlay.ghost, overlay.fan);
  // Names of areas stand above their tints and above what is lit.
  const names = svg.querySelector(".names");
  if (state.board.spaces.some((space) => space.kind === "area")) svg.insertBefore(names, stacks.layer);
  svg.insertBefore(svg.querySelector(".hex-names"), overlay.arrows);
  Object.assign(table, { geometry, overlay, game: state.board.game });
  byId("stage").dataset.map = geometry.bounds.empty ? "none" : "some";
  startTrays(geometry, (root) => overlay.mark(root));
  if (before) table.camera.look(before);
  else table.fresh = true;
}

/** Draws every counter anew: what is printed on them has changed. */
export function repaint() {
  stacks?.clear();
}

/** Outlines of areas that catch the mouse; hexes are found by arithmetic. */
function areaShapes(geometry) {
  const group = s("g", { class: "area-shapes" });
  for (const [id, place] of geometry.places) if (place.area) group.append(s("path", { d: place.area.outline, "data-shape": id }));
  return group;
}

function draw() {
  if (!stacks || !shown()) return;
  spots.draw();
  stacks.draw();
  table.overlay.close();
  table.overlay.light();
  moves();
  if (table.fresh) {
    table.fresh = false;
    // Whoever loads the page again looks at what they looked at before.
    if (!table.camera.restore(`camera ${state.board.game} ${location.pathname}`)) table.camera.start(busiest());
    answering = decision()?.id;
  } else follow();
}

let answering = null;

/** Moves the map to a new question if nothing of what it is about, or of what can be chosen, is in sight. */
function follow() {
  const asked = decision();
  if (!asked || asked.id === answering) return;
  answering = asked.id;
  const spots = [...Object.values(asked.about ?? {}), ...choices(asked).slice(0, 200)].map(spotOf).filter(Boolean);
  if (!spots.length || spots.some(({ x, y }) => table.camera.sees(x, y))) return;
  const { x, y } = spotOf(Object.values(asked.about ?? {}).find(spotOf) ?? {}) ?? nearest(spots);
  table.camera.show(x, y);
}

/** The place of what an option or a question names. */
const spotOf = (ref) => table.geometry.places.get(ref.space ?? ref.at ?? findPiece(ref.piece)?.space);

/** The place that has most others around it. */
function nearest(spots) {
  const crowd = (spot) => spots.filter((other) => Math.hypot(other.x - spot.x, other.y - spot.y) < 500).length;
  return spots.map((spot) => [crowd(spot), spot]).sort((a, b) => b[0] - a[0])[0][1];
}

/** Where the map opens if it is too large to be read whole: what is asked about, else the middle of what can be chosen, else the thickest crowd. */
function busiest() {
  const asked = decision();
  const [about] = Object.values(asked?.about ?? {}).map(spotOf).filter(Boolean);
  if (about) return about;
  const lit = choices(asked).slice(0, 200).map(spotOf).filter(Boolean);
  const mean = (key) => lit.reduce((sum, place) => sum + place[key], 0) / lit.length;
  if (lit.length) return { x: mean("x"), y: mean("y") };
  const all = Object.keys(shown().spaces).filter((id) => piecesAt(id).length).map((id) => table.geometry.places.get(id)).filter(Boolean);
  return all.length ? nearest(all) : null;
}

/** Arrows of what happened since this page last answered. */
function moves() {
  const at = state.past?.at;
  const since = at === undefined ? Math.min(state.since, state.view.choices - 1) : at - 1;
  const until = at ?? Infinity;
  const lines = state.log.filter((line) => line.kind === "move" && line.choice >= since && line.choice < until && line.from && line.to);
  table.overlay.moves(state.arrows ? lines.slice(state.me.role === "watch" ? -8 : -16) : []);
}

/** What lies under the mouse: a token, a card, or a space. */
function thingAt(event) {
  const node = event.target.closest?.(".piece, .card, [data-space], [data-shape]");
  if (node?.pieces) return { pieces: node.pieces, space: node.dataset.at, node };
  if (node?.dataset.space) return { space: node.dataset.space };
  if (node?.dataset.shape) return { space: node.dataset.shape };
  if (!table.camera || !event.target.closest?.("#map")) return null;
  const id = table.geometry.at(...table.camera.toMap(...table.camera.spot(event)));
  return id ? { space: id } : null;
}

/** Answers if one option touches the thing; otherwise leaves those that do. */
function use(options, space) {
  const asked = decision();
  if (asked.kind === "selection") {
    const free = options.find((item) => (state.chosen.get(item.name) ?? 0) < (item.most ?? 1));
    return free ? take(free, 1) : options.forEach((item) => take(item, -1));
  }
  if (options.length === 1) {
    // A finger does not hover: the first tap shows what would follow, the second answers.
    if (document.body.dataset.input === "touch" && state.hover !== options[0].name) return point(options[0]);
    return choose(options[0]);
  }
  narrow(options, space);
  showMenu(options, space);
}

function click(event) {
  if (table.camera?.dragged() && event.target.closest("#map")) return;
  const thing = thingAt(event);
  closeMenu();
  if (!thing) return table.overlay?.close();
  if (state.edit) return editClick(thing);
  const own = thing.pieces ? ofPieces(thing.pieces) : [];
  if (own.length) return use(own, thing.space);
  const there = ofSpace(thing.space);
  if (there.length) return use(there, thing.space);
  const inside = within(thing.space);
  const fanned = table.overlay.fanned === thing.space;
  if (inside.length && !fanned && !(decision().kind === "list" && inside.length === 1)) return table.overlay.open(thing.space);
  if (inside.length === 1 && decision().kind === "list") return use(inside, thing.space);
  const [piece] = thing.pieces ?? [];
  if (!fanned && piecesAt(thing.space).length > 1) table.overlay.open(thing.space);
  if (decision()) askWhy(piece?.id ?? thing.space, piece ? pieceTitle(piece) : spaceTitle(thing.space));
  else if (piece?.kind === "card" || table.geometry.places.get(thing.space)?.box) openPlace(thing.space);
}

/** A small menu beside the thing that several options touch. */
function showMenu(options, space) {
  const place = table.geometry.places.get(space);
  if (!place) return;
  const [x, y] = table.camera.toScreen(place.x, place.y);
  const menu = byId("menu");
  put(menu, options.slice(0, 12).map((option) => h("button", { class: "option", "data-choice": option.name, onclick: () => { closeMenu(); choose(option); }, onpointerenter: () => point(option) }, capital(option.label))));
  menu.hidden = false;
  menu.style.left = `${Math.min(x + 20, byId("stage").clientWidth - menu.offsetWidth - 8)}px`;
  menu.style.top = `${Math.max(8, Math.min(y - 20, byId("stage").clientHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector("button").focus({ preventScroll: true });
}

export function closeMenu() {
  byId("menu").hidden = true;
}

/** A finger that rests shows everything in a space, as the right button of a mouse does. */
const restSoon = later(550, (event) => {
  const thing = table.camera.dragged() || table.camera.fingers.size !== 1 ? null : thingAt(event);
  if (thing?.space) {
    table.camera.moved = 99;
    openPlace(thing.space);
  }
});

const fanSoon = later(420, (id) => table.overlay.open(id));

function hover(event) {
  if (event.buttons || event.pointerType === "touch") return;
  const thing = thingAt(event);
  showInfo(thing);
  const options = thing ? (thing.pieces && ofPieces(thing.pieces).length ? ofPieces(thing.pieces) : ofSpace(thing.space)) : [];
  point(options.length === 1 ? options[0] : null);
  const { overlay } = table;
  const heap = thing?.pieces || event.target.closest(".plate");
  if (heap && event.pointerType === "mouse" && overlay.fanned !== thing.space && piecesAt(thing.space).length > 1) fanSoon(thing.space);
  else fanSoon.stop();
  if (overlay.fanned && thing?.space !== overlay.fanned && !event.target.closest(".fan")) overlay.close();
}

/** Listens to the mouse over the map and the trays. */
export function startTable() {
  for (const id of ["map", "dock-body"]) {
    byId(id).addEventListener("click", click);
    byId(id).addEventListener("pointermove", hover);
    byId(id).addEventListener("pointerleave", (event) => {
      // A finger leaves after every tap; what it pointed at stays until the next.
      if (event.pointerType === "touch") return;
      point(null);
      showInfo(null);
      fanSoon.stop();
    });
  }
  startDrag(table, (options, space) => (options.length === 1 ? choose(options[0]) : use(options, space)));
  byId("map").addEventListener("pointerdown", (event) => event.pointerType === "touch" && restSoon(event));
  for (const type of ["pointerup", "pointercancel"]) byId("map").addEventListener(type, restSoon.stop);
  byId("map").addEventListener("dblclick", (event) => { const thing = thingAt(event); if (thing?.space && !decision()) openPlace(thing.space); });
  for (const id of ["map", "dock-body"]) byId(id).addEventListener("contextmenu", (event) => { const thing = thingAt(event); if (thing?.space) { event.preventDefault(); openPlace(thing.space); } });
}

listen(["view", "past", "edit", "log"], draw);
listen(["chosen", "narrowed"], () => table.overlay?.light());
listen(["line"], () => {
  const line = state.shownLine;
  const spots = placesOf(line).map((id) => table.geometry.places.get(id)).filter(Boolean);
  const last = spots.at(-1);
  if (last) table.camera.show(last.x, last.y);
  table.overlay?.point(placesOf(line), line);
});
listen(["hover"], () => {
  const option = pointed();
  table.overlay?.hint(option, state.preview);
  for (const node of document.querySelectorAll("[data-aimed]")) delete node.dataset.aimed;
  if (option?.piece) document.querySelectorAll(`[data-piece="${CSS.escape(option.piece)}"]`).forEach((node) => (node.dataset.aimed = "true"));
});

/** Moves the map so that the option that has the focus can be seen. */
export function showOption(option) {
  const place = table.geometry?.places.get(option?.space ?? option?.at);
  if (place) table.camera.show(place.x, place.y);
}
