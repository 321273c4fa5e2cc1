// The printed map: ground, hexsides, roads and rails, names. Drawn once for a board; few elements, however many hexes.

import { s } from "./dom.js";
import { noise, RADIUS } from "./geometry.js";
import { groundPath, stroked } from "./ground.js";

const WIDTHS = { water: 6, bank: 4, wall: 5, bridge: 7, arrow: 3, road: 4, rail: 3, line: 3, dots: 3 };
const COLOURS = { water: "#3f7fb5", bank: "#6b4d2c", wall: "#4a453c", bridge: "#7b5b38", arrow: "#9a3b2e", road: "#b98b4e", rail: "#3a3631", line: "#7d7560", dots: "#7d7560" };

/** The patterns and filters that counters and maps refer to. */
export function definitions() {
  const tile = (id, size, ...parts) => s("pattern", { id: `side-${id}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, parts);
  const white = { stroke: "#ffffff", "stroke-width": 1.6, fill: "none" };
  return s(
    "defs",
    {},
    tile("plain", 8),
    tile("stripe", 6, s("path", { d: "M-1 7L7-1M-1 1L1-1M5 7L7 5", ...white })),
    tile("dots", 6, s("circle", { cx: 3, cy: 3, r: 1.5, fill: "#ffffff" })),
    tile("cross", 7, s("path", { d: "M0 0L7 7M7 0L0 7", ...white, "stroke-width": 1.1 })),
    tile("bars", 6, s("path", { d: "M3 0V6", ...white, "stroke-width": 2.2 })),
  );
}

/** Draws everything that does not change. */
export function drawMap(board, look, geometry) {
  const paper = look.map.paper ?? "#f1ead3";
  const ink = look.map.ink ?? "#3b3528";
  const root = s("g", { class: "printed" });
  const { x, y, width, height } = geometry.bounds;
  root.append(s("rect", { x, y, width, height, rx: 14, fill: look.map.background ?? paper, class: "sheet" }));
  for (const row of look.rows("backdrop")) root.append(s("path", { d: row.outline, fill: row.fill, "fill-rule": "evenodd" }));
  root.append(hexGround(board, look, geometry), areaGround(board, look, geometry));
  root.append(links(board, look, geometry, "under"), borders(board, look, geometry), links(board, look, geometry, "over"));
  root.append(boxes(geometry, board, ink), ...names(board, look, geometry, ink));
  return root;
}

function hexGround(board, look, geometry) {
  const ground = new Map();
  const extra = new Map();
  let grid = "";
  for (const space of board.spaces) {
    if (space.kind !== "hex") continue;
    const word = String(space.fields?.[look.map.terrain] ?? "");
    const outline = geometry.outline(space.id);
    ground.set(word, (ground.get(word) ?? "") + outline);
    grid += outline;
    const { pattern } = look.terrain(word);
    const place = geometry.places.get(space.id);
    extra.set(word, (extra.get(word) ?? "") + groundPath(pattern, place.x, place.y, noise(space.id)));
  }
  const group = s("g", {});
  for (const [word, d] of ground) group.append(s("path", { d, fill: look.terrain(word).fill, stroke: look.terrain(word).fill, "stroke-width": 0.8 }));
  for (const [word, d] of extra) {
    const { pattern, ink } = look.terrain(word);
    const lines = stroked(pattern);
    if (d) group.append(s("path", { d, fill: lines ? "none" : ink, stroke: lines ? ink : "none", "stroke-width": 1.6, "stroke-linecap": "round", "stroke-linejoin": "round", opacity: 0.75 }));
  }
  if (grid) group.append(s("path", { d: grid, fill: "none", stroke: look.map.grid ?? "#5b5340", "stroke-opacity": 0.3, "stroke-width": 1.1 }));
  return group;
}

function areaGround(board, look, geometry) {
  const group = s("g", { class: "areas" });
  for (const space of board.spaces) {
    if (space.kind !== "area") continue;
    const word = String(space.fields?.[look.map.terrain] ?? "");
    const { fill } = look.terrain(word);
    const place = geometry.places.get(space.id);
    if (!place) continue;
    group.append(s("path", { d: geometry.outline(space.id), fill, "fill-rule": "evenodd", stroke: look.map.grid ?? "#4d4636", "stroke-width": place.area ? 1.6 : 2.5, "stroke-linejoin": "round", "data-area": space.id }));
  }
  if (geometry.places.size && [...geometry.places.values()].some((place) => place.round)) {
    for (const [a, b] of board.borders ?? []) {
      const [one, two] = [geometry.places.get(a), geometry.places.get(b)];
      if (one?.round && two?.round) group.prepend(s("path", { d: `M${one.x} ${one.y}L${two.x} ${two.y}`, stroke: "#8d8468", "stroke-width": 5 }));
    }
  }
  return group;
}

/** A line that is not quite straight, always the same for the same two ends. */
function bent(from, to, name, most) {
  const random = noise(name);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const far = Math.hypot(dx, dy) || 1;
  const by = (random() - 0.5) * 2 * most;
  const middle = [(from[0] + to[0]) / 2 - (dy / far) * by, (from[1] + to[1]) / 2 + (dx / far) * by];
  return `M${from.map((n) => n.toFixed(1)).join(" ")}Q${[...middle, ...to].map((n) => n.toFixed(1)).join(" ")}`;
}

function borders(board, look, geometry) {
  const paths = new Map();
  for (const [a, b, features] of board.borders ?? []) {
    const side = geometry.side(a, b);
    if (!side) continue;
    const [from, to] = side;
    for (const feature of features) {
      for (const style of look.line("border", feature).style.split(" ")) {
        const d = ACROSS.has(style) ? across(geometry, a, b, from, to) : bent(from, to, a + b, style === "water" ? 5 : 1.5);
        const key = `${style} ${feature}`;
        paths.set(key, (paths.get(key) ?? "") + d);
      }
    }
  }
  // Rivers lie under banks and walls, bridges over everything.
  const order = (key) => (key.startsWith("bridge") ? 2 : key.startsWith("water") ? 0 : 1);
  const group = s("g", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
  for (const [key, d] of [...paths].sort((a, b) => order(a[0]) - order(b[0]))) {
    const [style, ...feature] = key.split(" ");
    const row = look.line("border", feature.join(" "));
    // The colour and width of a bridged river are the river's.
    stroke(group, d, style === "bridge" && row.style !== "bridge" ? { style } : { ...row, style });
  }
  return group;
}

/** Styles that are drawn across a hexside. */
const ACROSS = new Set(["bridge", "arrow"]);

function across(geometry, a, b, from, to) {
  const [one, two] = [geometry.places.get(a), geometry.places.get(b)];
  const [mx, my] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const [ux, uy] = [(two.x - one.x) * 0.13, (two.y - one.y) * 0.13];
  return `M${mx - ux} ${my - uy}L${mx + ux} ${my + uy}`;
}

function links(board, look, geometry, when) {
  const group = s("g", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" });
  for (const [network, { links }] of Object.entries(board.networks ?? {})) {
    const row = look.line("link", network);
    if (row.style === "none" || (row.style === "road") !== (when === "under")) continue;
    let d = "";
    for (const [a, b] of links) {
      const [one, two] = [geometry.places.get(a), geometry.places.get(b)];
      if (one?.hex && two?.hex) d += bent([one.x, one.y], [two.x, two.y], network + b + a, row.style === "rail" ? 7 : 4);
    }
    if (d) stroke(group, d, row);
  }
  return group;
}

/** Strokes a path in one of the styles. */
function stroke(group, d, { style, colour, width, dash }) {
  if (style === "none") return;
  const line = colour ?? COLOURS[style] ?? COLOURS.line;
  const wide = width ?? WIDTHS[style] ?? 3;
  const add = (more) => group.append(s("path", { d, stroke: line, "stroke-width": wide, "stroke-dasharray": dash, ...more }));
  switch (style) {
    case "water":
      add({ stroke: "#20496f", "stroke-opacity": 0.45, "stroke-width": wide + 2 });
      add({});
      break;
    case "road":
      add({ stroke: "#5d4626", "stroke-opacity": 0.55, "stroke-width": wide + 2 });
      add({});
      break;
    case "rail":
      add({});
      add({ "stroke-width": wide * 2.6, "stroke-dasharray": "1.6 10", "stroke-linecap": "butt" });
      break;
    case "bank":
      add({});
      add({ "stroke-width": wide * 2.4, "stroke-dasharray": "1.4 5", "stroke-linecap": "butt", "stroke-opacity": 0.7 });
      break;
    case "wall":
      add({ "stroke-linecap": "butt" });
      add({ stroke: "#e9e2cf", "stroke-width": wide * 0.45, "stroke-dasharray": "4 3", "stroke-linecap": "butt" });
      break;
    case "bridge":
      add({ stroke: "#2b241a", "stroke-width": wide + 5, "stroke-linecap": "butt" });
      add({ stroke: "#efe4c8", "stroke-width": wide, "stroke-linecap": "butt" });
      break;
    case "dots":
      add({ "stroke-dasharray": `0.1 ${wide * 2.4}` });
      break;
    case "arrow":
      add({ "stroke-linecap": "butt" });
      break;
    default:
      add({});
  }
}

function boxes(geometry, board, ink) {
  const group = s("g", { class: "map-boxes" });
  for (const space of board.spaces) {
    const place = geometry.places.get(space.id);
    if (!place?.box) continue;
    const [w, h] = place.box;
    const title = place.title ?? space.name ?? space.id;
    group.append(
      s("rect", { x: place.x - w / 2, y: place.y - h / 2, width: w, height: h, rx: 6, fill: "#f7f1df", "fill-opacity": 0.9, stroke: ink, "stroke-width": 1.6 }),
      s("text", { x: place.x, y: place.y - h / 2 + 15, "font-size": Math.min(13, (w / title.length) * 1.75), "text-anchor": "middle", fill: ink, class: "place-name", text: title }),
    );
  }
  return group;
}

/** How far below the middle of a hex its name stands: under a counter, so that it can be read however full the hex is. */
const BELOW = 46;

/** Numbers of hexes and names of areas; names of hexes lie in a layer of their own, above the counters. */
function names(board, look, geometry, ink) {
  const group = s("g", { class: "names", fill: ink });
  const above = s("g", { class: "names hex-names", fill: ink });
  for (const space of board.spaces) {
    const place = geometry.places.get(space.id);
    if (!place || place.box) continue;
    const get = look.ofSpace(space, null);
    const name = look.map.label === "name" ? space.name : get(look.map.label);
    const real = name && name !== space.id ? String(name) : "";
    if (place.hex) {
      if (look.map.numbers) group.append(s("text", { x: place.x, y: place.y - RADIUS * (geometry.flat ? 0.68 : 0.62), class: "hex-number", text: space.id }));
      if (real) above.append(s("text", { x: place.x, y: place.y + BELOW, class: real.length > 11 ? "place-name long" : "place-name", "font-size": real.length > 11 ? 10.5 : 13, text: real }));
    } else if (real) areaName(group, place, real);
  }
  return [group, above];
}

function areaName(group, place, name) {
  const row = place.area;
  const size = row?.["label-size"] ?? 14;
  const lines = row?.lines ?? [name];
  const below = place.round ? place.round - 12 : 0;
  lines.forEach((line, at) =>
    group.append(s("text", { x: place.x, y: place.y + below + (at - (lines.length - 1) / 2) * size * 1.05 + size * 0.35, "font-size": size, class: `area-name${row?.water ? " water" : ""}`, text: line })),
  );
}
