// Reads the display tables: which rows are about a piece or space, what a choice gives, and what stands in where a game says nothing.

import { titled } from "./lang.js";

/** Sides of games that name no colours: Okabe and Ito's set, which the colour-blind can tell apart. */
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442"];
const PATTERNS = ["plain", "stripe", "dots", "cross", "bars"];
const GROUND = ["#f1ead0", "#b9d19c", "#dcc79d", "#a9cabf", "#c2a285", "#ead98e", "#cfd3d6", "#e3b48c"];

export class Look {
  constructor(board) {
    this.display = Object.fromEntries(Object.entries(board.display ?? {}).map(([table, rows]) => [table, table === "map" ? rows : listed(rows)]));
    this.board = board;
    this.map = { terrain: null, label: "name", numbers: true, tint: [], ...this.display.map };
    if (!this.map.terrain) this.map.terrain = guessTerrain(board);
    this.spaces = new Map(board.spaces.map((space) => [space.id, space]));
    this.defaults = {};
    for (const [table, columns] of Object.entries(board.columns ?? {})) {
      this.defaults[table] = Object.fromEntries(columns.map((column) => [column.id, column.default]));
    }
    this.sides = new Map(board.sides.map((side, at) => [side.id, this.readSide(side, at)]));
    this.words = new Map();
  }

  rows(table) {
    return this.display[table] ?? [];
  }

  row(table, id) {
    return this.rows(table).find((row) => row.id === id) ?? null;
  }

  readSide(side, at) {
    const row = this.row("side", side.id) ?? {};
    const colour = row.colour ?? side.colour ?? PALETTE[at % PALETTE.length];
    return {
      colour,
      ink: row.ink ?? "#ffffff",
      tint: row.tint ?? colour,
      pattern: row.pattern ?? PATTERNS[at % PATTERNS.length],
    };
  }

  side(id) {
    return this.sides.get(id) ?? { colour: "#8a8577", ink: "#ffffff", tint: "#c9c2b0", pattern: "plain" };
  }

  /** What a choice or text gives for something whose fields `get` reads. */
  pick(value, get) {
    if (value === null || value === undefined) return "";
    if (Array.isArray(value)) return value;
    if (typeof value === "object") {
      const found = get(value.by);
      const words = Array.isArray(found) ? found : [found];
      const word = words.find((word) => word !== null && word !== undefined && String(word) in value && word !== "by");
      return this.pick(word === undefined ? value.otherwise : value[String(word)], get);
    }
    return typeof value === "string" ? this.insert(value, get) : value;
  }

  /** Inserts fields into a text: `{attack}`. */
  insert(text, get) {
    return text.includes("{") ? text.replace(/\{([\w-]+)\}/g, (_, name) => get(name) ?? "") : text;
  }

  /** All rows of a table that are about something, laid over each other; nothing if there are none. */
  over(table, get) {
    const rows = this.rows(table).filter((row) => fits(row.when, get));
    return rows.length ? Object.assign({}, ...rows) : null;
  }

  terrain(word) {
    const row = this.row("terrain", word);
    if (row) return { fill: "#efe8cf", ink: "#8d8566", pattern: "plain", name: titled(word), ...row };
    if (!this.words.has(word)) this.words.set(word, this.words.size);
    return { fill: GROUND[this.words.get(word) % GROUND.length], ink: "#8d8566", pattern: word, name: titled(word) };
  }

  line(table, word) {
    const row = this.row(table, word);
    const guess = ["road", "rail", "wall", "bridge", "water"].find((style) => word.includes(style));
    const style = guess ?? (table === "border" ? "water" : "line");
    return { style, colour: null, width: null, name: titled(word), ...row };
  }

  /** Reads fields of a space. */
  ofSpace(space, held) {
    return (name) => {
      if (name === "id" || name === "kind" || name === "side") return space[name];
      if (name === "name") return space.name ?? space.id;
      return held?.values?.[name] ?? space.fields?.[name] ?? this.defaults.space?.[name];
    };
  }

  /** Reads fields of a piece. */
  ofPiece(piece, proto) {
    const rung = proto?.levels[Math.min(piece.level ?? 1, proto.levels.length) - 1];
    return (name) => {
      switch (name) {
        case "id": case "kind": case "side": case "facing": return piece[name];
        case "type": return piece.proto;
        case "name": return rung?.name ?? proto?.name ?? piece.id ?? "";
        case "level": return piece.level ?? 1;
        case "levels": return proto?.levels.length ?? 1;
        default: return piece.values?.[name] ?? rung?.fields?.[name] ?? this.defaults.piece?.[name];
      }
    };
  }
}

/** Rows as a list, each with its id. */
const listed = (rows) => (Array.isArray(rows) ? rows : Object.entries(rows).map(([id, row]) => ({ ...row, id })));

/** Whether the conditions of a row hold: equal values, one of several, a word of a list, or `*` for any but nothing, zero and false. */
export function fits(when, get) {
  for (const [name, wanted] of Object.entries(when ?? {})) {
    const found = get(name);
    const has = Array.isArray(found) ? found.map(String) : [String(found)];
    if (wanted === "*") {
      if (!found || found.length === 0) return false;
      continue;
    }
    const list = (Array.isArray(wanted) ? wanted : [wanted]).map(String);
    const none = wanted === false && (found === null || found === undefined);
    if (!none && !list.some((word) => has.includes(word))) return false;
  }
  return true;
}

/** The field `terrain`, as profiles of movement go by it too; else the one with a word in most spaces. */
function guessTerrain(board) {
  if (board.fields?.space?.includes("terrain")) return "terrain";
  const words = new Map();
  for (const space of board.spaces) {
    if (space.kind !== "hex" && space.kind !== "area") continue;
    for (const [name, value] of Object.entries(space.fields ?? {})) {
      if (typeof value !== "string") continue;
      if (!words.has(name)) words.set(name, { count: 0, set: new Set() });
      words.get(name).count += 1;
      words.get(name).set.add(value);
    }
  }
  const fair = [...words].filter(([, seen]) => seen.set.size > 1 && seen.set.size < 16);
  fair.sort((a, b) => b[1].count - a[1].count);
  return fair[0]?.[0] ?? null;
}
