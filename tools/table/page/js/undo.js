// Taking back, and the consent that it needs.

import { h } from "./dom.js";
import { post } from "./wire.js";
import { attempt, toast } from "./dialogs.js";
import { sideName, state } from "./store.js";
import { t } from "./lang.js";

const names = (sides) => sides.map(sideName).join(", ");

/** Takes back one answer, or asks those who answered since. */
export async function takeBack() {
  const undo = state.view?.undo;
  if (!undo) return toast(t("undo.nothing"));
  if (undo.barred) return toast(t("undo.barred"));
  withdrawn = true;
  const answer = await attempt(() => post("undo", { to: undo.to }));
  if (answer && !answer.done) toast(t("undo.asked", { names: names(undo.needs) }));
}

/** Says that a question is gone because somebody else took back, or changed the position. */
export function taken(before, view) {
  const mine = before?.decisions.find((asked) => asked.side === before.as);
  const gone = mine && before.as === view.as && view.choices < before.choices && !view.decisions.some((asked) => asked.side === view.as);
  const back = before && view.choices < before.choices && !withdrawn;
  withdrawn = false;
  if (gone || (back && state.me.role !== "table")) toast(t(gone ? "undo.gone" : "undo.others", { names: names(view.owing) }));
}

/** Whether this page itself asked for what was taken back. */
let withdrawn = false;

/** What stands in the way of taking back, or how far it goes. */
function obstacle() {
  const { undo } = state.view;
  const needs = undo?.needs ?? [];
  return !undo ? t("undo.nothing") : undo.barred ? t("undo.barred") : needs.length ? t("undo.needs", { names: names(needs) }) : t("undo.free");
}

const away = () => state.past || state.me.role === "watch";

/** The button, which says what stands in its way. */
export function undoButton() {
  const { undo } = state.view;
  return !away() && h("button", { class: "plain", "data-action": "undo", disabled: !undo || undo.barred, title: obstacle(), onclick: takeBack }, t("undo"));
}

/** Why one cannot simply take back. */
export function undoNote() {
  const { undo } = state.view;
  return !away() && (undo?.barred || undo?.needs?.length > 0) && h("small", { class: "undo-note" }, obstacle());
}

/** What somebody proposes: to take back, or to change the position. */
export function proposalBox() {
  const proposal = state.view.proposal;
  if (!proposal) return null;
  const reply = (agree) => attempt(() => post("consent", { proposal: proposal.id, agree }));
  const by = proposal.by ? sideName(proposal.by) : t("somebody");
  return h("div", { class: "proposal", role: "alertdialog", "data-proposal": proposal.id, "aria-label": t(`proposal.${proposal.kind}`, { by }) },
    h("h3", {}, t(`proposal.${proposal.kind}`, { by })), h("p", {}, proposal.kind === "edit" ? h("code", {}, proposal.line) : t("proposal.to", { n: proposal.to })),
    proposal.yours
      ? h("div", { class: "row" }, h("button", { class: "option primary", "data-action": "consent-yes", onclick: () => reply(true) }, t("consent.yes")), h("button", { class: "option", "data-action": "consent-no", onclick: () => reply(false) }, t("consent.no")))
      : h("div", { class: "row" }, h("span", { class: "quiet" }, t("proposal.waiting", { names: names(proposal.needs) })), h("button", { class: "plain", "data-action": "consent-no", onclick: () => reply(false) }, t("proposal.withdraw"))));
}
