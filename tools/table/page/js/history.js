// The history slider: any earlier position, looked at with the same eyes.

import { byId, h, later, put } from "./dom.js";
import { get, post } from "./wire.js";
import { attempt, dialog } from "./dialogs.js";
import { listen, state, tell } from "./store.js";
import { t } from "./lang.js";

/** Shows the position before a choice; the last one is the present. */
export async function look(at) {
  if (!state.view) return;
  if (at >= state.view.choices) return present();
  const as = state.me.role === "table" && state.view.as ? `&as=${encodeURIComponent(state.view.as)}` : "";
  const past = await attempt(() => get(`view?at=${Math.max(0, at)}${as}`));
  if (!past) return;
  Object.assign(state.protos, past.protos);
  state.past = { ...past, decisions: [] };
  tell("past");
}

/** Shows the present. */
function present() {
  if (!state.past) return;
  state.past = null;
  tell("past");
}

/** Back to the present. */
export function back() {
  playing = null;
  present();
  draw();
}

let wanted = null;

/** Steps backwards or forwards; quick steps add up. */
export function step(by) {
  wanted = Math.max(0, (wanted ?? state.past?.at ?? state.view.choices) + by);
  look(wanted).finally(() => (wanted = null));
}

/** How long each position is shown, in thousandths of a second, by the speed that is chosen. */
const PACES = { 1: 1200, 2: 600, 4: 300, 8: 120 };
let playing = null;

/** Plays the game again from what is shown, or from its beginning. */
export function replay() {
  if (playing) return stop();
  playing = {};
  const own = playing;
  const run = async () => {
    let at = state.past ? state.past.at : 0;
    for (; playing === own && at <= state.view.choices; at += 1) {
      await look(at);
      if (!state.past && at < state.view.choices) break;
      const pace = PACES[byId("history").querySelector("select").value] ?? 600;
      await new Promise((go) => setTimeout(go, pace));
    }
    if (playing === own) stop();
  };
  draw();
  run();
}

function stop() {
  playing = null;
  draw();
}

/** A table of one's own that goes on from the position that is shown; this one stays as it is. */
async function branch() {
  const at = state.past?.at ?? state.view.choices;
  const text = await attempt(() => get(`export?as=record&at=${at}`));
  if (text === null) return;
  const made = await attempt(() => post("import", { name: `${state.board.game}-${at}.record`, text }));
  if (made?.links?.table) dialog(t("history.branch"), h("div", { class: "ready" }, h("p", {}, t("history.branched", { at })), h("a", { class: "option primary", href: made.links.table, target: "_blank", rel: "noopener", "data-link": "branch" }, t("import.open"))), "branch");
}

const slide = later(60, (at) => look(at));

function draw() {
  const box = byId("history");
  const view = state.view;
  if (!view) return;
  const at = state.past?.at ?? view.choices;
  document.body.dataset.at = at;
  document.body.dataset.past = state.past ? "true" : "false";
  box.dataset.past = state.past ? "true" : "false";
  let range = box.querySelector("input");
  if (!range) {
    range = h("input", { type: "range", min: 0, "data-history": "", "data-action": "history", "aria-label": t("history"), oninput: (event) => { playing = null; slide(Number(event.target.value)); } });
    put(box,
      h("button", { class: "icon", "data-action": "history-back", title: t("history.back"), "aria-label": t("history.back"), onclick: () => step(-1) }, "◂"),
      range,
      h("button", { class: "icon", "data-action": "history-forward", title: t("history.forward"), "aria-label": t("history.forward"), onclick: () => step(1) }, "▸"),
      h("button", { class: "icon", "data-action": "history-play", onclick: replay }),
      h("select", { class: "pace", "aria-label": t("history.pace"), title: t("history.pace") }, Object.keys(PACES).map((pace) => h("option", { value: pace, selected: pace === "2" }, t("history.times", { n: pace })))),
      h("span", { class: "history-at" }),
      state.me.export && h("button", { class: "icon branch", "data-action": "branch", title: t("history.branch"), "aria-label": t("history.branch"), onclick: branch }, "⑂"),
      h("button", { class: "option primary", "data-action": "now", onclick: back }, t("history.now")));
  }
  const play = box.querySelector("[data-action=history-play]");
  play.textContent = playing ? "❚❚" : "▶";
  play.title = t(playing ? "history.pause" : "history.play");
  play.setAttribute("aria-label", play.title);
  document.body.dataset.replay = String(playing !== null);
  range.max = view.choices;
  if (document.activeElement !== range || !state.past) range.value = at;
  box.querySelector(".history-at").textContent = t("history.at", { at, of: view.choices });
}

listen(["view", "past"], draw);
