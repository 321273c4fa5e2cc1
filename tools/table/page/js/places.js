// Where on the map something is that a line of the log tells of.

import { findPiece, state } from "./store.js";

/** The spaces that a line is about, in the order in which they matter. */
export function placesOf(line) {
  const { thing } = line;
  const piece = line.piece ?? thing?.piece ?? null;
  const all = [line.from, line.to, line.space, thing?.space, piece && line.to === undefined ? findPiece(piece)?.space : null];
  return [...new Set(all.filter((id) => id && state.look?.spaces.has(id)))];
}
