// Which options touch which thing: what is lit, and what a click on a space or piece means.

import { choices, decision, state, tell } from "./store.js";

/** An index of the options of a decision, made once for each. */
let index = { of: null, pieces: new Map(), spaces: new Map(), within: new Map() };

function add(map, key, option) {
  if (key === undefined || key === null) return;
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(option);
}

export function lookUp() {
  const asked = decision();
  if (index.of === asked) return index;
  index = { of: asked, pieces: new Map(), spaces: new Map(), within: new Map(), sides: new Map() };
  for (const option of choices(asked)) {
    add(index.pieces, option.piece, option);
    add(index.spaces, option.space, option);
    add(index.within, option.at, option);
    // Options about a kind of piece light nothing; a space that stands in the panel alone needs no click.
  }
  return index;
}

/** The options that a set of equal pieces stands for: those of the first that has any. */
export function ofPieces(pieces) {
  const { pieces: found } = lookUp();
  const lists = pieces.map((piece) => found.get(piece.id) ?? []).filter((list) => list.length);
  return lists[0] ?? [];
}

/** The options that name a space. */
export const ofSpace = (id) => lookUp().spaces.get(id) ?? [];

/** The options about pieces that lie in a space. */
export const within = (id) => lookUp().within.get(id) ?? [];

/** Leaves only some options in the panel, until the decision changes or it is cancelled. */
export function narrow(options, at = null) {
  state.narrowed = options ? { names: new Set(options.map((option) => option.name)), at } : null;
  tell("narrowed");
}

/** Takes one more or one less of an item of a selection; true if it could. */
export function take(item, by) {
  const asked = decision();
  if (asked?.kind !== "selection") return false;
  const now = state.chosen.get(item.name) ?? 0;
  const next = Math.max(0, Math.min(now + by, item.most ?? 1));
  if (next === now) return false;
  if (next === 0) state.chosen.delete(item.name);
  else state.chosen.set(item.name, next);
  tell("chosen");
  return true;
}

/** Number and cost of what is chosen. */
export function totals(asked) {
  let [count, cost] = [0, 0];
  for (const item of asked.items) {
    const n = state.chosen.get(item.name) ?? 0;
    count += n;
    cost += n * (item.cost ?? 0);
  }
  return { count, cost };
}

/** Whether a selection keeps to its bounds. */
export function complete(asked) {
  const { count, cost } = totals(asked);
  const most = asked.max ?? Infinity;
  return count >= (asked.min ?? 0) && count <= most && cost >= (asked.at_least ?? 0) && cost <= (asked.at_most ?? Infinity);
}
