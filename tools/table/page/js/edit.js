// Edit mode: place, flip, turn, deal and set outside the rules. Each edit is a line of the record.

import { byId, h, put } from "./dom.js";
import { post } from "./wire.js";
import { attempt, toast } from "./dialogs.js";
import { findPiece, listen, sideName, state, tell } from "./store.js";
import { pieceTitle } from "./counter.js";
import { spaceTitle } from "./place.js";
import { t, titled } from "./lang.js";

async function edit(line) {
  const answer = await attempt(() => post("edit", { line }));
  if (answer && !answer.done) toast(t("edit.asked"));
  return answer;
}

/** Turns edit mode on or off. */
export function toggleEdit() {
  if (!state.me.edit && state.me.role !== "table") return toast(t("edit.not-yours"));
  state.edit = state.edit ? null : { piece: null };
  document.body.dataset.edit = state.edit ? "true" : "false";
  tell("edit");
}

/** A click in edit mode: a piece is picked up, a space takes it. */
export function editClick(thing) {
  const [piece] = thing.pieces ?? [];
  const held = state.edit.piece;
  if (held && thing.space && piece?.id !== held.id) {
    state.edit = { piece: null, space: thing.space };
    edit(`place ${held.id} ${thing.space}`);
  } else state.edit = { piece: piece?.id ? piece : null, space: thing.space };
  tell("edit");
}

function draw() {
  const box = byId("edit");
  box.hidden = !state.edit;
  if (!state.edit) return;
  const { piece, space } = state.edit;
  put(box, h("h2", {}, t("edit")), h("p", { class: "quiet" }, t(piece ? "edit.place" : "edit.pick")), piece && pieceTools(piece), create(space), trackTools(), dealer(space), setter(piece, space), rawLine());
}

function pieceTools(piece) {
  const proto = state.protos[piece.proto];
  const levels = proto?.levels.length ?? 1;
  const level = piece.level ?? 1;
  const facing = piece.facing;
  const tool = (action, text, line, off = false) => h("button", { class: "option", "data-action": action, disabled: off, onclick: () => edit(line) }, text);
  return h("div", { class: "tools" }, h("b", {}, pieceTitle(piece)),
    h("div", { class: "row" },
      tool("edit-down", t("edit.down"), `set ${piece.id}.level ${level + 1}`, level >= levels),
      tool("edit-up", t("edit.up"), `set ${piece.id}.level ${level - 1}`, level <= 1),
      facing !== undefined && facing !== null && tool("edit-turn", t("edit.turn"), `set ${piece.id}.facing ${(facing + 1) % 6}`),
      tool("edit-remove", t("edit.remove"), `place ${piece.id} -`),
      tool("edit-reveal", t("edit.reveal"), `reveal ${piece.id}`),
      h("button", { class: "option", "data-action": "edit-drop", onclick: () => { state.edit = { piece: null }; tell("edit"); } }, t("edit.drop"))));
}

/** Makes a new piece of a row that has been seen. */
function create(space) {
  const types = Object.entries(state.protos).sort((a, b) => a[1].name.localeCompare(b[1].name));
  if (!space) return null;
  const type = h("select", { "aria-label": t("edit.type") }, types.map(([id, proto]) => h("option", { value: id }, `${proto.name} (${id})`)));
  const side = h("select", { "aria-label": t("edit.side") }, state.board.sides.map((one) => h("option", { value: one.id }, one.name)));
  return h("details", {}, h("summary", {}, t("edit.new", { place: spaceTitle(space) })), h("div", { class: "row" }, type, side, h("button", { class: "option", "data-action": "edit-create", onclick: () => edit(`place ${type.value} ${space} ${side.value}`) }, t("edit.create"))));
}

/** One more or one less on each track. */
function trackTools() {
  const view = state.view;
  const rows = state.look.rows("track").flatMap((row) => {
    const [table, name] = row.value.split(".");
    const read = (held) => held?.[name] ?? state.look.defaults[table]?.[name] ?? 0;
    const sides = table === "game" ? [["game", read(view.game), ""]] : (row.side ? [row.side] : Object.keys(view.sides ?? {})).map((id) => [id, read(view.sides?.[id]), sideName(id)]);
    return sides.filter(([, value]) => typeof value === "number").map(([thing, value, whose]) => ({ title: [row.title ?? titled(name), whose].filter(Boolean).join(", "), line: (by) => `set ${thing}.${name} ${value + by}`, value }));
  });
  const step = (row, by, text) => h("button", { class: "option", "data-action": by > 0 ? "edit-more" : "edit-less", "aria-label": `${row.title} ${text}`, onclick: () => edit(row.line(by)) }, text);
  return rows.length > 0 && h("details", { "data-edit": "tracks" }, h("summary", {}, t("edit.tracks")), rows.map((row) => h("div", { class: "row", "data-edit-track": row.line(0).split(" ")[1] }, step(row, -1, "−"), h("b", {}, `${row.value}`), step(row, 1, "+"), h("span", {}, row.title))));
}

/** Deals from one pile to another, without looking at what is dealt. */
function dealer(space) {
  const piles = state.board.spaces.filter((one) => one.kind === "pile");
  if (piles.length < 2) return null;
  const pick = (label, chosen) => h("select", { "aria-label": label, "data-edit": label === t("edit.from") ? "from" : "to" }, piles.map((one) => h("option", { value: one.id, selected: one.id === chosen }, `${spaceTitle(one.id)} (${state.view.spaces[one.id]?.count ?? 0})`)));
  const full = piles.find((one) => state.view.spaces[one.id]?.count)?.id;
  const [from, to] = [pick(t("edit.from"), full), pick(t("edit.to"), piles.some((one) => one.id === space) ? space : piles.find((one) => one.see === "owner")?.id)];
  const number = h("input", { type: "number", min: 1, value: 1, "aria-label": t("edit.many"), "data-edit": "number" });
  return h("details", { "data-edit": "deal" }, h("summary", {}, t("edit.deal")), h("div", { class: "row" }, from, "→", to, number, h("button", { class: "option", "data-action": "edit-deal", onclick: () => edit(`deal ${from.value} ${to.value} ${number.value}`) }, t("edit.do"))));
}

/** Sets an attribute of the game, a side, the space or the piece. */
function setter(piece, space) {
  const things = [["game", "game", t("edit.game")], ...state.board.sides.map((side) => ["side", side.id, sideName(side.id)])];
  if (space && state.look.spaces.has(space)) things.push(["space", space, spaceTitle(space)]);
  if (piece) things.push(["piece", piece.id, pieceTitle(piece)]);
  const name = h("select", { "aria-label": t("edit.attribute") });
  const thing = h("select", { "aria-label": t("edit.thing"), onchange: fill }, things.map(([table, id, text]) => h("option", { value: `${table} ${id}` }, text)));
  const value = h("input", { "aria-label": t("edit.value"), placeholder: t("edit.value"), size: 8 });
  function fill() {
    const [table] = thing.value.split(" ");
    put(name, (state.board.columns?.[table] ?? []).map((column) => h("option", { value: column.id }, titled(column.title ?? column.id))));
  }
  fill();
  return h("details", {}, h("summary", {}, t("edit.set")), h("div", { class: "row" }, thing, name, value, h("button", { class: "option", "data-action": "edit-set", onclick: () => edit(`set ${thing.value.split(" ")[1]}.${name.value} ${value.value}`) }, t("edit.do"))));
}

function rawLine() {
  const input = h("input", { id: "edit-line", "data-edit-line": "", placeholder: t("edit.line"), "aria-label": t("edit.line") });
  const form = h("form", { class: "row", onsubmit: async (event) => { event.preventDefault(); if (await edit(input.value)) input.value = ""; } }, input, h("button", { class: "option", "data-action": "edit-do" }, t("edit.do")));
  return h("details", { open: true }, h("summary", {}, t("edit.lines")), form, h("p", { class: "quiet" }, t("edit.help")));
}

/** What is open stays open when the position changes, and the piece in hand is shown as it is now. */
function again() {
  if (!state.edit) return;
  const open = [...byId("edit").querySelectorAll("details[open][data-edit]")].map((node) => node.dataset.edit);
  if (state.edit.piece) state.edit.piece = findPiece(state.edit.piece.id)?.piece ?? null;
  draw();
  for (const name of open) byId("edit").querySelector(`details[data-edit="${name}"]`)?.setAttribute("open", "");
}

listen(["edit"], draw);
listen(["view"], again);
