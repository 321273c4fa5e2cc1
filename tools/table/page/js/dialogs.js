// Windows, messages and boxes that come and go. Windows are <dialog> elements: the browser keeps the focus inside and Escape closes them.

import { byId, h, put } from "./dom.js";
import { t } from "./lang.js";

/** Opens a window with a title; a second one of the same kind takes its place. */
export function dialog(title, content, kind = "window") {
  const node = byId("window");
  node.dataset.kind = kind;
  put(node, h("header", {}, h("h2", {}, title), h("button", { class: "close", "data-action": "close", "aria-label": t("close"), onclick: () => node.close() }, "×")), h("div", { class: "window-body" }, content));
  if (!node.open) node.showModal();
  return node;
}

export const closeDialog = () => byId("window").open && byId("window").close();

/** A message at the lower edge: it goes by itself unless it is an error. */
export function toast(text, kind = "note", extra = null) {
  const node = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status", "data-error": kind === "error" ? "" : null },
    h("span", {}, text), extra, h("button", { class: "close", "aria-label": t("close"), onclick: () => node.remove() }, "×"));
  const box = byId("toasts");
  while (box.children.length > 2) box.firstChild.remove();
  box.append(node);
  setTimeout(() => node.remove(), kind === "error" ? 14000 : 5000);
  return node;
}

/** Shows a refusal of the server, with the places in scripts that it names. */
export function showError(error) {
  const places = (error.places ?? []).map((place) => h("code", {}, `${place.file}:${place.line} ${place.text ?? ""}`));
  const text = error.code === "offline" ? t("error.offline") : error.message;
  const node = toast(text, "error", places.length ? h("div", { class: "places" }, places) : null);
  if (error.code === "offline") node.dataset.offline = "true";
}

/** The server can be reached again: what said otherwise goes. */
export function forgetOffline() {
  for (const node of document.querySelectorAll("#toasts [data-offline]")) node.remove();
}

/** Does something and shows what went wrong. */
export async function attempt(f) {
  try {
    return await f();
  } catch (error) {
    if (error.code === undefined) throw error;
    showError(error);
    return null;
  }
}

/** Links to paragraphs: each opens the rulebook there. */
export function ruleLinks(rules) {
  return [rules ?? []].flat().filter(Boolean).map((rule) => h("button", { class: "rule", "data-rule": rule, title: t("rule.open", { rule }) }, `§ ${rule}`));
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  byId("live").textContent = text;
}
