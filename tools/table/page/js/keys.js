// Playing without a mouse: shortcuts, moving among options, and the list of both.

import { byId, h } from "./dom.js";
import { cancel, choose, confirm } from "./answer.js";
import { closeDialog, dialog } from "./dialogs.js";
import { choices, decision, state, tell } from "./store.js";
import { take } from "./options.js";
import { closeMenu, showOption, table } from "./table.js";
import { takeBack } from "./undo.js";
import { closeRules, openRule } from "./rulebook.js";
import { replay, step } from "./history.js";
import { toggleEdit } from "./edit.js";
import { openFiles } from "./files.js";
import { openBriefing } from "./briefing.js";
import { t } from "./lang.js";

const buttons = () => [...byId("decision").querySelectorAll("[data-option], [data-item], [data-action=done]")].filter((node) => !node.disabled);

/** Moves the focus among the options; the map follows. */
function move(by) {
  const all = buttons();
  if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  const next = all[(at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by + all.length) % all.length];
  next.focus();
  const name = next.dataset.option ?? next.dataset.item;
  showOption(choices(decision()).find((option) => option.name === name));
}

function number(n) {
  const node = [...byId("decision").querySelectorAll("[data-option]:not([data-action]), [data-item]")][n - 1];
  if (!node) return;
  const asked = decision();
  const option = choices(asked).find((one) => one.name === (node.dataset.option ?? node.dataset.item));
  if (!option) return;
  if (asked.kind === "list") choose(option);
  else if ((option.most ?? 1) > 1) take(option, 1);
  else take(option, state.chosen.has(option.name) ? -1 : 1);
}

const done = () => (decision()?.kind === "selection" ? confirm() : byId("decision").querySelector("[data-action=done]")?.click());

const KEYS = {
  ArrowDown: () => move(1), ArrowUp: () => move(-1), j: () => move(1), k: () => move(-1),
  d: done, u: takeBack, h: () => byId("history").querySelector("input")?.focus(),
  "+": () => table.camera.zoom(1.25), "=": () => table.camera.zoom(1.25), "-": () => table.camera.zoom(0.8), 0: () => table.camera.fit(),
  w: () => table.camera.pan(0, -80), a: () => table.camera.pan(-80, 0), s: () => table.camera.pan(0, 80), f: () => table.camera.pan(80, 0),
  "[": () => step(-1), "]": () => step(1), p: replay,
  r: () => openRule(), b: openBriefing, e: toggleEdit, x: openFiles, l: () => byId("log").focus(),
  m: () => { state.arrows = !state.arrows; tell("log"); },
  "/": () => byId("filter")?.focus(), "?": openHelp,
};

/** The shortcuts that the help lists: key, id of the text. */
const LISTED = [["↑ ↓ · Tab", "key.options"], ["Enter", "key.answer"], ["1 – 9", "key.number"], ["+ −", "key.basket"], ["D", "key.done"], ["Esc", "key.cancel"], ["U", "key.undo"], ["/", "key.filter"], ["[ ]", "key.history"], ["H", "key.slider"], ["P", "key.replay"], ["W A S F", "key.pan"], ["+ −  0", "key.zoom"], ["M", "key.arrows"], ["R", "key.rules"], ["B", "key.briefing"], ["L", "key.log"], ["E", "key.edit"], ["X", "key.files"], ["?", "key.help"]];

export function openHelp() {
  dialog(t("help"), h("div", { class: "help" }, h("p", {}, t("help.text")), h("table", {}, h("tbody", {}, LISTED.map(([key, id]) => h("tr", {}, h("th", {}, h("kbd", {}, key)), h("td", {}, t(id)))))), h("p", {}, t("help.mouse"))), "help");
}

function press(event) {
  if (!byId("curtain").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (byId("window").open) return;
    closeMenu();
    table.overlay?.close();
    if (!byId("rulebook").hidden) closeRules();
    else cancel();
    if (document.activeElement?.id === "filter") document.activeElement.blur();
    return;
  }
  const target = event.target;
  // A slider takes the keys that move it; all others mean what they mean elsewhere.
  const slider = target.matches?.("input[type=range]");
  if (slider && /^(Arrow|Page|Home|End|Tab)/.test(event.key)) return;
  const typing = !slider && target.closest?.("input, select, textarea, dialog");
  if (typing && !(target.id === "filter" && (event.key === "ArrowDown" || event.key === "Enter"))) return;
  if (target.id === "filter") {
    event.preventDefault();
    return move(1);
  }
  if (target.closest?.(".basket") && "+-ArrowUpArrowDown".includes(event.key) && event.defaultPrevented) return;
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return number(Number(event.key));
  }
  const act = KEYS[event.key] ?? (event.key.length === 1 ? KEYS[event.key.toLowerCase()] : null);
  if (act && state.view) {
    event.preventDefault();
    act();
  }
}

/** Whoever plays with the keyboard finds the focus on the next question; whoever plays with the mouse keeps it. */
export function startKeys() {
  // Whoever writes a word plays no less with the mouse.
  document.addEventListener("keydown", (event) => event.target.closest?.("input:not([type=range]), textarea") || (document.body.dataset.input = "keys"), true);
  document.addEventListener("pointerdown", (event) => (document.body.dataset.input = event.pointerType === "touch" ? "touch" : "mouse"), true);
  document.addEventListener("keydown", press);
  // A click beside a window closes it if it began there: a finger that rested and opened it is still down.
  let beside = false;
  byId("window").addEventListener("pointerdown", (event) => (beside = event.target === byId("window")));
  byId("window").addEventListener("click", (event) => {
    if (event.target === byId("window") && beside) closeDialog();
    beside = false;
  });
}
