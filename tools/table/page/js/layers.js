// Active layers and what they change; what a reload of changed files brought, or why it failed.

import { byId, h, put } from "./dom.js";
import { dialog, ruleLinks } from "./dialogs.js";
import { state } from "./store.js";
import { plain, t, tn } from "./lang.js";

/** The layers that this table is played with. */
export function openLayers() {
  const layers = state.board.layers ?? [];
  const change = (one) => h("tr", {}, h("td", {}, h("code", {}, one.path)), h("td", {}, one.before ?? "–"), h("td", {}, "→"), h("td", {}, h("b", {}, one.after ?? "–")), h("td", { class: "quiet" }, one.file ? `${one.file}:${one.line}` : ""));
  const handler = (one) => h("li", {}, `${plain(one.kind)} `, h("code", {}, one.id), " ", ruleLinks(one.rules), h("span", { class: "quiet" }, ` ${one.file}:${one.line}`));
  const layer = (one) => h("section", { class: "layer", "data-layer": one.id }, h("h3", {}, one.title ?? one.id, h("small", {}, ` ${one.version ?? ""}`)),
    one.changes?.length > 0 && h("table", {}, h("tbody", {}, one.changes.slice(0, 60).map(change))), one.handlers?.length > 0 && h("ul", {}, one.handlers.map(handler)));
  const options = (state.board.options ?? []).map((one) => h("li", {}, one.title ?? one.id, ": ", h("b", {}, one.value === true ? t("yes") : one.value === false ? t("no") : String(one.value))));
  dialog(t("layers"), h("div", {}, layers.length ? layers.map(layer) : h("p", {}, t("layers.none")), options.length > 0 && [h("h3", {}, t("options.title")), h("ul", {}, options)]), "layers");
}

/** Says on joining that the rules are not the plain ones. */
export function greetLayers() {
  const layers = state.board.layers ?? [];
  if (!layers.length) return;
  const seen = layers.map((one) => `${one.id} ${one.version}`).join(", ");
  if (sessionStorage.getItem("layers") === seen) return;
  sessionStorage.setItem("layers", seen);
  openLayers();
}

/** What a reload brought. */
export function showReload(message) {
  const box = byId("reload");
  box.hidden = false;
  box.dataset.reload = message.ok ? "ok" : "error";
  const close = h("button", { class: "close", "aria-label": t("close"), onclick: () => (box.hidden = true) }, "×");
  if (!message.ok) {
    put(box, close, h("h3", {}, t("reload.failed")), h("p", {}, t("reload.kept")), (message.errors ?? []).map((error) => h("div", { class: "script-error" }, h("b", {}, `${error.file}:${error.line}`), " ", error.text, error.full && h("pre", {}, error.full))));
    return;
  }
  const differences = message.differences ?? [];
  const row = (one) => h("tr", {}, h("td", {}, state.protos[one.thing]?.name ?? one.thing), h("td", {}, plain(one.attribute)), h("td", {}, one.before ?? "–"), h("td", {}, "→"), h("td", {}, h("b", {}, one.after ?? "–")));
  put(box, close, h("h3", {}, t("reload.done")), h("p", {}, message.layer ? t("reload.layer", { name: message.layer }) : t("reload.files")), h("ul", {}, (message.changed ?? []).map((line) => h("li", {}, h("code", {}, line)))),
    differences.length ? h("table", {}, h("caption", {}, tn("reload.differences", differences.length)), h("tbody", {}, differences.slice(0, 40).map(row))) : h("p", { class: "quiet" }, t("reload.same")));
  if (!differences.length && !message.changed?.length) setTimeout(() => (box.hidden = true), 5000);
}
