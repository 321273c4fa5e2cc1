// On a phone: which of question, log and hand lies below the map, and how much of the screen it takes.

import { byId } from "./dom.js";
import { decision, listen } from "./store.js";

function show(sheet) {
  document.body.dataset.sheet = sheet;
  for (const button of byId("sheets").querySelectorAll("[data-sheet]")) {
    if (button.dataset.sheet !== "size") button.setAttribute("aria-pressed", String(button.dataset.sheet === sheet));
  }
  // What has been out of sight has been laid out nowhere.
  if (sheet === "log") byId("log").scrollTop = byId("log").scrollHeight;
}

function resize() {
  const large = document.body.dataset.sheetSize !== "large";
  document.body.dataset.sheetSize = large ? "large" : "small";
  byId("sheets").querySelector("[data-sheet=size]").setAttribute("aria-pressed", String(large));
}

export function startSheets() {
  show("ask");
  byId("sheets").addEventListener("click", (event) => {
    const sheet = event.target.closest("[data-sheet]")?.dataset.sheet;
    if (sheet === "size") resize();
    else if (sheet) show(sheet);
  });
}

/** A new question is to be seen, whatever was looked at before. */
let last = null;
listen(["view"], () => {
  const asked = decision()?.id ?? null;
  if (asked && asked !== last && document.body.dataset.sheet !== "ask") show("ask");
  last = asked;
});
