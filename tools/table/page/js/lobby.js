// The lobby of whoever runs the server: games to begin, tables under way and the links to hand out.

import { byId, h, put, s } from "./dom.js";
import { get, post } from "./wire.js";
import { attempt, dialog, toast } from "./dialogs.js";
import { importFile } from "./files.js";
import { setAlone } from "./handover.js";
import { keepLobby } from "./home.js";
import { capital, t, tn } from "./lang.js";

export async function openLobby() {
  document.body.dataset.page = "lobby";
  document.title = t("lobby.title");
  keepLobby();
  const answer = await attempt(() => get("games"));
  if (!answer) return;
  put(byId("lobby"),
    h("header", {}, h("h1", {}, "Sandtable"), h("p", {}, t("lobby.text"))),
    answer.tables.length > 0 && h("section", {}, h("h2", {}, t("lobby.tables")), h("ul", { class: "lobby-tables" }, answer.tables.map((one) => tableRow(one, answer.games)))),
    h("section", {}, h("h2", {}, t("lobby.games")), h("ul", { class: "lobby-games" }, answer.games.map(gameCard))),
    h("section", {}, h("h2", {}, t("files.import")), h("p", {}, t("lobby.drop")), h("input", { type: "file", "data-action": "import", "aria-label": t("files.import"), onchange: (event) => event.target.files[0] && importFile(event.target.files[0]) })));
  for (const picture of document.querySelectorAll(".game-map")) frame(picture);
  document.body.dataset.ready = "true";
}

/** A table under way: whose turn it is, the way in, and the links of everybody. */
function tableRow(one, games) {
  const sides = games.find((game) => game.id === one.of)?.sides;
  const names = one.owing.map((side) => nameIn(sides, side)).join(", ");
  const note = one.ended ?? (names ? t("lobby.owing", { names }) : "");
  const human = Object.entries(one.players ?? {}).filter(([, player]) => player === "human").map(([side]) => side);
  const way = human.length === 1 ? one.links.seats?.[human[0]] : one.links.table;
  const remove = async () => {
    if (window.confirm(t("lobby.sure")) && (await attempt(() => post("remove", { game: one.game })))) openLobby();
  };
  return h("li", { "data-table": one.game },
    h("div", { class: "table-head" }, h("h3", {}, one.title), h("span", {}, one.scenario),
      one.problem ? h("span", { class: "problem", "data-problem": "" }, h("b", {}, t("lobby.problem")), " ", one.problem) : h("b", { class: one.ended ? "" : "to-move", "data-owing": one.owing.join(" ") }, note),
      h("small", {}, tn("lobby.choices", one.choices))),
    !one.problem && way && h("a", { class: "option primary", href: way, "data-link": "go" }, t(one.ended ? "lobby.look" : "lobby.continue")),
    h("details", {}, h("summary", {}, t("lobby.links")), links(one.links, sides), h("button", { class: "plain small", "data-action": "remove", onclick: remove }, t("lobby.remove"))));
}

const nameIn = (sides, id) => capital(sides?.find((side) => side.id === id)?.name ?? id);

/** Puts a text where it can be pasted from. */
async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    // Without leave to use the clipboard the text is marked, to be copied by hand.
    field.focus();
    field.select();
  }
}

/** The links of a table one under the other: whom each is for, and a button that copies it. */
function links(all, sides) {
  const row = (path, text, hook) => {
    const address = new URL(path, location.href).href;
    const field = h("input", { class: "address", readonly: true, value: address, "aria-label": text, onfocus: (event) => event.target.select() });
    return h("li", {}, h("a", { class: "link", href: path, "data-link": hook, title: t("lobby.link") }, text), field, h("button", { class: "option copy", "data-copy": hook, "aria-label": t("lobby.copy", { name: text }), onclick: () => copy(address, field) }, t("copy")));
  };
  return h("ul", { class: "links" }, Object.entries(all.seats ?? {}).map(([side, path]) => row(path, nameIn(sides, side), side)), all.table && row(all.table, t("lobby.all"), "table"), all.watch && row(all.watch, t("lobby.watch"), "watch"));
}

/** The map of a game, small. */
function picture(parts) {
  const path = ({ fill, stroke, d }) => s("path", stroke ? { d, fill: "none", stroke, class: "water" } : { d, fill, class: "land" });
  return s("svg", { class: "game-map", "aria-hidden": "true", preserveAspectRatio: "xMidYMid slice" }, parts.map(path));
}

/** Shows the whole of a small map. */
function frame(svg) {
  const { x, y, width, height } = svg.getBBox();
  if (width) svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  svg.style.setProperty("--thin", `${Math.max(width, height) / 400}`);
}

/** What a game says of itself in a few words. */
const facts = (about) => ["period", "players", "length"].filter((key) => about?.[key]).map((key) => h("span", { "data-fact": key }, about[key]));

function gameCard(game) {
  // A game that does not load is listed with what is wrong with it.
  if (!game.sides) return h("li", { "data-game": game.id }, h("h3", {}, game.title ?? game.id), h("p", { class: "quiet" }, game.problem ?? t("lobby.broken")));
  const told = h("p", { class: "scenario-text quiet" });
  const pick = h("select", { name: "scenario", "aria-label": t("lobby.scenario"), onchange: () => tellScenario() }, game.scenarios.map((one) => h("option", { value: one.id, selected: one.id === game.scenario }, one.title)));
  const tellScenario = () => (told.textContent = game.scenarios.find((one) => one.id === pick.value)?.text ?? "");
  tellScenario();
  return h("li", { "data-game": game.id },
    h("div", { class: "picture" }, game.map ? picture(game.map) : h("div", { class: "no-map" })),
    h("div", { class: "swatches", "aria-hidden": "true" }, game.sides.map((side) => h("i", { class: `pattern-${side.pattern ?? "plain"}`, style: `background-color:${side.colour ?? "#777"}`, title: side.name }))),
    h("h3", {}, game.title),
    h("p", { class: "facts" }, facts(game.about)),
    game.about?.text && h("p", { class: "about" }, game.about.text),
    h("p", { class: "sides" }, game.sides.map((side) => h("span", {}, h("i", { class: `chip pattern-${side.pattern ?? "plain"}`, style: `background-color:${side.colour ?? "#777"}` }), capital(side.name)))),
    h("div", { class: "scenario" }, pick, told),
    h("div", { class: "ways" },
      h("button", { class: "option primary", "data-start": "here", onclick: () => start(game, pick.value, "here") }, t("lobby.here")),
      h("button", { class: "option", "data-start": "invite", onclick: () => start(game, pick.value, "invite") }, t("lobby.invite")),
      h("button", { class: "plain small", "data-action": "new", "data-new": game.id, onclick: () => begin(game, pick.value) }, t("lobby.more"))));
}

/** Begins at once, with people on all sides: here at one screen, or each with a link. */
async function start(game, scenario, way) {
  const players = Object.fromEntries(game.sides.map((side) => [side.id, "human"]));
  const answer = await attempt(() => post("games", { game: game.id, scenario, layers: [], options: {}, players }));
  if (!answer) return;
  if (way === "here") {
    setAlone(false);
    location.href = answer.links.table;
  } else ready(game, answer, players);
}

/** The links of a new table. */
function ready(game, answer, players) {
  const human = game.sides.filter((side) => players[side.id] === "human");
  dialog(game.title, h("div", { class: "ready" }, h("p", {}, t("lobby.ready")), links(answer.links, game.sides),
    h("a", { class: "option primary", href: human.length === 1 ? answer.links.seats[human[0].id] : answer.links.table, "data-link": "go" }, t("lobby.sit"))), "ready");
}

/** Who can play a side. */
const PLAYERS = ["human", "random"];

/** The window in which a game is set up. */
function begin(game, chosen) {
  const scenario = h("select", { name: "scenario" }, game.scenarios.map((one) => h("option", { value: one.id, selected: one.id === chosen }, one.title)));
  const players = game.sides.map((side) => h("label", {}, h("span", {}, side.name), h("select", { name: `player-${side.id}` }, PLAYERS.map((player) => h("option", { value: player }, t(`player.${player}`))))));
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
  ready(game, answer, players);
}
