// Small makers of HTML and SVG elements, so that no module writes markup as text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "text") node.textContent = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** An HTML element: `h("button", { class: "x", onclick: f }, "text")`. */
export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Puts children in place of whatever a node held. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** The element with an id of the page itself. */
export const byId = (id) => document.getElementById(id);

/** Calls a function once things have been quiet for a while. */
export function later(wait, f) {
  let timer = 0;
  const call = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), wait);
  };
  call.stop = () => clearTimeout(timer);
  return call;
}

/** Whether the person asked for less motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
