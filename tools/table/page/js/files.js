// Exports and imports: records, cases, scenarios and the map as files; a record or a layer dropped on the page.

import { byId, h } from "./dom.js";
import { get, post } from "./wire.js";
import { attempt, dialog, toast } from "./dialogs.js";
import { state } from "./store.js";
import { t } from "./lang.js";

/** Hands a text to the person as a file. */
function save(name, text, type = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const at = () => (state.past ? `&at=${state.past.at}` : "");

/** Saves a record, case or scenario. */
export async function exportAs(kind) {
  const text = await attempt(() => get(`export?as=${kind}${at()}`));
  if (text !== null) save(`${state.board.game}-${state.view.choices}.${kind === "record" ? "record" : kind === "case" ? "md" : "toml"}`, text);
}

/** Copies the position as a case or scenario. */
export async function copyAs(kind) {
  const text = await attempt(() => get(`export?as=${kind}${at()}`));
  if (text === null) return;
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    dialog(t("copy.by-hand"), h("textarea", { class: "copy", readonly: true, rows: 18 }, text), "copy");
  }
}

/** The map with everything on it as an SVG file that needs no style sheet. */
export function exportMap() {
  const map = byId("map").cloneNode(true);
  for (const name of [".fan", ".lit-spaces", ".ghost", ".area-shapes"]) map.querySelector(name)?.remove();
  const { x, y, width, height } = byId("map").querySelector(".sheet").getBBox();
  map.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  map.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  map.setAttribute("width", Math.round(width));
  map.setAttribute("height", Math.round(height));
  const rules = [...document.styleSheets].filter((sheet) => sheet.href?.includes("map.css")).flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText));
  map.prepend(h("style", {}, rules.join("\n")));
  save(`${state.board.game}.svg`, new XMLSerializer().serializeToString(map), "image/svg+xml");
}

/** Takes a file: a record opens a new table, a layer changes this one. */
export async function importFile(file, anyway = false) {
  const text = await file.text();
  const answer = await attempt(() => post("import", { name: file.name, text, anyway }).catch((error) => {
    if (error.code !== "differs") throw error;
    const again = h("button", { class: "option", "data-action": "anyway", onclick: () => importFile(file, true) }, t("closed.anyway"));
    dialog(t("import.differs"), h("div", {}, h("p", {}, error.message), h("p", {}, again)));
    return null;
  }));
  if (!answer) return;
  const link = answer.links?.table ?? Object.values(answer.links?.seats ?? {})[0];
  if (link) dialog(t("import.table"), h("p", {}, h("a", { href: link, class: "option primary" }, t("import.open"))));
  else toast(t("import.layer", { name: file.name }));
}

/** The window with everything that can be saved. */
export function openFiles() {
  const button = (action, text, f) => h("button", { class: "option", "data-action": action, onclick: f }, text);
  const pick = h("input", { type: "file", "data-action": "import", "aria-label": t("files.import"), accept: ".record,.toml,.lua,.txt", onchange: (event) => event.target.files[0] && importFile(event.target.files[0]) });
  dialog(t("files"), h("div", { class: "files" },
    h("h3", {}, t("files.save")), h("div", { class: "row" }, button("export-record", t("export.record"), () => exportAs("record")), button("export-case", t("export.case"), () => exportAs("case")), button("export-scenario", t("export.scenario"), () => exportAs("scenario")), button("export-svg", t("export.svg"), exportMap)),
    h("h3", {}, t("files.copy")), h("div", { class: "row" }, button("copy-case", t("copy.case"), () => copyAs("case")), button("copy-scenario", t("copy.scenario"), () => copyAs("scenario"))),
    h("h3", {}, t("files.import")), h("p", {}, t("files.drop")), pick), "files");
}

/** Files can be dropped anywhere on the page. */
export function startDrop() {
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.dataset.drop = "true";
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && (document.body.dataset.drop = "false"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.dataset.drop = "false";
    for (const file of event.dataTransfer?.files ?? []) importFile(file);
  });
}
