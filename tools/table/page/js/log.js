// The log in sentences: steps of play as headings, dice as faces, numbers that explain themselves.

import { byId, h, put } from "./dom.js";
import { die, numberButton } from "./numbers.js";
import { ruleLinks } from "./dialogs.js";
import { listen, shown, state } from "./store.js";
import { capital, t, titled } from "./lang.js";
import { sentence, trackOf } from "./sentences.js";
import { look } from "./history.js";

let drawn = []; // [line, element, how many times]
const MOST = 600;

/** Which lines are worth reading; the others are one click away. */
const QUIET = new Set(["set", "shuffle", "conceal", "create"]);

function lineNode(line) {
  const data = { "data-log-n": line.n, "data-kind": line.kind };
  const mark = line.side ?? null;
  const colour = mark && state.look ? state.look.side(mark).colour : null;
  const style = colour ? `--side:${colour}` : null;
  switch (line.kind) {
    case "step": return h("h4", { ...data, onclick: () => look(line.choice), title: t("log.look") }, titled(line.title));
    case "roll": return h("p", { ...data, class: "roll" }, die(line.value, line.sides), h("span", {}, capital(line.title)));
    case "number": return h("div", { ...data, class: "log-number" }, numberButton(line));
    case "end": return h("p", { ...data, class: "end" }, h("b", {}, sentence(line)), " ", ruleLinks(line.rule));
    default: return h("p", { ...data, class: `line ${QUIET.has(line.kind) ? "quiet-line" : line.kind}`, style }, sentence(line));
  }
}

/** Lines that say something: no step in which nothing happened, no value that the rules keep for themselves. */
export function worth(lines) {
  const told = lines.filter((line) => (!QUIET.has(line.kind) || (line.kind === "set" && tracked(line))) && !laidOut(line));
  return told.filter((line, at) => line.kind !== "step" || told[at + 1]?.kind !== "step");
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
  const lines = together(worth(state.past ? state.log.filter((line) => line.choice < at || (at === 0 && line.choice === 0)) : state.log)).slice(-MOST);
  let same = 0;
  // Lines fall off the top once there are too many: what stays keeps its element.
  while (drawn.length && lines.length && drawn[0][0].n < lines[0][0].n) drawn.shift()[1].remove();
  while (same < drawn.length && same < lines.length && drawn[same][0] === lines[same][0] && drawn[same][2] === lines[same][1]) same += 1;
  drawn.splice(same).forEach(([, node]) => node.remove());
  const bottom = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  for (const [line, times] of lines.slice(same)) {
    const node = lineNode(line);
    if (times > 1) node.append(h("small", {}, ` × ${times}`));
    box.append(node);
    drawn.push([line, node, times]);
  }
  if (bottom || same === 0) box.scrollTop = box.scrollHeight;
}

/** Takes lines from the server: everything from a number on is new. */
export function takeLines(from, lines) {
  state.log = [...state.log.filter((line) => line.n < from), ...lines];
}

/** Starts again, under another board. */
export function clearLog() {
  drawn = [];
  put(byId("log"));
}

listen(["log", "past"], draw);
