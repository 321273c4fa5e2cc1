// The browser's "back": closes what lies over the table before it leaves the table.

import { byId } from "./dom.js";
import { closeDialog } from "./dialogs.js";
import { closeRules } from "./rulebook.js";

/** What can lie over the table, and how it is closed; the last one opened goes first. */
const LAYERS = [
  { open: () => byId("window").open, close: closeDialog },
  { open: () => !byId("rulebook").hidden, close: closeRules },
];

let entered = false;

/** Follows what is open: one entry of the browser's history stands for all of it. */
function follow() {
  const open = LAYERS.some((layer) => layer.open());
  if (open && !entered) {
    entered = true;
    history.pushState({ over: true }, "");
  } else if (!open && entered) {
    entered = false;
    if (history.state?.over) history.back();
  }
}

export function startBack() {
  const watch = new MutationObserver(follow);
  watch.observe(byId("window"), { attributes: true, attributeFilter: ["open"] });
  watch.observe(byId("rulebook"), { attributes: true, attributeFilter: ["hidden"] });
  addEventListener("popstate", () => {
    if (!entered) return;
    entered = false;
    LAYERS.find((layer) => layer.open())?.close();
    // Something else may still be open below.
    follow();
  });
  // A page that was loaded again with its entry has nothing open.
  if (history.state?.over) history.replaceState(null, "");
}
