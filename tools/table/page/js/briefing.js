// The briefing: what the game is about, who one is, how one wins; on sitting down, and again at any time.

import { h } from "./dom.js";
import { closeDialog, dialog, ruleLinks } from "./dialogs.js";
import { greetLayers, openLayers } from "./layers.js";
import { inPlay, sideName, state } from "./store.js";
import { capital, t } from "./lang.js";

/** What the game's data say, the scenario's own words before those of the whole game. */
function told() {
  const { board } = state;
  const about = { ...board.about, ...board.view?.about };
  const own = board.view?.scenario?.[board.scenario?.id] ?? {};
  return {
    text: about.text, scene: own.text ?? board.scenario?.text, aim: own.aim ?? about.aim, victory: own.victory ?? about.victory,
    aims: { ...board.view?.aim, ...own.aims },
    facts: ["period", "players", "length"].map((key) => own[key] ?? about[key]).filter(Boolean),
  };
}

/** The sides that this page plays. */
function mine() {
  const { me, view, board } = state;
  if (me.role === "seat") return [me.side];
  return me.role === "table" ? board.sides.map((side) => side.id).filter((id) => view.players?.[id] === "human" && inPlay(view, id)) : [];
}

export function openBriefing() {
  const { board, view, look } = state;
  const brief = told();
  const sides = board.sides.filter((side) => inPlay(view, side.id));
  const own = mine();
  const who = own.length === 1 ? t("briefing.you", { side: sideName(own[0]) }) : own.length ? t("briefing.all") : t("briefing.watch");
  const side = ({ id, name }) => h("li", { "data-side": id, class: own.includes(id) && own.length === 1 ? "own" : "" },
    h("i", { class: `chip pattern-${look.side(id).pattern}`, style: `background-color:${look.side(id).colour}` }), h("div", {}, h("b", {}, capital(name)), brief.aims[id] && h("p", {}, brief.aims[id])));
  dialog(board.title, h("div", { class: "briefing" },
    h("p", { class: "scene" }, h("b", {}, board.scenario?.title ?? ""), brief.facts.length > 0 && h("small", {}, ` ${brief.facts.join(" · ")}`)),
    brief.text && h("p", { "data-brief": "about" }, brief.text),
    brief.scene && h("p", { "data-brief": "scene" }, brief.scene),
    h("h3", {}, t("briefing.sides")), h("p", { "data-brief": "who" }, who), h("ul", { class: "brief-sides" }, sides.map(side)),
    (brief.aim || brief.victory) && [h("h3", {}, t("briefing.win")), h("p", { "data-brief": "win" }, brief.aim ?? "", " ", ruleLinks(brief.victory))],
    h("h3", {}, t("briefing.play")), h("p", {}, t("briefing.how")),
    board.layers?.length > 0 && h("p", {}, h("button", { class: "plain", onclick: openLayers }, t("briefing.layers"))),
    h("div", { class: "brief-end" },
      h("button", { class: "option primary", "data-action": "play", autofocus: true, onclick: closeDialog }, t("briefing.begin")),
      h("label", { class: "check" }, h("input", { type: "checkbox", "data-action": "no-briefing", checked: off(), onchange: (event) => localStorage.setItem("briefing", event.target.checked ? "off" : "on") }), h("span", {}, t("briefing.off"))))), "briefing");
}

const off = () => localStorage.getItem("briefing") === "off";

/** Whoever sits down for the first time is told what it is about; whoever knows is told only how the rules differ. */
export function greet() {
  const name = `briefed ${location.pathname}`;
  if (off() || localStorage.getItem(name) || state.view.ended) return greetLayers();
  localStorage.setItem(name, "true");
  openBriefing();
}
