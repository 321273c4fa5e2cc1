// The upper edge: title, where in the sequence of play, tracks, who sits where, and the buttons.

import { byId, h, put, s } from "./dom.js";
import { inPlay, listen, shown, sideName, state } from "./store.js";
import { plain, t, titled } from "./lang.js";
import { post } from "./wire.js";
import { attempt, closeDialog, dialog } from "./dialogs.js";
import { alone, setAlone } from "./handover.js";

function draw() {
  const view = shown();
  if (!view || !state.look) return;
  document.body.dataset.serial = state.view.serial;
  document.body.dataset.as = view.as ?? "";
  put(byId("title"), h("b", {}, state.board.title), h("span", {}, state.board.scenario?.title ?? ""));
  const steps = (view.place ?? []).filter((node) => node.node !== "game").map(placeText);
  put(byId("place"), steps.map((step) => h("li", {}, step)).reverse());
  byId("place").title = steps.join(" › ");
  put(byId("tracks"), tracks(view));
  put(byId("seats"), playing(view).map((side) => seat(side, view)));
  byId("layers-button").hidden = !(state.board.layers ?? []).length;
}

const playing = (view) => state.board.sides.filter((side) => inPlay(view, side.id));

function placeText(node) {
  const value = node.value === undefined || node.value === null ? "" : (state.look.sides.has(node.value) ? sideName(node.value) : plain(node.value));
  return /^\d+$/.test(value) ? `${titled(node.title || node.node)} ${value}` : value || titled(node.title || node.node);
}

function seat(side, view) {
  const look = state.look.side(side.id);
  const owes = view.owing?.includes(side.id);
  const here = (state.view.online?.[side.id] ?? 0) > 0;
  const player = view.players[side.id];
  const note = player === "human" ? (here ? t("seat.here") : t("seat.away")) : t("seat.player", { player });
  return h("li", {}, h("button", { class: owes ? "seat owes" : "seat", "data-seat": side.id, title: `${side.name}: ${note}`, onclick: () => openSeat(side, player) }, h("i", { class: `chip pattern-${look.pattern}`, style: `background:${look.colour}` }), h("span", {}, side.name), h("small", {}, player === "human" ? (here ? "●" : "○") : "⚙")));
}

/** Who plays a side: a person or the computer. */
function openSeat(side, player) {
  const choice = (id) => h("button", { class: "option", "data-action": `player-${id}`, "aria-pressed": String(id === player), disabled: id === player || !["table", "host"].includes(state.me.role), onclick: async () => { closeDialog(); await attempt(() => post("seats", { side: side.id, player: id })); } }, t(`player.${id}`));
  dialog(side.name, h("div", {}, h("div", { class: "row" }, choice("human"), choice("random")),
    state.me.role === "table" && h("label", { class: "check" }, h("input", { type: "checkbox", "data-action": "alone", checked: alone(), onchange: (event) => setAlone(event.target.checked) }), h("span", {}, t("handover.alone")))), "seat");
}

/** A value by its path: `game.vp`, or `side.ops` of one side. */
function read(view, path, side) {
  const [table, name] = path.split(".");
  const found = table === "game" ? view.game?.[name] : view.sides?.[side]?.[name];
  return found ?? state.look.defaults[table]?.[name] ?? 0;
}

function tracks(view) {
  const rows = state.look.rows("track");
  if (!rows.length) return plainTracks(view);
  return rows.flatMap((row) => {
    if (row.value.startsWith("game.")) return [track(row, [[null, read(view, row.value)]])];
    const sides = row.side ? [row.side] : playing(view).map((side) => side.id);
    return [track(row, sides.map((side) => [side, read(view, row.value, side)]))];
  });
}

/** A track as cells if it is short, as numbers otherwise. */
function track(row, values) {
  const title = row.title ?? titled(row.value.split(".")[1]);
  const cells = row.to !== undefined && row.to - (row.from ?? 0) < 26 && values.length === 1 && typeof values[0][1] === "number";
  return h("div", { class: "track", "data-track": row.value, title }, h("span", { class: "track-title" }, title), cells ? line(row, values[0][1]) : values.map(([side, value]) => number(row, side, value)));
}

function number(row, side, value) {
  const text = typeof value === "number" ? (row.labels?.[value - (row.from ?? 0)] ?? value) : value === true ? t("yes") : plain(value || "–");
  return h("span", { class: "track-value" }, side && h("i", { class: `chip pattern-${state.look.side(side).pattern}`, style: `background:${state.look.side(side).colour}`, title: sideName(side) }), h("b", {}, String(text)));
}

function line(row, value) {
  const from = row.from ?? 0;
  const count = row.to - from + 1;
  const cell = 11;
  const svg = s("svg", { viewBox: `0 0 ${count * cell} 18`, width: count * cell, height: 18, class: "track-line", "aria-hidden": "true" });
  for (let at = 0; at < count; at++) {
    const on = at + from === value;
    svg.append(s("rect", { x: at * cell + 0.5, y: 3.5, width: cell - 1, height: 11, rx: 2, class: on ? "on" : "" }));
  }
  return h("span", { class: "track-value" }, svg, h("b", {}, String(row.labels?.[value - from] ?? value)));
}

/** Numbers of the game and of sides, for games that draw no tracks. */
function plainTracks(view) {
  const whole = (table) => (state.board.columns?.[table] ?? []).filter((column) => column.type === "int");
  const game = whole("game").filter((column) => view.game?.[column.id] !== undefined).map((column) => track({ value: `game.${column.id}`, title: column.title }, [[null, view.game[column.id]]]));
  const side = whole("side").filter((column) => state.board.sides.some(({ id }) => view.sides?.[id]?.[column.id] !== undefined)).map((column) => track({ value: `side.${column.id}`, title: column.title }, state.board.sides.map(({ id }) => [id, read(view, `side.${column.id}`, id)])));
  return [...game, ...side].slice(0, 8);
}

listen(["view", "past", "board", "online"], draw);
