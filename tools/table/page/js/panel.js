// The question: what is asked, every legal answer as a button, selections and baskets with their totals, and what an answer would bring.

import { byId, h, put } from "./dom.js";
import { get } from "./wire.js";
import { announce, attempt, ruleLinks } from "./dialogs.js";
import { numberLine } from "./numbers.js";
import { cancel, choose, confirm, point, reasonText } from "./answer.js";
import { complete, narrow, take, totals } from "./options.js";
import { arrow } from "./facings.js";
import { spaceTitle } from "./place.js";
import { choices, decision, findPiece, inPlay, listen, sideName, state, tell } from "./store.js";
import { t, titled, tn } from "./lang.js";
import { proposalBox, undoButton, undoNote } from "./undo.js";
import { tokenSvg } from "./trays.js";
import { worth } from "./log.js";
import { sentence } from "./sentences.js";
import { table } from "./table.js";

let filter = "";
let last = null;
/** When the question was first shown. */
let since = 0;

/** Buttons beyond this number would make the page slow; the filter and the map find the others. */
const MOST = 800;

const chip = (side) => h("i", { class: `chip pattern-${state.look.side(side).pattern}`, style: `background:${state.look.side(side).colour}` });

function draw() {
  const panel = byId("decision");
  const view = state.view;
  if (!view) return;
  const asked = decision();
  document.body.dataset.state = view.ended ? "ended" : asked ? "asking" : "waiting";
  document.body.dataset.decision = asked?.id ?? "";
  const fresh = asked?.id !== last;
  if (fresh) {
    last = asked?.id;
    since = performance.now();
    filter = "";
    state.chosen.clear();
    state.narrowed = null;
    state.hover = null;
    state.preview = null;
    byId("why").hidden = true;
    tell("hover");
    if (asked) announce(`${sideName(asked.side)}: ${asked.text}`);
  }
  const parts = [proposalBox()];
  if (state.past) parts.push(h("p", { class: "quiet" }, t("history.looking")));
  else if (view.ended) parts.push(ended(view.ended));
  else if (state.edit) parts.push(h("p", { class: "quiet" }, t("edit.on")));
  else if (!asked) parts.push(waiting(view));
  else parts.push(question(asked), asked.kind === "selection" ? selection(asked) : list(asked));
  const finish = !asked ? [undoButton()] : asked.kind === "selection" ? confirming(asked) : passing(asked);
  const focus = document.activeElement?.dataset?.option ?? document.activeElement?.dataset?.item;
  const typing = document.activeElement?.id === "filter";
  // What confirms stands at the lower edge, whatever else comes and goes.
  put(panel, h("section", { id: "ask", "aria-label": t("question") }, parts), h("div", { id: "finish" }, finish, undoNote()));
  if (typing) byId("filter")?.focus();
  else if (fresh && document.body.dataset.input === "keys") panel.querySelector("[data-option], [data-item], [data-action=done]")?.focus({ preventScroll: true });
  else if (focus) panel.querySelector(`[data-option="${CSS.escape(focus)}"], [data-item="${CSS.escape(focus)}"]`)?.focus();
  drawPreview();
}

/** What the tracks of the game stand at, side by side. */
function score() {
  const rows = state.look.rows("track").filter((row) => row.value.startsWith("side."));
  const sides = state.board.sides.filter((side) => inPlay(state.view, side.id));
  const read = (row, side) => state.view.sides?.[side]?.[row.value.slice(5)] ?? state.look.defaults.side?.[row.value.slice(5)] ?? 0;
  const games = state.look.rows("track").filter((row) => row.value.startsWith("game.")).map((row) => [row.title ?? titled(row.value.slice(5)), state.view.game?.[row.value.slice(5)] ?? state.look.defaults.game?.[row.value.slice(5)] ?? 0]);
  if (!rows.length && !games.length) return null;
  return h("table", { class: "score", "data-score": "true" }, h("caption", {}, t("ended.score")),
    rows.length > 0 && h("thead", {}, h("tr", {}, h("td", {}), sides.map((side) => h("th", { scope: "col" }, chip(side.id), " ", side.name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.title ?? titled(row.value.slice(5))), sides.map((side) => h("td", {}, String(read(row, side.id)))))),
      games.map(([title, value]) => h("tr", {}, h("th", { scope: "row" }, title), h("td", { colspan: Math.max(1, rows.length ? sides.length : 1) }, String(value))))));
}

function ended({ winner, reason, rule }) {
  return h("div", { class: "ended", "data-ended": winner ?? "none" }, h("h2", {}, winner ? t("ended.won", { side: sideName(winner) }) : t("ended.draw")), h("p", {}, reason, " ", ruleLinks(rule)), score(), h("a", { class: "option", href: byId("home").href, "data-action": "home" }, t("home")));
}

function waiting(view) {
  const names = view.owing.map(sideName).join(", ");
  return h("div", { class: "waiting", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), names ? t("waiting.for", { names }) : t("waiting"));
}

function question(asked) {
  const many = state.view.owing.length;
  return h(
    "div",
    { class: "question", "data-decision": asked.id },
    h("div", { class: "asked" }, chip(asked.side), h("span", {}, sideName(asked.side)), ruleLinks(asked.rule), many > 1 && h("small", {}, tn("decisions.more", many - 1))),
    h("h2", { "data-prompt": asked.prompt }, asked.text || titled(asked.prompt)),
    subjects(asked),
  );
}

/** The piece that a question or option names; a type stands for a new piece of the side that is asked. */
function pieceOf(ref, side) {
  if (ref.piece) return findPiece(ref.piece)?.piece ?? null;
  const proto = state.protos[ref.proto];
  return proto ? { proto: ref.proto, kind: proto.kind, side: proto.side ?? side, id: ref.proto } : null;
}

/** Counters beside options are small; beyond this number of options they would make the page slow. */
const PICTURED = 60;

/** The counter of the piece that an option is about. */
function picture(option, asked) {
  const piece = choices(asked).length <= PICTURED && pieceOf(option, asked.side);
  if (!piece || piece.kind === "card") return null;
  const drawn = tokenSvg([[piece]], "", 26);
  // It belongs to its button and is nothing to be clicked by itself.
  for (const node of drawn.querySelectorAll(".piece")) {
    delete node.dataset.piece;
    node.pieces = null;
  }
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

/** The pieces that a question is about, to be seen beside it. */
function subjects(asked) {
  const pieces = Object.values(asked.about ?? {}).map((ref) => pieceOf(ref, asked.side));
  const units = pieces.filter((piece) => piece && piece.kind !== "card").slice(0, 4);
  return units.length > 0 && h("div", { class: "subjects" }, tokenSvg(units.map((piece) => [piece]), "", 58));
}

/** The options that the filter and a click on the map leave. */
function visible(options) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    if (state.narrowed && !state.narrowed.names.has(option.name)) return false;
    const text = `${option.label} ${option.name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function filterBox(count) {
  if (count <= 12) return null;
  return h("input", { id: "filter", type: "search", class: "filter", placeholder: t("filter", { n: count }), value: filter, "aria-label": t("filter", { n: count }), oninput: (event) => { filter = event.target.value; draw(); } });
}

function narrowedNote() {
  return state.narrowed && h("button", { class: "narrowed", "data-action": "cancel", onclick: () => narrow(null) }, t("narrowed"), " ×");
}

function list(asked) {
  const plain = asked.options.filter((option) => !option.none);
  const groups = new Map();
  const fitting = visible(plain);
  for (const option of fitting.slice(0, MOST)) {
    const group = option.offer ? titled(option.offer_label ?? option.offer) : "";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(option);
  }
  let number = 0;
  // Headings help only where something stands below them that they do not say themselves.
  const bare = [...groups].every(([name, [option, ...more]]) => !more.length && titled(option.label) === name);
  const few = !bare && (groups.size > 1 || [...groups.values()].some((options) => options.length > 1));
  const twins = twinsOf(plain);
  const button = (option) => {
    number += 1;
    return optionButton(option, number <= 9 ? number : null, null, few, twins);
  };
  const together = few || !groups.size ? [...groups] : [["", [...groups.values()].flat()]];
  const group = (options) => h("div", { class: options.every(isShort) ? "options grid" : "options" }, options.map(button));
  const body = together.map(([name, options]) => [name && few && h("h3", {}, name), onMap(options) && !listed() ? summed(options) : group(options)]);
  return [
    narrowedNote(),
    filterBox(plain.length),
    localStorage.getItem("lists") === "on" && onMap(plain) && h("button", { class: "plain small", "data-action": "no-list", onclick: () => { localStorage.setItem("lists", "off"); draw(); } }, t("options.no-list")),
    h("div", { class: "option-list", role: "group", "aria-label": t("options"), style: `--n:${fitting.length}` }, body, fitting.length > MOST && h("p", { class: "quiet" }, t("options.more", { n: fitting.length - MOST }))),
    h("div", { id: "refused" }),
  ];
}

/** What passes, takes back, and tells what is not allowed. */
const passing = (asked) => [asked.options.filter((option) => option.none).map((option) => optionButton(option, null, "done")), undoButton(), refusedButton(asked)];

/** The second click of a double click, which already meets the next question, means nothing. */
const once = (run) => (event) => event.detail > 1 && performance.now() - since < 600 ? null : run(event);

/** Beyond this number of places the map is the list. */
const FEW = 12;

/** Whether all of these are places that are lit on the map. */
const onMap = (options) => options.length > FEW && options.every((option) => option.space && table.geometry?.places.has(option.space));

/** Whether places are listed all the same: somebody plays with the keyboard, looks for a word, or wants it so. */
const listed = () => filter !== "" || document.body.dataset.input === "keys" || localStorage.getItem("lists") === "on";

/** A summary in place of a long list of places. */
function summed(options) {
  const open = () => {
    localStorage.setItem("lists", "on");
    draw();
  };
  return h("p", { class: "summed", "data-summed": options.length }, h("span", {}, tn("options.places", options.length)), " ", h("button", { class: "plain small", "data-action": "list", onclick: open }, t("options.list")));
}

const isShort = (option) => (option.label ?? option.name).length < 9;

/** What a button says; under a heading that names the offer it need not be named again. */
function labelOf(option, headed) {
  const label = option.truth !== undefined && !option.offer ? t(option.truth ? "yes" : "no") : option.label || titled(option.name);
  const offer = `${option.offer_label ?? option.offer ?? ""}: `;
  return headed && option.offer && label.startsWith(offer) ? label.slice(offer.length) : label.charAt(0).toUpperCase() + label.slice(1);
}

/** The options that read like another one: they are told apart by where their pieces lie. */
function twinsOf(options) {
  const found = new Map();
  for (const option of options) {
    const key = `${option.offer ?? ""} ${option.label}`;
    found.set(key, [...(found.get(key) ?? []), option]);
  }
  const apart = (same) => new Set(same.map((option) => option.at)).size > 1;
  return new Set([...found.values()].filter(apart).flat().filter((option) => option.at).map((option) => option.name));
}

const whereOf = (option, twins) => twins?.has(option.name) && h("small", { class: "where" }, spaceTitle(option.at));

function optionButton(option, number, action = null, headed = false, twins = null) {
  return h(
    "button",
    {
      class: `option${action ? " primary" : ""}`, "data-option": option.name, "data-action": action,
      onclick: once(() => choose(option)), onpointerenter: () => point(option), onpointerleave: () => point(null), onfocus: () => point(option), onblur: () => point(null),
    },
    number && h("kbd", {}, `${number}`),
    option.angle !== undefined ? arrow(option.angle) : picture(option, decision()),
    h("span", {}, labelOf(option, headed)),
    whereOf(option, twins),
    option.cost !== undefined && h("small", {}, `${option.cost}`),
  );
}

/** What rules refuse, each with its reason. */
function refusedButton(asked) {
  return h("button", { class: "plain small", "data-action": "refused", onclick: async () => {
    const answer = await attempt(() => get(`refused?decision=${encodeURIComponent(asked.id)}`));
    const box = byId("refused");
    if (!answer || !box) return;
    const row = (one) => h("li", {}, h("b", {}, one.label ?? one.name), " ", one.reasons.map((reason) => [h("span", {}, reasonText(reason)), " ", ruleLinks(reason.rule), " "]));
    put(box, h("h3", {}, t("refused.title")), answer.refused.length ? h("ul", { class: "refused" }, answer.refused.map(row)) : h("p", { class: "quiet" }, t("refused.none")));
  } }, t("refused"));
}

function selection(asked) {
  const basket = asked.items.some((item) => (item.most ?? 1) > 1);
  const twins = twinsOf(asked.items);
  return [
    narrowedNote(),
    filterBox(asked.items.length),
    h("div", { class: "option-list", role: "group", "aria-label": t("options") }, h("div", { class: "options" }, visible(asked.items).map((item, at) => itemRow(item, basket, at, twins)))),
    summary(asked),
  ];
}

/** What confirms a selection. */
const confirming = (asked) => [
  h("button", { class: "option primary", "data-action": "done", disabled: !complete(asked), onclick: once(confirm) }, confirmText(asked)),
  h("button", { class: "plain small", "data-action": "all", onclick: () => takeAll(asked) }, t("selection.all")),
  h("button", { class: "plain small", "data-action": "cancel", disabled: !state.chosen.size, onclick: cancel }, t("selection.none")),
  undoButton(),
];

function confirmText(asked) {
  const { count } = totals(asked);
  return count ? tn("selection.confirm", count) : t("selection.confirm-none");
}

function takeAll(asked) {
  for (const item of visible(asked.items)) {
    while (totals(asked).count < (asked.max ?? Infinity) && totals(asked).cost + (item.cost ?? 0) <= (asked.at_most ?? Infinity) && take(item, 1));
  }
}

function itemRow(item, basket, at, twins) {
  const count = state.chosen.get(item.name) ?? 0;
  const point_ = { onpointerenter: () => point(item), onpointerleave: () => point(null) };
  const label = [picture(item, decision()), h("span", {}, item.label || titled(item.name)), whereOf(item, twins), item.cost !== undefined && item.cost !== 0 && h("small", {}, t("selection.cost", { n: item.cost }))];
  if (!basket) {
    return h("button", { class: "option item", role: "checkbox", "aria-checked": String(count > 0), "data-item": item.name, "data-count": count, onclick: () => take(item, count ? -1 : 1), ...point_ }, h("i", { class: "tick", "aria-hidden": "true" }), at < 9 && h("kbd", {}, `${at + 1}`), label);
  }
  return h("div", { class: "option item basket", "data-item": item.name, "data-count": count, tabindex: 0, role: "spinbutton", "aria-valuenow": count, "aria-valuemin": 0, "aria-valuemax": item.most, "aria-label": item.label, ...point_,
    onkeydown: (event) => {
      const by = { ArrowUp: 1, ArrowRight: 1, "+": 1, ArrowDown: -1, ArrowLeft: -1, "-": -1 }[event.key];
      if (by && take(item, by)) event.preventDefault();
    } },
    h("button", { "data-action": "less", tabindex: -1, "aria-label": t("less"), disabled: count === 0, onclick: () => take(item, -1) }, "−"),
    h("output", {}, `${count}`),
    h("button", { "data-action": "more", tabindex: -1, "aria-label": t("more"), disabled: count >= item.most, onclick: () => take(item, 1) }, "+"),
    label);
}

/** How much is chosen, and how much must be. */
function summary(asked) {
  const { count, cost } = totals(asked);
  const bounds = (least, most) => (most === null || most === undefined || most > 9999 ? (least ? t("bounds.from", { least }) : "") : least === most ? t("bounds.exactly", { most }) : t("bounds.between", { least: least ?? 0, most }));
  const priced = asked.items.some((item) => item.cost) && (asked.at_least > 0 || (asked.at_most ?? null) !== null);
  const part = (id, value, range, fine) => h("span", { class: fine ? "fine" : "short" }, t(id, { value }), " ", h("small", {}, range));
  return h("div", { class: "totals", role: "status" },
    part("selection.count", count, bounds(asked.min, asked.max), count >= (asked.min ?? 0) && count <= (asked.max ?? Infinity)),
    priced && part("selection.total", cost, bounds(asked.at_least, asked.at_most), cost >= (asked.at_least ?? 0) && cost <= (asked.at_most ?? Infinity)));
}

/** Lines of what would follow that are worth reading. */
const told = (preview) => worth(preview?.lines ?? []).filter((line) => !["step", "number"].includes(line.kind)).slice(0, 8);

/** Numbers and changes of what would follow, and where its telling ends. */
const follows = (preview) => [(preview.numbers ?? []).map(numberLine), h("ul", {}, told(preview).map((line) => h("li", {}, sentence(line)))), preview.cut && h("p", { class: "quiet" }, t(`preview.${preview.cut}`))];

/** What would follow from the option that is pointed at; where the same side is asked again at once, the next question, and what all of it would bring. */
function drawPreview() {
  const box = byId("preview");
  const preview = state.preview;
  const then = preview?.then;
  if (!preview || (!told(preview).length && !preview.numbers?.length && !preview.path && !then)) {
    box.hidden = true;
    return;
  }
  box.hidden = false;
  const way = preview.path && h("p", { class: "way-cost", "data-way": preview.path.join(" "), "data-cost": preview.cost }, t("preview.cost"), " ", h("b", {}, `${preview.cost}`), h("small", {}, preview.path.join(" → ")));
  const all = then && (then.numbers?.length || told(then).length) ? h("div", { class: "all", "data-all": "true" }, h("h3", {}, t("preview.all")), follows(then)) : null;
  put(box, h("h3", {}, t("preview")), way, follows(preview), then && h("p", { class: "then", "data-then": "true" }, t("preview.then", { text: then.text })), all);
}

listen(["view", "past", "narrowed", "chosen", "edit"], draw);
listen(["hover"], drawPreview);
listen(["board"], () => tell("view"));
