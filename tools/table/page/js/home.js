// The way back: to the lobby if this browser knows it, else to the tables at which one has sat here.

import { byId, h } from "./dom.js";
import { state } from "./store.js";
import { t } from "./lang.js";

const MOST = 20;

const read = () => {
  try {
    return JSON.parse(localStorage.getItem("tables")) ?? [];
  } catch {
    return [];
  }
};

/** The lobby of whoever runs the server, if it was opened in this browser. */
const lobby = () => localStorage.getItem("lobby");

export function keepLobby() {
  localStorage.setItem("lobby", location.pathname);
}

/** Keeps a table among those that can be gone back to. */
export function keepTable() {
  const { title, scenario, side, role } = state.me;
  const others = read().filter((one) => one.path !== location.pathname);
  localStorage.setItem("tables", JSON.stringify([{ path: location.pathname, title, scenario, side, role }, ...others].slice(0, MOST)));
  byId("home").href = lobby() ?? "/";
}

/** The tables at which one has sat in this browser. */
export function pastTables() {
  const tables = read();
  const way = (one) => h("li", {}, h("a", { class: "link", href: one.path }, [one.title, one.scenario].filter(Boolean).join(", ")), one.side && h("small", {}, ` ${one.side}`));
  byId("nowhere").append(...[
    lobby() && h("p", {}, h("a", { class: "option primary", href: lobby(), "data-link": "lobby" }, t("home.lobby"))),
    tables.length > 0 && h("h2", {}, t("home.tables")),
    tables.length > 0 && h("ul", { class: "past-tables" }, tables.map(way)),
  ].filter(Boolean));
}
