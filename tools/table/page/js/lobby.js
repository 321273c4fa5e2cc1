// The lobby of whoever runs the server: games to begin, tables under way and the links to hand out.

import { byId, h, put } from "./dom.js";
import { get, post } from "./wire.js";
import { attempt, dialog, toast } from "./dialogs.js";
import { importFile } from "./files.js";
import { t, tn } from "./lang.js";

export async function openLobby() {
  document.body.dataset.page = "lobby";
  const answer = await attempt(() => get("games"));
  if (!answer) return;
  put(byId("lobby"),
    h("header", {}, h("h1", {}, "Sandtable"), h("p", {}, t("lobby.text"))),
    answer.tables.length > 0 && h("section", {}, h("h2", {}, t("lobby.tables")), h("ul", { class: "lobby-tables" }, answer.tables.map((one) => tableRow(one, answer.games)))),
    h("section", {}, h("h2", {}, t("lobby.games")), h("ul", { class: "lobby-games" }, answer.games.map(gameCard))),
    h("section", {}, h("h2", {}, t("files.import")), h("p", {}, t("lobby.drop")), h("input", { type: "file", "data-action": "import", onchange: (event) => event.target.files[0] && importFile(event.target.files[0]) })));
  document.body.dataset.ready = "true";
}

function tableRow(one, games) {
  const sides = games.find((game) => game.id === one.of)?.sides;
  const note = one.ended ?? t("lobby.owing", { names: one.owing.map((side) => nameIn(sides, side)).join(", ") });
  return h("li", { "data-table": one.game }, h("b", {}, one.title), h("span", {}, one.scenario), h("small", {}, tn("lobby.choices", one.choices)), one.problem ? h("span", { class: "problem", "data-problem": "" }, h("b", {}, t("lobby.problem")), " ", one.problem) : h("span", {}, note), links(one.links, sides),
    h("button", { class: "plain small", "data-action": "remove", onclick: async () => { if (window.confirm(t("lobby.sure")) && (await attempt(() => post("remove", { game: one.game })))) openLobby(); } }, t("lobby.remove")));
}

const nameIn = (sides, id) => sides?.find((side) => side.id === id)?.name ?? id;

function links(all, sides) {
  const link = (path, text, hook) => h("a", { class: "link", href: path, "data-link": hook, title: t("lobby.link") }, text);
  return h("span", { class: "links" }, all.table && link(all.table, t("lobby.all"), "table"), Object.entries(all.seats ?? {}).map(([side, path]) => link(path, nameIn(sides, side), side)), all.watch && link(all.watch, t("lobby.watch"), "watch"));
}

function gameCard(game) {
  // A game that does not load is listed with what is wrong with it.
  if (!game.sides) return h("li", { "data-game": game.id }, h("h3", {}, game.title ?? game.id), h("p", { class: "quiet" }, game.problem ?? t("lobby.broken")));
  return h("li", { "data-game": game.id }, h("div", { class: "swatches", "aria-hidden": "true" }, game.sides.map((side) => h("i", { class: `pattern-${side.pattern ?? "plain"}`, style: `background-color:${side.colour ?? "#777"}`, title: side.name }))), h("h3", {}, game.title), h("p", {}, tn("lobby.scenarios", game.scenarios.length)), h("button", { class: "option primary", "data-action": "new", "data-new": game.id, onclick: () => begin(game) }, t("lobby.begin")));
}

/** The window in which a game is set up. */
function begin(game) {
  const scenario = h("select", { name: "scenario" }, game.scenarios.map((one) => h("option", { value: one.id }, one.title)));
  const players = game.sides.map((side) => h("label", {}, h("span", {}, side.name), h("select", { name: `player-${side.id}` }, h("option", { value: "human" }, t("player.human")), h("option", { value: "random" }, t("player.random")))));
  const layers = game.layers.map((one) => h("label", { class: "check" }, h("input", { type: "checkbox", name: "layer", value: one.id }), h("span", {}, one.title ?? one.id)));
  const options = game.options.map((one) => h("label", { class: one.type === "bool" ? "check" : "" }, field(one), h("span", {}, one.title ?? one.id)));
  const form = h("form", { class: "begin", onsubmit: (event) => send(event, game, form) },
    h("label", {}, h("span", {}, t("lobby.scenario")), scenario), players,
    layers.length > 0 && h("details", {}, h("summary", {}, t("layers")), layers), options.length > 0 && h("details", {}, h("summary", {}, t("options.title")), options),
    h("label", {}, h("span", {}, t("lobby.seed")), h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]*" })),
    h("button", { class: "option primary", "data-action": "begin" }, t("lobby.begin")));
  dialog(game.title, form, "begin");
}

function field(option) {
  const name = `option-${option.id}`;
  if (option.type === "bool") return h("input", { type: "checkbox", name, checked: option.value === true });
  if (option.values?.length) return h("select", { name }, option.values.map((value) => h("option", { value, selected: value === option.value }, String(value))));
  return h("input", { name, value: option.value ?? "", size: 6 });
}

async function send(event, game, form) {
  event.preventDefault();
  const values = new FormData(form);
  const options = {};
  for (const one of game.options) {
    const text = values.get(`option-${one.id}`);
    const value = one.type === "bool" ? text !== null : one.type === "int" ? Number(text) : text;
    if (value !== one.value) options[one.id] = value;
  }
  const players = Object.fromEntries(game.sides.map((side) => [side.id, values.get(`player-${side.id}`)]));
  const body = { game: game.id, scenario: values.get("scenario"), layers: values.getAll("layer"), options, players };
  if (values.get("seed")) body.seed = Number(values.get("seed"));
  const answer = await attempt(() => post("games", body));
  if (!answer) return;
  const human = game.sides.filter((side) => players[side.id] === "human");
  dialog(game.title, h("div", { class: "ready" }, h("p", {}, t("lobby.ready")), h("a", { class: "option primary", href: human.length === 1 ? answer.links.seats[human[0].id] : answer.links.table, "data-link": "go" }, t("lobby.sit")), h("h3", {}, t("lobby.links")), links(answer.links, game.sides)), "ready");
  toast(t("lobby.made"));
}
