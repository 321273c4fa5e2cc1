// One computer for several people: before the other side's view is shown, the screen is covered until that person says so.

import { byId, h, put } from "./dom.js";
import { sideName, state } from "./store.js";
import { t } from "./lang.js";

/** Whether one person plays every side here, and needs no cover. */
export const alone = () => localStorage.getItem("alone") === "true";

export function setAlone(yes) {
  localStorage.setItem("alone", String(yes));
}

/** Whether several sides were asked at once: then what one of them chose is not for the next to see. */
let atOnce = false;

/** Whether the game hides anything that one side must not see of the other. */
function secrets(view) {
  atOnce ||= view.owing?.length > 1;
  const { spaces, columns } = state.board;
  return atOnce || spaces.some((space) => space.see !== "all") || Object.values(columns ?? {}).flat().some((column) => column.see !== "all");
}

/** Whether several people share this page and have something to hide from each other. */
export function shared(view) {
  const people = Object.values(view.players ?? {}).filter((player) => player === "human").length;
  return state.me.role === "table" && people > 1 && !view.ended && !alone() && secrets(view);
}

/** Covers the screen until the person who plays a side is there; then goes on. */
export function handOver(side, go) {
  const curtain = byId("curtain");
  if (curtain.dataset.side === side && !curtain.hidden) return;
  const open = () => {
    lift();
    go();
  };
  curtain.style.setProperty("--side", state.look.side(side).colour);
  curtain.dataset.side = side;
  put(curtain,
    h("p", {}, t("handover.text")),
    h("h2", {}, sideName(side)),
    h("button", { class: "option primary", "data-action": "ready", onclick: open }, t("handover.ready", { side: sideName(side) })),
    h("button", { class: "plain", "data-action": "alone", onclick: () => { setAlone(true); open(); } }, t("handover.alone")));
  curtain.setAttribute("aria-label", t("handover.ready", { side: sideName(side) }));
  curtain.hidden = false;
  document.body.dataset.curtain = "true";
  curtain.querySelector("button").focus();
}

/** Takes the cover away. */
export function lift() {
  byId("curtain").hidden = true;
  document.body.dataset.curtain = "false";
}
