// Where things lie: hexes from their centres, areas from their outlines, and a plain layout for areas that have none.

/** Corner radius of a hex whose width from side to side is 100, the unit of all lengths on hex maps. */
export const RADIUS = 100 / Math.sqrt(3);

/** A number from a text, the same every time: small irregularities of a drawing come from it. */
export function noise(text) {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  return () => {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
    hash = Math.imul(hash ^ (hash >>> 13), 3266489917);
    hash ^= hash >>> 16;
    return (hash >>> 0) / 4294967296;
  };
}

export class Geometry {
  constructor(board, look) {
    this.flat = board.grid?.shape !== "pointy";
    this.unit = board.grid ? 100 / (Math.sqrt(3) * board.grid.radius) : 1;
    this.places = new Map(); // id -> { x, y, size, area? }
    this.corners = Array.from({ length: 6 }, (_, i) => {
      const angle = ((this.flat ? 0 : -90) + 60 * i) * (Math.PI / 180);
      return [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)];
    });
    for (const space of board.spaces) {
      // Some maps count their rows from below.
      const up = look.map.flip ? -1 : 1;
      if (space.kind === "hex") this.places.set(space.id, { x: space.x * this.unit, y: up * space.y * this.unit, hex: true });
    }
    this.areas(board, look);
    for (const row of look.rows("place")) this.box(row);
    this.bounds = this.measure();
  }

  areas(board, look) {
    const loose = [];
    for (const space of board.spaces) {
      if (space.kind !== "area") continue;
      const row = look.row("area", space.id);
      if (row?.outline) {
        const [x, y] = row.label ?? firstPoint(row.outline);
        this.places.set(space.id, { x, y, area: row });
      } else if (space.x !== undefined) this.places.set(space.id, { x: space.x, y: space.y, round: 60 });
      else loose.push(space.id);
    }
    if (loose.length) spread(loose, board.borders ?? [], this.places);
  }

  /** A box that lies on the map, beside a space. */
  box(row) {
    if (!row.near && !row.offset) return;
    const base = this.places.get(row.near) ?? { x: 0, y: 0 };
    const [dx, dy] = row.offset ?? [0, 0];
    const [width, height] = row.size ?? [150, 110];
    this.places.set(row.id, { x: base.x + dx, y: base.y + dy, box: [width, height], title: row.title });
  }

  measure() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const grow = (x, y, w, h) => {
      left = Math.min(left, x - w);
      right = Math.max(right, x + w);
      top = Math.min(top, y - h);
      bottom = Math.max(bottom, y + h);
    };
    for (const place of this.places.values()) {
      if (place.area) for (const [x, y] of points(place.area.outline)) grow(x, y, 0, 0);
      else if (place.box) grow(place.x, place.y, place.box[0] / 2, place.box[1] / 2);
      else grow(place.x, place.y, place.round ?? RADIUS, place.round ?? RADIUS);
    }
    if (left > right) return { x: 0, y: 0, width: 100, height: 100, empty: true };
    const edge = 34;
    return { x: left - edge, y: top - edge, width: right - left + 2 * edge, height: bottom - top + 2 * edge };
  }

  /** The path of a space's outline, a little smaller if told so. */
  outline(id, scale = 1) {
    const place = this.places.get(id);
    if (!place) return "";
    if (place.area) return place.area.outline;
    if (place.box) {
      const [w, h] = place.box;
      return `M${place.x - w / 2} ${place.y - h / 2}h${w}v${h}h${-w}z`;
    }
    if (place.round) {
      const r = place.round * scale;
      return `M${place.x - r} ${place.y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }
    const at = ([x, y]) => `${(place.x + x * scale).toFixed(1)} ${(place.y + y * scale).toFixed(1)}`;
    return `M${this.corners.map(at).join("L")}z`;
  }

  /** The two ends of the side that two hexes share. */
  side(a, b) {
    const [one, two] = [this.places.get(a), this.places.get(b)];
    if (!one?.hex || !two?.hex) return null;
    const [dx, dy] = [two.x - one.x, two.y - one.y];
    if (Math.hypot(dx, dy) > 110) return null;
    const by = this.corners.map(([x, y]) => [x * dx + y * dy, x, y]).sort((p, q) => q[0] - p[0]);
    return by.slice(0, 2).map(([, x, y]) => [one.x + x, one.y + y]);
  }

  /** The angle of a facing: 0 is up on flat hexes, up and right on pointy ones, then clockwise. */
  facing(direction) {
    return direction * 60 + (this.flat ? 0 : 30);
  }

  /** The hex next to another in a direction; none at the edge. */
  ahead(id, angle) {
    const from = this.places.get(id);
    if (!from?.hex) return null;
    const turn = (angle * Math.PI) / 180;
    const next = this.at(from.x + 100 * Math.sin(turn), from.y - 100 * Math.cos(turn));
    return this.places.get(next)?.hex ? next : null;
  }

  /** The hex or box whose outline holds a point; areas are found by the browser. */
  at(x, y) {
    let best = null;
    let near = 50 * 50;
    for (const [id, place] of this.places) {
      if (place.box) {
        if (Math.abs(x - place.x) <= place.box[0] / 2 && Math.abs(y - place.y) <= place.box[1] / 2) return id;
        continue;
      }
      if (place.area) continue;
      const far = (x - place.x) ** 2 + (y - place.y) ** 2;
      const reach = place.round ? place.round ** 2 : RADIUS ** 2;
      if (far < reach && (best === null || far < near)) {
        near = far;
        best = id;
      }
    }
    return best;
  }
}

function firstPoint(outline) {
  return points(outline)[0] ?? [0, 0];
}

/** The corner points of a path made of absolute or relative moves and lines. */
export function points(outline) {
  const found = [];
  let [x, y] = [0, 0];
  for (const [, command, rest] of outline.matchAll(/([MmLlZz])([^MmLlZz]*)/g)) {
    const numbers = (rest.match(/-?\d+/g) ?? []).map(Number);
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const relative = command === "m" || command === "l";
      x = numbers[at] + (relative ? x : 0);
      y = numbers[at + 1] + (relative ? y : 0);
      found.push([x, y]);
    }
  }
  return found;
}

/** Lays out areas without outlines: joined ones draw near, all keep apart. */
function spread(ids, borders, places) {
  const side = Math.ceil(Math.sqrt(ids.length));
  const spots = new Map(ids.map((id, at) => [id, { x: (at % side) * 190, y: Math.floor(at / side) * 190 }]));
  for (let round = 0; round < 150; round++) {
    for (const a of ids) {
      for (const b of ids) {
        if (a >= b) continue;
        const [p, q] = [spots.get(a), spots.get(b)];
        const [dx, dy] = [q.x - p.x || 1, q.y - p.y || 1];
        const far = Math.hypot(dx, dy);
        const joined = borders.some(([one, two]) => (one === a && two === b) || (one === b && two === a));
        const push = far < 150 ? (far - 150) / 2 : joined && far > 170 ? (far - 170) / 8 : 0;
        p.x += (dx / far) * push;
        p.y += (dy / far) * push;
        q.x -= (dx / far) * push;
        q.y -= (dy / far) * push;
      }
    }
  }
  for (const [id, { x, y }] of spots) places.set(id, { x, y, round: 60 });
}
