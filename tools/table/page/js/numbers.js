// Dice faces, and how a number came about.

import { h, s } from "./dom.js";
import { ruleLinks } from "./dialogs.js";
import { capital, plain, t } from "./lang.js";

const PIPS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], 5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]] };

/** The face of a die. */
export function die(value, sides = 6) {
  const svg = s("svg", { viewBox: "-12 -12 24 24", class: "die", role: "img", "aria-label": t("die", { value, sides }) });
  if (sides === 6 && PIPS[value]) {
    svg.append(s("rect", { x: -11, y: -11, width: 22, height: 22, rx: 4, class: "die-body" }), ...PIPS[value].map(([x, y]) => s("circle", { cx: x * 6, cy: y * 6, r: 2.2, class: "pip" })));
  } else {
    svg.append(s("path", { d: "M0-11.5L10-5.8V5.8L0 11.5L-10 5.8V-5.8z", class: "die-body" }), s("text", { y: 4.6, "font-size": 12, "text-anchor": "middle", "font-weight": 700, text: value }));
  }
  return svg;
}

/** One operation of a number, as people write it. */
function operation(part) {
  switch (part.op) {
    case "add": return part.n < 0 ? `−${-part.n}` : `+${part.n}`;
    case "times": return part.over && part.over !== 1 ? `× ${part.n}/${part.over}` : `× ${part.n}`;
    case "set": return `= ${part.n}`;
    case "at-least": return t("number.at-least", { n: part.n });
    case "at-most": return t("number.at-most", { n: part.n });
    case "round-up": return t("number.up");
    case "round-down": return t("number.down");
    default: return `${part.op} ${part.n ?? ""}`;
  }
}

/** The table of a number's parts. */
export function explanation(number) {
  const row = (part) => h("tr", {}, h("td", { class: "op" }, operation(part)), h("td", {}, part.title || plain(part.handler)), h("td", { class: "after" }, part.after ?? ""), h("td", {}, ruleLinks(part.rule)));
  return h("div", { class: "explain", "data-explain": number.name },
    h("table", {}, h("caption", {}, capital(number.title || plain(number.name))), h("tbody", {}, (number.parts ?? []).map(row)), h("tfoot", {}, h("tr", {}, h("td", { class: "op" }, `= ${number.value}`), h("td", { colspan: 3 }, t("number.total"))))));
}

/** A number with what it is made of in one line, for what would follow. */
export function numberLine(number) {
  const parts = (number.parts ?? []).map((part) => h("span", { class: "part" }, h("b", {}, operation(part)), ` ${part.title || plain(part.handler)} `, ruleLinks(part.rule)));
  return h("div", { class: "number-line", "data-number": number.name }, h("span", { class: "number-head" }, capital(number.title || plain(number.name)), " ", h("b", {}, String(number.value))), h("span", { class: "parts", "data-explain": number.name }, parts));
}

/** A number that explains itself when it is clicked. */
export function numberButton(number) {
  const node = h("span", { class: "number" });
  const button = h("button", { class: "number-value", "data-number": number.name, "aria-expanded": "false", title: t("number.explain") }, h("span", {}, capital(number.title || plain(number.name))), h("b", {}, String(number.value)));
  button.addEventListener("click", () => {
    const open = node.querySelector(".explain");
    if (open) open.remove();
    else node.append(explanation(number));
    button.setAttribute("aria-expanded", String(!open));
  });
  node.append(button);
  return node;
}

/** A value of a preview or log in words. */
export const valueText = (value) => (value === true ? t("yes") : value === false ? t("no") : plain(value));
