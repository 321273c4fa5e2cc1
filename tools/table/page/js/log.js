// The log in sentences: steps of play as headings, dice as faces, numbers that explain themselves.

import { byId, h, put } from "./dom.js";
import { die, numberButton } from "./numbers.js";
import { ruleLinks } from "./dialogs.js";
import { listen, shown, sideName, state, tell } from "./store.js";
import { key } from "./wire.js";
import { placesOf } from "./places.js";
import { capital, t, titled } from "./lang.js";
import { sentence, trackOf } from "./sentences.js";
import { look } from "./history.js";

let drawn = []; // [line, element, how many times]
const MOST = 600;

/** Whether the newest line is to be seen; whoever scrolls up reads in peace. */
let following = true;
/** The number of the last line that was seen before this page was opened or hidden; null if there is nothing new since. */
let seen = null;

/** Which lines are worth reading; the others are one click away. */
const QUIET = new Set(["set", "shuffle", "conceal", "create"]);

/** A line that names something on the map shows it there when it is clicked. */
function told(line, data, style) {
  const kind = QUIET.has(line.kind) ? "quiet-line" : line.kind;
  if (!placesOf(line).length) return h("p", { ...data, class: `line ${kind}`, style }, sentence(line));
  return h("p", { ...data, class: `line ${kind}`, style }, h("button", { class: "on-map", "data-action": "show-line", title: t("log.show"), onclick: () => { state.shownLine = line; tell("line"); } }, sentence(line)));
}

function lineNode(line) {
  const data = { "data-log-n": line.n, "data-kind": line.kind };
  const mark = line.side ?? null;
  const colour = mark && state.look ? state.look.side(mark).colour : null;
  const style = colour ? `--side:${colour}` : null;
  const back = (text) => h("button", { class: "on-map", onclick: () => look(line.choice), title: t("log.look") }, text);
  switch (line.kind) {
    case "turn": return h("h3", data, back(line.turn ? t("log.turn", { n: line.turn }) : t("log.begin")));
    case "step": return h("h4", { ...data, style: line.by ? `--side:${state.look.side(line.by).colour}` : null }, back(line.by ? t("log.step", { side: capital(sideName(line.by)), step: titled(line.title) }) : titled(line.title)));
    case "seen": return h("p", { class: "seen-mark", "data-seen": "true", role: "separator" }, h("span", {}, t("log.seen")));
    case "roll": return h("p", { ...data, class: "roll" }, die(line.value, line.sides), h("span", {}, capital(line.title)));
    case "number": return h("div", { ...data, class: "log-number" }, numberButton(line));
    case "end": return h("p", { ...data, class: "end" }, h("b", {}, sentence(line)), " ", ruleLinks(line.rule));
    default: return told(line, data, style);
  }
}

/** Lines that say something: no step in which nothing happened, no value that the rules keep for themselves. */
export function worth(lines) {
  const said = lines.filter((line) => (!QUIET.has(line.kind) || (line.kind === "set" && tracked(line))) && !laidOut(line));
  return said.filter((line, at) => line.kind !== "step" || said[at + 1]?.kind !== "step");
}

/** The lines as a story: a heading for each turn, one for each step in which something happened, and no answer that the next line tells better. */
function story(lines) {
  const [found, moved] = [[], new Set(lines.filter((line) => line.kind === "move" || line.kind === "log").map((line) => line.choice))];
  let [by, heading, last] = [null, null, null];
  const head = (line) => {
    if (!found.length && line.kind !== "turn") found.push({ kind: "turn", turn: 0, n: line.n, choice: 0 });
    if (heading && `${heading.node} ${heading.by}` !== last) found.push(heading);
    if (heading) last = `${heading.node} ${heading.by}`;
    heading = null;
    if (seen !== null && line.n > seen && !found.some((one) => one.kind === "seen") && found.length) found.push({ kind: "seen", n: line.n });
  };
  for (const line of lines) {
    if (line.kind === "set" && line.thing === "game" && line.attribute === "active") by = line.new;
    else if (line.kind === "set" && line.thing === "game" && line.attribute === "turn" && line.new > 0) {
      [heading, last] = [null, null];
      found.push({ kind: "turn", turn: line.new, n: line.n, choice: line.choice });
    } else if (line.kind === "step") heading = line.title ? { ...line, by } : heading;
    else if (line.kind === "answer" && moved.has(line.choice)) continue;
    // A number that is what is printed tells nothing; one that was reckoned does.
    else if (line.kind === "number" && (line.parts?.length ?? 0) < 2) continue;
    else if (worth([line]).length) {
      head(line);
      found.push(line);
    }
  }
  return found;
}

/** A piece that the scenario lays out: the map shows them all. */
const laidOut = (line) => line.kind === "move" && line.choice === 0 && line.from_title === null;

const tracked = (line) => !state.look?.rows("track").length || trackOf(line) !== null;

/** The same line several times over is written once, with its number. */
function together(lines) {
  const found = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last[0].kind === line.kind && sentence(last[0]) === sentence(line) && line.kind !== "roll" && line.kind !== "number") last[1] += 1;
    else found.push([line, 1]);
  }
  return found;
}

/** Draws lines that are new; throws away those that were taken back. */
function draw() {
  const box = byId("log");
  const at = shown()?.at ?? Infinity;
  const lines = together(story(state.past ? state.log.filter((line) => line.choice < at || (at === 0 && line.choice === 0)) : state.log)).slice(-MOST);
  let same = 0;
  // Lines fall off the top once there are too many: what stays keeps its element.
  while (drawn.length && lines.length && drawn[0][0].n < lines[0][0].n) drawn.shift()[1].remove();
  while (same < drawn.length && same < lines.length && alike(drawn[same][0], lines[same][0]) && drawn[same][2] === lines[same][1]) same += 1;
  drawn.splice(same).forEach(([, node]) => node.remove());
  for (const [line, times] of lines.slice(same)) {
    const node = lineNode(line);
    if (times > 1) node.append(h("small", {}, ` × ${times}`));
    box.append(node);
    drawn.push([line, node, times]);
  }
  if (following) toEnd();
}

/** Headings are made anew each time; a line of the server stays the same object. */
const alike = (one, other) => one === other || (["turn", "step", "seen"].includes(one.kind) && one.kind === other.kind && one.n === other.n && one.by === other.by);

const toEnd = () => (byId("log").scrollTop = byId("log").scrollHeight);

/** The newest line stays in sight, also when the question above takes some of the room. */
export function followLog() {
  const box = byId("log");
  box.addEventListener("scroll", () => {
    // The browser scrolls by itself when the box gets smaller or larger: only what a person does counts.
    if (box.clientHeight === height) following = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  });
  let height = box.clientHeight;
  new ResizeObserver(() => {
    height = box.clientHeight;
    if (following) toEnd();
  }).observe(box);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") remember();
  });
  addEventListener("pagehide", remember);
}

const place = () => `seen ${key}`;

/** Keeps how far the log was read. */
function remember() {
  const last = state.log.at(-1)?.n;
  if (last !== undefined) localStorage.setItem(place(), String(last));
  seen = last ?? null;
}

/** After an answer of one's own the newest line is looked for, and everything before it has been read. */
export function caughtUp() {
  following = true;
  seen = null;
}

/** Takes lines from the server: everything from a number on is new. */
export function takeLines(from, lines) {
  if (!state.log.length) {
    const kept = Number(localStorage.getItem(place()) ?? NaN);
    seen = Number.isFinite(kept) && kept < (lines.at(-1)?.n ?? -1) ? kept : null;
  }
  state.log = [...state.log.filter((line) => line.n < from), ...lines];
}

/** Starts again, under another board. */
export function clearLog() {
  drawn = [];
  put(byId("log"), h("h2", { class: "unseen" }, t("log")));
}

listen(["log", "past"], draw);
