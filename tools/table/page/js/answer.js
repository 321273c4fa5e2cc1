// Giving answers: what a choice sends, what the mouse over an option asks the server, and why something is refused.

import { byId, h, later, put } from "./dom.js";
import { post } from "./wire.js";
import { announce, attempt, ruleLinks } from "./dialogs.js";
import { choices, decision, listen, state, tell } from "./store.js";
import { complete, narrow } from "./options.js";
import { plain, t } from "./lang.js";
import { caughtUp } from "./log.js";

/** The decision whose answer is on its way: a second click on it means nothing. */
let sent = null;

/** How long a server that is busy or out of reach is given before the answer is sent again, each time. */
const WAITS = [300, 600, 1200, 2400, 4800];
/** How long the new view may take after an answer is confirmed, before the page asks for everything anew. */
const PATIENCE = 2500;

/** Sends a request until the server takes or refuses it. An answer names what it answers, so that none is taken twice. */
async function insist(path, body) {
  for (let at = 0; ; at += 1) {
    try {
      return await post(path, body);
    } catch (error) {
      const passing = error.code === "busy" || error.code === "offline";
      // What was asked is no longer asked: it was taken although no reply came.
      if (at > 0 && error.code === "stale") return null;
      if (!passing || at >= WAITS.length || decision()?.id !== body.decision) throw error;
      await new Promise((go) => setTimeout(go, WAITS[at]));
    }
  }
}

/** Sends an answer; the new view comes over the socket, perhaps before the reply. */
async function send(body) {
  if (sent === body.decision) return;
  sent = body.decision;
  ask.stop();
  askWhole.stop();
  document.body.dataset.busy = "true";
  state.since = state.view.choices;
  caughtUp();
  let stale = false;
  const done = await attempt(() => insist("answer", body).catch((error) => {
    stale = error.code === "stale";
    throw error;
  }));
  if (sent === body.decision) sent = null;
  document.body.dataset.busy = String(sent !== null);
  if (stale && decision()?.id === body.decision) tell("lost");
  if (!done || (state.view?.serial ?? 0) >= done.serial) return;
  state.hover = null;
  state.preview = null;
  setTimeout(() => (state.view?.serial ?? 0) < done.serial && tell("lost"), PATIENCE);
}

/** Chooses an option of a list. */
export function choose(option) {
  const asked = decision();
  if (asked?.kind === "list") return send({ decision: asked.id, choice: option.name });
}

/** Answers a selection with what is chosen, after the whole has been tested. */
export async function confirm() {
  const asked = decision();
  if (asked?.kind !== "selection" || !complete(asked)) return;
  const chosen = Object.fromEntries(state.chosen);
  if (asked.test) {
    const tried = await attempt(() => insist("try", { decision: asked.id, chosen }));
    if (!tried) return;
    if (!tried.fine) return showWhy(null, [{ text: tried.text, rule: [] }]);
  }
  return send({ decision: asked.id, chosen });
}

/** Asks what would follow from an option, once the mouse has rested on it. */
const ask = later(150, async (asked, option) => {
  const preview = await consequences({ decision: asked.id, choice: option.name });
  if (preview && state.hover === option.name) {
    state.preview = preview;
    tell("hover");
  }
});

/** The same for a selection, once it could be confirmed. */
const askWhole = later(250, async (asked) => {
  const chosen = Object.fromEntries(state.chosen);
  const preview = await consequences({ decision: asked.id, chosen });
  if (preview && decision()?.id === asked.id && JSON.stringify(Object.fromEntries(state.chosen)) === JSON.stringify(chosen)) {
    state.preview = preview;
    tell("hover");
  }
});

/** A preview is a courtesy: where the server cannot give one, the option stays as it is. */
const consequences = (body) => post("preview", body).catch(() => null);

listen(["chosen"], () => {
  const asked = decision();
  askWhole.stop();
  if (asked?.kind !== "selection") return;
  state.preview = null;
  tell("hover");
  if (state.chosen.size && complete(asked)) askWhole(asked);
});

/** Points at an option, or at none. */
export function point(option) {
  const name = option?.name ?? null;
  if (state.hover === name) return;
  state.hover = name;
  ask.stop();
  // What a selection would bring follows from the whole of it, not from the item under the mouse.
  if (decision()?.kind === "list") {
    state.preview = null;
    if (option) ask(decision(), option);
  }
  tell("hover");
}

/** The option that is pointed at. */
export const pointed = () => choices(decision()).find((option) => option.name === state.hover) ?? null;

/** What a refusal says; one without words names the rule that made it. */
export const reasonText = (reason) => reason.text || t("why.by", { rule: plain(reason.handler) });

/** Shows why something is refused, with its paragraphs. */
export function showWhy(title, reasons) {
  const box = byId("why");
  const lines = reasons.map((reason) => h("li", {}, h("span", {}, reasonText(reason)), " ", ruleLinks(reason.rule)));
  put(box, h("button", { class: "close", "aria-label": t("close"), onclick: () => (box.hidden = true) }, "×"), title && h("h3", {}, title), h("ul", {}, lines));
  box.hidden = false;
  announce([title, ...reasons.map(reasonText)].filter(Boolean).join(". "));
}

/** Asks why a thing cannot be chosen. */
export async function askWhy(name, title) {
  const asked = decision();
  if (!asked) return;
  const answer = await attempt(() => post("why", { decision: asked.id, option: name }));
  if (!answer || answer.offered) return;
  const far = answer.reach && { text: t(`why.far.${answer.reach.kind}`, { ...answer.reach, path: answer.reach.path.join(" ") }), rule: answer.reach.rule };
  const reasons = answer.reasons.length ? answer.reasons : [far ?? { text: t("why.not-listed"), rule: [] }];
  showWhy(t("why.title", { name: title }), reasons);
}

/** Goes back a little: a narrowed panel, then what is chosen. */
export function cancel() {
  byId("why").hidden = true;
  if (state.narrowed) return narrow(null);
  if (state.chosen.size) {
    state.chosen.clear();
    tell("chosen");
  }
}
