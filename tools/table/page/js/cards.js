// Cards with their text, face up or down.

import { h } from "./dom.js";
import { state, protoOf } from "./store.js";
import { plain, t, titled } from "./lang.js";
import { inkOn } from "./counter.js";

/** Fields that a card without display rows shows at its foot. */
function footOf(proto) {
  const fields = Object.entries(proto.levels[0]?.fields ?? {});
  const words = fields.filter(([name, value]) => value && !Array.isArray(value) && String(value).length < 16 && !["name", "text"].includes(name));
  return words.slice(0, 4).map(([name, value]) => (value === true ? plain(name) : `${plain(name)} ${plain(value)}`)).join(" · ");
}

/** Texts of a card, from the display rows or from its definition. */
export function faceOf(piece, proto) {
  const look = state.look;
  const get = look.ofPiece(piece, proto);
  const row = look.over("card", get) ?? {};
  const pick = (key) => String(look.pick(row[key], get) ?? "");
  const side = look.side(piece.side);
  return {
    colour: pick("colour") || side.colour,
    corner: pick("corner"),
    title: pick("title") || get("name"),
    text: pick("text") || proto.text || "",
    foot: row.foot !== undefined ? pick("foot") : footOf(proto),
    pattern: side.pattern,
  };
}

/** A card as an element; `small` leaves out the text. */
export function card(piece, space, small = false) {
  const proto = protoOf(piece);
  if (!proto || !piece.id) return back(piece);
  const face = faceOf(piece, proto);
  const rules = [proto.rule ?? []].flat();
  const node = h(
    "article",
    { class: `card${small ? " small" : ""}`, "data-card": piece.id, "data-piece": piece.id, "data-at": space, tabindex: -1, "aria-label": `${face.title}. ${face.text}` },
    h("header", { style: `background:${face.colour};color:${inkOn(face.colour)}`, class: `pattern-${face.pattern}` }, face.corner && h("b", { class: "corner" }, face.corner), h("span", { class: "card-title" }, face.title)),
    !small && h("p", { class: "card-text" }, face.text),
    h("footer", {}, h("span", {}, face.foot), rules[0] && h("button", { class: "rule", "data-rule": rules[0], title: t("rule.open", { rule: rules[0] }) }, `§ ${rules[0]}`)),
  );
  node.pieces = [piece];
  return node;
}

/** The back of a card that is not seen. */
export function back(piece) {
  const side = state.look.side(piece.side);
  const node = h("article", { class: "card back", "data-back": "true", style: `--side:${side.colour}`, "aria-label": t("card.back", { kind: titled(piece.kind ?? "card") }) }, h("span", { class: "back-mark" }, ""));
  node.pieces = [piece];
  return node;
}

/** A pile of face-down cards with its number. */
export function deck(count, side) {
  return h("div", { class: "card back deck", "data-back": "true", style: `--side:${state.look.side(side).colour}` }, h("b", { class: "deck-count" }, `${count}`));
}
