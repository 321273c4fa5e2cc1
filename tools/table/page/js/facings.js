// Facings as directions: where a game says that the numbers of a question are facings, each option gets its arrow and the hex it looks at.

import { s } from "./dom.js";
import { findPiece, state } from "./store.js";
import { spaceTitle } from "./place.js";
import { t } from "./lang.js";

/** Gives the options of such a question their direction; a click on the hex in front of the piece then answers. */
export function direct(view, geometry) {
  for (const asked of view.decisions) {
    const row = state.look.row("prompt", asked.prompt);
    const piece = asked.about?.[row?.facing]?.piece;
    if (!piece || asked.kind !== "list") continue;
    const from = findPiece(piece, view)?.space;
    for (const option of asked.options) {
      if (option.number === undefined) continue;
      option.angle = geometry.facing(option.number);
      const ahead = geometry.ahead(from, option.angle);
      if (ahead) Object.assign(option, { space: ahead, from });
      option.label = ahead ? t("facing.to", { place: spaceTitle(ahead) }) : t("facing.off");
    }
  }
}

/** A small arrow in a direction. */
export const arrow = (angle) => s("svg", { viewBox: "-10 -10 20 20", class: "direction", "aria-hidden": "true" }, s("path", { d: "M0-8L6 1H2V8H-2V1H-6z", transform: `rotate(${angle})` }));

/** The same as a letter, for sentences. */
export function arrowText(facing) {
  const angle = facing * 60 + (state.board?.grid?.shape === "pointy" ? 30 : 0);
  return ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][Math.round(angle / 45) % 8];
}
