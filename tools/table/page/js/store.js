// What the page knows: who looks, the board, the view, the log, and what is being done with the mouse. One object, one list of listeners.

export const state = {
  me: null, // GET /api/KEY
  board: null, // static
  look: null, // display, read
  view: null, // now
  past: null, // an earlier position that is being looked at
  log: [],
  online: false,
  protos: {}, // definitions of pieces seen on this connection
  narrowed: null, // { names, at }: the options that a click on the map left
  chosen: new Map(), // of a selection: name -> how many
  hover: null, // name of the option under the mouse or focus
  preview: null, // what the server said about it
  edit: null, // edit mode: { piece } or null
  arrows: true,
  shownLine: null, // a line of the log that is shown on the map
  since: 0, // choices made when this page last answered: later moves are shown
};

const listeners = new Map();

/** Calls a function whenever one of these topics changes. */
export function listen(topics, f) {
  for (const topic of topics) {
    if (!listeners.has(topic)) listeners.set(topic, []);
    listeners.get(topic).push(f);
  }
}

/** Says that a topic has changed; those who listen to several are called once. */
export function tell(...topics) {
  const called = new Set();
  for (const topic of topics) {
    for (const f of listeners.get(topic) ?? []) {
      if (!called.has(f)) {
        called.add(f);
        f();
      }
    }
  }
}

/** The position that is shown: an earlier one, or the present. */
export const shown = () => state.past ?? state.view;

/** The decision of the side with whose eyes this page looks; none while an earlier position is shown. */
export const decision = () => (state.past || state.edit ? null : (state.view?.decisions.find((asked) => asked.side === state.view.as) ?? null));

/** Everything of a decision that can be chosen: options of a list, items of a selection. */
export const choices = (asked) => (asked ? (asked.kind === "selection" ? asked.items : asked.options) : []);

/** The name of a side. */
export const sideName = (id) => state.board?.sides.find((side) => side.id === id)?.name ?? id;

/** The definition of a piece. */
export const protoOf = (piece) => state.protos[piece.proto] ?? null;

/** Every piece of the shown position with the space it lies in, cargo included. */
export function* allPieces(view = shown()) {
  for (const [space, held] of Object.entries(view?.spaces ?? {})) {
    yield* walk(held.pieces ?? [], space);
  }
}

function* walk(pieces, space) {
  for (const piece of pieces) {
    yield [piece, space];
    if (piece.cargo) yield* walk(piece.cargo, space);
  }
}

/** Finds a piece by id: the piece and its space. */
export function findPiece(id, view = shown()) {
  for (const [piece, space] of allPieces(view)) if (piece.id === id) return { piece, space };
  return null;
}

/** Whether a side has a part in this game: a piece, a value or a question. Some scenarios leave sides out. */
export function inPlay(view, id) {
  if (view.owing?.includes(id) || Object.values(view.sides?.[id] ?? {}).some((value) => value)) return true;
  for (const [piece] of allPieces(view)) if (piece.side === id) return true;
  return false;
}
