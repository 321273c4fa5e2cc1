// What lies in a space, in full: counters and cards large, with everything that is printed on them.

import { h } from "./dom.js";
import { card } from "./cards.js";
import { pieceTitle } from "./counter.js";
import { dialog } from "./dialogs.js";
import { grouped } from "./stacks.js";
import { shown, state } from "./store.js";
import { plain, t, tn, titled } from "./lang.js";
import { tokenSvg } from "./trays.js";

/** The values of a thing as a list of terms, those that say something. */
export function terms(values) {
  const rows = Object.entries(values).filter(([name, value]) => name !== "name" && name !== "text" && value !== null && value !== undefined && value !== false && value !== "" && !(Array.isArray(value) && !value.length));
  return h("dl", { class: "terms" }, rows.map(([name, value]) => [h("dt", {}, plain(name)), h("dd", {}, value === true ? t("yes") : Array.isArray(value) ? value.join(", ") : String(value))]));
}

/** A space in words: its ground, what its sides carry, who holds it. */
export function spaceTitle(id) {
  const space = state.look.spaces.get(id);
  if (!space) return id;
  return space.name && space.name !== id ? `${space.name}${space.kind === "hex" ? ` (${id})` : ""}` : space.kind === "hex" ? id : titled(id);
}

/** Opens a window with everything in a space. */
export function openPlace(id) {
  const held = shown()?.spaces[id];
  const space = state.look.spaces.get(id);
  const pieces = held?.pieces ?? [];
  const hidden = (held?.count ?? 0) - pieces.length;
  const entry = (group) => {
    const [piece] = group;
    const proto = state.protos[piece.proto];
    if (piece.kind === "card" && proto) return h("li", { class: "wide" }, card(piece, id));
    const rung = proto?.levels[Math.min(piece.level ?? 1, proto.levels.length) - 1];
    return h("li", {}, tokenSvg([group], id, 74), h("div", {}, h("b", {}, pieceTitle(piece) + (group.length > 1 ? ` × ${group.length}` : "")), terms({ ...rung?.fields, ...piece.values })));
  };
  dialog(
    spaceTitle(id),
    h("div", { class: "place-window" },
      terms({ ...space?.fields, ...held?.values }),
      h("ul", {}, grouped(pieces).map(entry)),
      hidden > 0 && h("p", {}, tn("place.hidden", hidden))),
    "place",
  );
}
