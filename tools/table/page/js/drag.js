// A counter that is dragged to a lit space: the piece is chosen, and then the space, as two clicks would.

import { byId, s } from "./dom.js";
import { choose } from "./answer.js";
import { ofPieces, ofSpace } from "./options.js";
import { decision, listen } from "./store.js";

/** How far a press must move to be a drag. */
const FAR = 8;
/** How long after the drop the question about the space may take to come. */
const PATIENCE = 4000;

let held = null; // { pieces, x, y, ghost, drop, began }

/** Whether a question is about one of these pieces. */
const about = (pieces) => Object.values(decision()?.about ?? {}).some((ref) => ref.piece && pieces.some((piece) => piece.id === ref.piece));

/** Whether something would follow from dragging these pieces. */
const can = (pieces) => decision()?.kind === "list" && (ofPieces(pieces).length === 1 || about(pieces));

/** Answers with the space on which the pieces were dropped, once that is asked. */
function settle(use) {
  if (!held?.drop || !decision()) return;
  if (performance.now() - held.drop.at > PATIENCE) return void (held = null);
  if (!about(held.pieces)) return;
  const options = ofSpace(held.drop.space);
  const { space } = held.drop;
  held = null;
  if (options.length) use(options, space);
}

/** Begins the drag: the counter follows the mouse, and its piece is chosen if that was asked. */
function begin(event, table) {
  held.began = true;
  table.camera.fingers.clear();
  // Neither the map moves with it, nor does a finger that rests on it open anything.
  table.camera.moved = 99;
  held.ghost = s("g", { class: "dragged", "aria-hidden": "true" }, ...[...held.node.childNodes].map((node) => node.cloneNode(true)));
  held.size = Number(/scale\(([\d.]+)\)/.exec(held.node.getAttribute("transform"))?.[1] ?? 1);
  byId("map").append(held.ghost);
  document.body.dataset.drag = "true";
  byId("map").setPointerCapture(event.pointerId);
  if (!about(held.pieces)) {
    const [option] = ofPieces(held.pieces);
    choose(option);
  }
}

function end() {
  held?.ghost?.remove();
  document.body.dataset.drag = "false";
}

/** Lets counters be dragged. `use` answers with options that touch a space. */
export function startDrag(table, use) {
  const map = byId("map");
  map.addEventListener("pointerdown", (event) => {
    const node = event.target.closest?.(".piece");
    end();
    held = node?.pieces && event.button === 0 && can(node.pieces) ? { pieces: node.pieces, node, x: event.clientX, y: event.clientY } : null;
  }, true);
  map.addEventListener("pointermove", (event) => {
    if (!held || held.drop || !event.buttons) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR;
    if (!held.began && !far) return void event.stopImmediatePropagation();
    if (!held.began) begin(event, table);
    event.stopImmediatePropagation();
    const [x, y] = table.camera.toMap(...table.camera.spot(event));
    held.ghost.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${held.size})`);
  }, true);
  const drop = (event) => {
    if (!held?.began || held.drop) return;
    // The click that follows belongs to the drag.
    table.camera.moved = 99;
    const space = event.type === "pointerup" ? table.geometry.at(...table.camera.toMap(...table.camera.spot(event))) ?? areaAt(event) : null;
    end();
    if (!space) return void (held = null);
    held.drop = { space, at: performance.now() };
    settle(use);
  };
  map.addEventListener("pointerup", drop, true);
  map.addEventListener("pointercancel", drop, true);
  listen(["view"], () => settle(use));
}

/** The area under the mouse, below whatever lies on it. */
const areaAt = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((node) => node.dataset?.shape)?.dataset.shape ?? null;
