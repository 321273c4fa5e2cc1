// Small drawings that fill terrain: trees, hills, fields. Each is a path for one space, a little different every time.

const circle = (x, y, r) => `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const at = (x, y) => `M${x.toFixed(1)} ${y.toFixed(1)}`;
const block = (x, y, w, h) => `${at(x, y)}h${w.toFixed(1)}v${h.toFixed(1)}h${(-w).toFixed(1)}z`;

/** Points spread over a hex, none too near to another. */
function scatter(random, count, reach, apart) {
  const found = [];
  for (let tries = 0; found.length < count && tries < 60; tries++) {
    const angle = random() * 2 * Math.PI;
    const far = Math.sqrt(random()) * reach;
    const [x, y] = [far * Math.cos(angle), far * Math.sin(angle)];
    if (found.every(([p, q]) => Math.hypot(p - x, q - y) > apart)) found.push([x, y]);
  }
  return found.sort((a, b) => a[1] - b[1]);
}

const many = (random, count, reach, apart, draw) => scatter(random, count, reach, apart).map(([x, y]) => draw(x, y)).join("");

/** Each gives a path around the origin; `line` drawings are stroked, the others filled. */
const DRAWINGS = {
  woods: (random) => many(random, 11, 42, 11, (x, y) => circle(x, y, 5 + random() * 2.5)),
  thicket: (random) => many(random, 14, 42, 8, (x, y) => circle(x, y, 2 + random() * 1.5)),
  hills: (random) => many(random, 4, 34, 22, (x, y) => `${at(x - 10, y + 4)}q10 -14 20 0m-15 1q5 -7 10 0`),
  rough: (random) => many(random, 6, 38, 16, (x, y) => `${at(x - 5, y + 3)}l4 -7l3 4l3 -3l2 6`),
  mountains: (random) => many(random, 4, 32, 21, (x, y) => `${at(x - 13, y + 9)}l12 -20l13 20m-13 -20l-1 9l4 4l-2 8`),
  marsh: (random) => many(random, 7, 40, 15, (x, y) => `${at(x - 7, y)}h14m-10 -1l-2 -5m5 5v-6m3 6l2 -5`),
  crops: () => [-30, -18, -6, 6, 18, 30].map((y) => `${at(-24, y)}h12m6 0h12m6 0h12`).join(""),
  rows: () => [-28, -14, 0, 14, 28].map((x) => [-24, -8, 8, 24].map((y) => `${at(x, y)}l-3 -7m3 7l3 -7m-3 7v-9`).join("")).join(""),
  sand: (random) => many(random, 22, 44, 7, (x, y) => circle(x, y, 0.9)),
  water: (random) => many(random, 5, 36, 18, (x, y) => `${at(x - 9, y)}q4 -5 9 0q4 5 9 0`),
  village: (random) => many(random, 5, 22, 11, (x, y) => block(x - 4, y - 3, 7 + random() * 3, 6)),
  town: (random) => many(random, 11, 30, 10, (x, y) => block(x - 4, y - 4, 6 + random() * 4, 6 + random() * 3)),
  city: () => [-24, -8, 8, 24].map((y) => [-30, -15, 0, 15, 30].map((x) => block(x - 6, y - 6, 12, 11)).join("")).join(""),
};

const STROKED = new Set(["hills", "rough", "mountains", "marsh", "crops", "rows", "water"]);

/** Whether a drawing is made of lines. */
export const stroked = (pattern) => STROKED.has(pattern);

/** The drawing of a pattern around a point; nothing for plain ground and unknown words. */
export function groundPath(pattern, x, y, random) {
  const draw = DRAWINGS[pattern];
  if (!draw) return "";
  // Only the absolute moves have to be shifted: every drawing starts its strokes with one.
  return draw(random).replace(/M(-?[\d.]+) (-?[\d.]+)/g, (_, a, b) => `M${(Number(a) + x).toFixed(1)} ${(Number(b) + y).toFixed(1)}`);
}
