// Pieces on the map: stacks in hexes, groups with counts in areas, rows in boxes. Only spaces that have changed are drawn again.

import { s } from "./dom.js";
import { plates, roomIn, stepOf } from "./chips.js";
import { counter, pieceTitle, SIZE } from "./counter.js";
import { shown, state } from "./store.js";

/** Puts equal pieces together: same row, owner, rung, state and cargo. */
export function grouped(pieces) {
  const groups = new Map();
  for (const piece of pieces) {
    const like = JSON.stringify([piece.proto ?? piece.kind, piece.side, piece.level, piece.facing, piece.values, (piece.cargo ?? []).map((one) => one.proto)]);
    if (!groups.has(like)) groups.set(like, []);
    groups.get(like).push(piece);
  }
  return [...groups.values()];
}

/** One counter, or one for several equal pieces, as an element that can be clicked. */
export function token(pieces, space, geometry, scale, x, y) {
  const piece = pieces[0];
  const angle = piece.facing === undefined || piece.facing === null ? null : geometry.facing(piece.facing);
  const node = s("g", { class: "piece", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`, "data-piece": piece.id ?? piece.key, "data-at": space }, counter(piece, angle));
  node.pieces = pieces;
  if (pieces.length > 1) node.append(bubble(22, 20, `${pieces.length}`, "equal"));
  const cargo = piece.cargo?.length ?? 0;
  if (cargo) node.append(bubble(-24, 24, `+${cargo}`, "cargo"));
  node.append(s("title", { text: pieces.map(pieceTitle)[0] + (pieces.length > 1 ? ` × ${pieces.length}` : "") }));
  return node;
}

export function bubble(x, y, text, kind = "") {
  const width = 10 + text.length * 8;
  return s("g", { class: `bubble ${kind}`, transform: `translate(${x} ${y})` }, s("rect", { x: -width / 2, y: -10, width, height: 20, rx: 10 }), s("text", { y: 5.2, text }));
}

export class Stacks {
  constructor(geometry) {
    this.geometry = geometry;
    this.layer = s("g", { class: "stacks" });
    this.drawn = new Map();
    this.step = 0;
  }

  /** Areas look different from afar: follows the zoom; true if something was drawn anew. */
  zoom(scale) {
    const step = Math.min(stepOf(scale), 0);
    if (step === this.step) return false;
    this.step = step;
    for (const id of [...this.drawn.keys()].filter((id) => this.geometry.places.get(id)?.area)) this.drawn.get(id).key = "";
    this.draw();
    return true;
  }

  draw() {
    const view = shown();
    const seen = new Set();
    for (const [id, held] of Object.entries(view?.spaces ?? {})) {
      if (!this.geometry.places.has(id) || !held.count) continue;
      seen.add(id);
      const key = JSON.stringify(held.pieces) + held.count;
      if (this.drawn.get(id)?.key === key) continue;
      this.drawn.get(id)?.node.remove();
      const node = this.stack(id, held);
      // Lower rows of hexes lie in front of upper ones.
      this.layer.append(node);
      this.drawn.set(id, { key, node });
    }
    for (const [id, { node }] of this.drawn) {
      if (!seen.has(id)) {
        node.remove();
        this.drawn.delete(id);
      }
    }
  }

  /** Forgets everything: other rules may draw it otherwise. */
  clear() {
    this.layer.replaceChildren();
    this.drawn.clear();
  }

  stack(id, held) {
    const place = this.geometry.places.get(id);
    const node = s("g", { class: "stack", "data-stack": id });
    const pieces = held.pieces ?? [];
    const hidden = Array.from({ length: Math.max(0, held.count - pieces.length) }, (_, at) => ({ kind: "unit", key: `${id}-${at}` }));
    const all = [...pieces, ...hidden];
    if (place.area?.slots?.length) this.slots(node, id, place.area, grouped(all));
    else if (place.box) this.rows(node, id, place, grouped(all));
    else this.pile(node, id, place, all);
    return node;
  }

  /** A stack of counters, the top one foremost. */
  pile(node, id, place, all) {
    const most = Math.min(all.length, 4);
    const scale = SIZE / 60;
    for (let at = most - 1; at >= 0; at--) {
      const up = (most - 1 - at) * 5 - (most - 1) * 2.5;
      node.append(token([all[at]], id, this.geometry, scale, place.x + up, place.y - up));
    }
    if (all.length > 1) node.append(s("g", { transform: `translate(${place.x - 37} ${place.y + 13}) scale(0.85)` }, bubble(0, 0, `${all.length}`, "height")));
  }

  /** Groups of equal pieces in the places of an area, or plates if they do not fit there. */
  slots(node, id, area, groups) {
    const { size, slots } = roomIn(area, this.step);
    if (groups.length > slots.length) return node.append(...plates(id, area, groups, this.step));
    groups.forEach((group, at) => {
      const [x, y] = slots[at];
      node.append(token(group, id, this.geometry, size / 52, x, y));
    });
  }

  rows(node, id, place, groups) {
    const [w, h] = place.box;
    const top = 20;
    let scale = 1;
    let across = 1;
    for (; scale > 0.2; scale -= 0.05) {
      across = Math.max(1, Math.floor((w - 8) / (66 * scale)));
      if (Math.ceil(groups.length / across) * 66 * scale <= h - top - 4) break;
    }
    groups.forEach((group, at) => {
      const x = place.x - w / 2 + 6 + (at % across) * 66 * scale + 32 * scale;
      const y = place.y - h / 2 + top + Math.floor(at / across) * 66 * scale + 32 * scale;
      node.append(token(group, id, this.geometry, scale, x, y));
    });
  }
}

/** All pieces of a space in the position that is shown. */
export const piecesAt = (id) => shown()?.spaces[id]?.pieces ?? [];

/** The tokens of a space, wherever they are drawn. */
export const tokensOf = (id) => [...document.querySelectorAll(`[data-at="${CSS.escape(id)}"]`)];

export const boardSpace = (id) => state.look?.spaces.get(id) ?? null;
