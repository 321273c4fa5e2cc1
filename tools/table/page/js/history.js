// The history slider: any earlier position, looked at with the same eyes.

import { byId, h, later, put } from "./dom.js";
import { get } from "./wire.js";
import { attempt } from "./dialogs.js";
import { listen, state, tell } from "./store.js";
import { t } from "./lang.js";

/** Shows the position before a choice; the last one is the present. */
export async function look(at) {
  if (!state.view) return;
  if (at >= state.view.choices) return back();
  const as = state.me.role === "table" && state.view.as ? `&as=${encodeURIComponent(state.view.as)}` : "";
  const past = await attempt(() => get(`view?at=${Math.max(0, at)}${as}`));
  if (!past) return;
  Object.assign(state.protos, past.protos);
  state.past = { ...past, decisions: [] };
  tell("past");
}

/** Back to the present. */
export function back() {
  if (!state.past) return;
  state.past = null;
  tell("past");
}

let wanted = null;

/** Steps backwards or forwards; quick steps add up. */
export function step(by) {
  wanted = Math.max(0, (wanted ?? state.past?.at ?? state.view.choices) + by);
  look(wanted).finally(() => (wanted = null));
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
    range = h("input", { type: "range", min: 0, "data-history": "", "data-action": "history", "aria-label": t("history"), oninput: (event) => slide(Number(event.target.value)) });
    put(box,
      h("button", { class: "icon", "data-action": "history-back", title: t("history.back"), "aria-label": t("history.back"), onclick: () => step(-1) }, "◂"),
      range,
      h("button", { class: "icon", "data-action": "history-forward", title: t("history.forward"), "aria-label": t("history.forward"), onclick: () => step(1) }, "▸"),
      h("span", { class: "history-at" }),
      h("button", { class: "option primary", "data-action": "now", onclick: back }, t("history.now")));
  }
  range.max = view.choices;
  if (document.activeElement !== range || !state.past) range.value = at;
  box.querySelector(".history-at").textContent = t("history.at", { at, of: view.choices });
}

listen(["view", "past"], draw);
