// The rulebook beside the map: opens at the paragraph that a refusal, a question or a card names.

import { byId, h, put } from "./dom.js";
import { get } from "./wire.js";
import { attempt } from "./dialogs.js";
import { t } from "./lang.js";

let books = null;

/** Opens the rulebook, at a paragraph if one is named. */
export async function openRule(rule = null) {
  const drawer = byId("rulebook");
  books ??= (await attempt(() => get("rulebook")))?.books ?? null;
  if (!books) return;
  const chapter = rule ? `rulebook?paragraph=${encodeURIComponent(rule)}` : `rulebook?book=${encodeURIComponent(books[0]?.path ?? "")}`;
  // It must be laid out before it can be scrolled to the paragraph.
  drawer.hidden = false;
  await show(chapter);
  document.body.dataset.rulebook = "open";
  drawer.querySelector(".book-body")?.focus({ preventScroll: true });
}

async function show(path) {
  const page = await attempt(() => get(path));
  if (!page) return;
  const drawer = byId("rulebook");
  const pick = h("select", { "aria-label": t("rulebook.chapter"), onchange: (event) => show(`rulebook?book=${encodeURIComponent(event.target.value)}`) }, books.map((book) => h("option", { value: book.path, selected: book.path === page.path }, book.title)));
  const find = h("input", { type: "search", placeholder: t("rulebook.find"), "aria-label": t("rulebook.find"), onkeydown: (event) => event.key === "Enter" && search(event.target.value) });
  const body = h("div", { class: "book-body", tabindex: -1 });
  // The server renders the book from the game's own files and leaves no markup of theirs in it.
  body.innerHTML = page.html;
  inOrder(body);
  for (const summary of body.querySelectorAll("summary:empty")) summary.textContent = t("rulebook.case");
  put(drawer, h("header", {}, h("h2", {}, t("rulebook")), h("button", { class: "close", "data-action": "rulebook-close", "aria-label": t("close"), onclick: closeRules }, "×")), h("div", { class: "row" }, pick, find), body);
  const goal = page.anchor && document.getElementById(page.anchor);
  if (goal) {
    goal.classList.add("goal");
    goal.scrollIntoView({ block: "start" });
  } else body.scrollTop = 0;
}

/** Headings of a book stand below that of the drawer, and none leaves out a level. */
function inOrder(body) {
  let above = 2;
  for (const node of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const printed = Number(node.tagName[1]);
    above = Math.min(printed + 2, above + 1, 6);
    const heading = h(`h${above}`, { "data-level": Math.min(printed, 4) });
    for (const { name, value } of node.attributes) heading.setAttribute(name, value);
    heading.append(...node.childNodes);
    node.replaceWith(heading);
  }
}

/** Finds a paragraph by its number or a word of its title. */
function search(text) {
  const wanted = text.trim().toLowerCase();
  const all = books.flatMap((book) => book.paragraphs);
  const found = all.find((one) => one.id.toLowerCase() === wanted) ?? all.find((one) => one.title.toLowerCase().includes(wanted));
  if (found) show(`rulebook?paragraph=${encodeURIComponent(found.id)}`);
}

export function closeRules() {
  byId("rulebook").hidden = true;
  document.body.dataset.rulebook = "closed";
}

/** Other rules have other books. */
export function forgetRules() {
  books = null;
}
