// What happened, in sentences of the page's language: one for each line of the log.

import { sideName, state } from "./store.js";
import { arrowText } from "./facings.js";
import { capital, plain, t, titled } from "./lang.js";

/** A line of the log in words. */
export function sentence(line) {
  switch (line.kind) {
    case "log": return line.text;
    case "answer": return t("log.answer", { side: sideName(line.side), text: answered(line) });
    case "move": return moved(line);
    case "set": return t(line.title ? "log.set" : "log.set-game", { title: line.title, name: valueName(line), value: valueOf(line) });
    case "end": return t(line.winner ? "log.won" : "log.draw", { side: line.winner && sideName(line.winner), reason: line.reason });
    default: return capital(t(`log.${line.kind}`, { ...line, title: line.title ?? "" }));
  }
}

/** What was answered; a facing as an arrow, since its number says nothing. */
function answered(line) {
  if (line.truth !== undefined) return t(line.truth ? "yes" : "no");
  const facing = state.look?.row("prompt", line.prompt)?.facing && /^\d$/.test(line.text);
  return facing ? arrowText(Number(line.text)) : line.text;
}

function moved(line) {
  const title = line.title ?? t("log.unseen", { kind: plain(line.of) });
  const place = (name) => (name === "" ? t("log.carrier") : name);
  const [from, to] = [place(line.from_title), place(line.to_title)];
  return t(from && to ? "log.move" : to ? "log.comes" : "log.leaves", { title, from, to });
}

/** The row of the track that shows what a line sets. */
export const trackOf = (line) => {
  const table = line.thing === "game" ? "game" : line.thing?.side ? "side" : null;
  return state.look?.rows("track").find((row) => row.value === `${table}.${line.attribute}`) ?? null;
};

const valueName = (line) => trackOf(line)?.title ?? titled(line.attribute);

/** A value as its track writes it. */
function valueOf(line) {
  const row = trackOf(line);
  const value = line.new;
  if (value === null || value === undefined) return "–";
  if (value === true || value === false) return t(value ? "yes" : "no");
  if (Array.isArray(value)) return value.map((one) => (typeof one === "string" ? one : "?")).join(", ");
  if (typeof value === "number") return String(row?.labels?.[value - (row.from ?? 0)] ?? value);
  return state.look?.sides.has(value) ? sideName(value) : String(value);
}

