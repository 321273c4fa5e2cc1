// Where the page begins: finds out who looks, loads the board, listens to the table.

import { byId, h, put } from "./dom.js";
import { loadLanguage, t } from "./lang.js";
import { get, getBoard, key, post, Socket } from "./wire.js";
import { Look } from "./look.js";
import { listen, state, tell } from "./store.js";
import { buildTable, repaint, startTable, table } from "./table.js";
import { tellTitle } from "./title.js";
import { startBack } from "./back.js";
import { clearLog, followLog, takeLines } from "./log.js";
import { attempt, forgetOffline, showError, toast } from "./dialogs.js";
import { startKeys, openHelp } from "./keys.js";
import { openLobby } from "./lobby.js";
import { openFiles, startDrop } from "./files.js";
import { forgetRules, openRule } from "./rulebook.js";
import { taken } from "./undo.js";
import { openLayers, showReload } from "./layers.js";
import { greet, openBriefing } from "./briefing.js";
import { startSheets } from "./sheets.js";
import { keepTable, pastTables } from "./home.js";
import { toggleEdit } from "./edit.js";
import { direct } from "./facings.js";
import { handOver, lift, shared } from "./handover.js";
import "./panel.js";
import "./bar.js";
import "./history.js";

let hash = null;

/** Loads the board and draws the map. */
async function loadBoard() {
  [state.board, hash] = await getBoard();
  state.look = new Look(state.board);
  clearLog();
  buildTable();
  forgetRules();
}

/** One person for all sides looks with the eyes of whoever is asked; several people hand the computer over first. */
function turn(view, fresh) {
  if (state.me.role !== "table" || !view.owing?.length) return;
  if (view.owing.includes(view.as)) {
    if (fresh && view.choices > 0 && shared(view)) handOver(view.as, () => {});
    else if (byId("curtain").dataset.side !== view.as) lift();
    return;
  }
  const human = view.owing.find((side) => view.players?.[side] === "human");
  if (!human) return;
  if (shared(view)) handOver(human, () => socket.turnTo(human));
  else socket.turnTo(human);
}

/** Takes definitions of pieces. One that has changed is drawn anew wherever it lies. */
function learn(protos) {
  const other = ([id, proto]) => state.protos[id] && JSON.stringify(state.protos[id]) !== JSON.stringify(proto);
  const changed = Object.entries(protos ?? {}).some(other);
  Object.assign(state.protos, protos);
  if (changed) repaint();
}

/** Messages are worked through one after another: a board must be there before its view. */
let queue = Promise.resolve();

async function hear(message) {
  switch (message.type) {
    case "socket":
      state.online = message.online;
      document.body.dataset.online = String(message.online);
      byId("offline").hidden = message.online;
      if (message.online) forgetOffline();
      break;
    case "hello":
      if (message.board !== hash) await loadBoard();
      break;
    case "view": {
      const fresh = state.view === null;
      learn(message.view.protos);
      for (const asked of message.view.decisions) learn(asked.protos);
      const before = state.view;
      // Who is there is told by itself.
      state.view = { ...message.view, online: before ? before.online : message.view.online };
      direct(state.view, table.geometry);
      if (fresh) state.since = Math.max(0, message.view.choices - 1);
      if (state.past && state.past.at >= message.view.choices) state.past = null;
      document.body.dataset.ready = "true";
      tell("view");
      taken(before, state.view);
      turn(message.view, fresh);
      if (fresh) greet();
      break;
    }
    case "log":
      takeLines(message.from, message.lines);
      tell("log");
      break;
    case "online":
      if (state.view) state.view.online = message.online;
      tell("online");
      break;
    case "reload":
      showReload(message);
      if (message.ok) {
        await loadBoard();
        tell("board", "view", "log");
      }
      break;
    case "closed":
      // What is to be said of it is said where there is no table.
      location.reload();
      break;
    case "gone":
      toast(t("gone"), "error");
      break;
  }
}

let socket = null;

function listenTo(as) {
  socket = new Socket((message) => {
    queue = queue.then(() => hear(message)).catch((error) => (error.code ? showError(error) : console.error(error)));
  }, as);
}

// Something was missed: everything is asked for anew.
listen(["lost"], () => socket?.again());

/** Says why there is no table to be seen. */
function nowhere(text) {
  document.body.dataset.page = "nowhere";
  if (text) put(byId("nowhere"), h("h1", {}, "Sandtable"), h("p", { "data-problem": "" }, text));
  pastTables();
}

/** What can be done with a table that was closed: by whoever has all of it. Others look again now and then. */
function closed(error) {
  if (state.me.role !== "table") return void setTimeout(() => location.reload(), 15000);
  const reopen = async (anyway) => {
    if (await attempt(() => post("reopen", { anyway }))) location.reload();
  };
  const button = (action, run) => h("button", { class: "option", "data-action": action, onclick: run }, t(`closed.${action}`));
  byId("nowhere").append(h("p", { class: "row" },
    error.code === "differs" ? button("anyway", () => reopen(true)) : button("reopen", () => reopen(false)),
    h("a", { class: "option", "data-action": "record", href: `/api/${key}/export?as=record`, download: "" }, t("closed.record"))));
}

const ACTIONS = {
  "zoom-in": () => table.camera.zoom(1.3), "zoom-out": () => table.camera.zoom(0.77), fit: () => table.camera.fit(),
  briefing: openBriefing, rulebook: () => openRule(), layers: openLayers, files: openFiles, edit: toggleEdit, help: openHelp,
  log: () => byId("log").focus(),
  dock: () => (document.body.dataset.dock = document.body.dataset.dock === "closed" ? "open" : "closed"),
};

function startButtons() {
  document.addEventListener("click", (event) => {
    const rule = event.target.closest?.("[data-rule]");
    if (rule) {
      event.stopPropagation();
      return openRule(rule.dataset.rule);
    }
    const action = event.target.closest?.("[data-do]");
    ACTIONS[action?.dataset.do]?.();
  }, true);
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
  for (const node of document.querySelectorAll("[data-title]")) {
    node.title = t(node.dataset.title);
    node.setAttribute("aria-label", t(node.dataset.title));
  }
}

async function start() {
  await loadLanguage();
  startButtons();
  startKeys();
  startDrop();
  if (!key) return nowhere();
  state.me = await attempt(() => get());
  if (!state.me) return nowhere();
  document.body.dataset.role = state.me.role;
  tellTitle();
  if (state.me.role === "host") return openLobby();
  document.body.dataset.page = "table";
  startTable();
  followLog();
  startSheets();
  keepTable();
  startBack();
  try {
    await loadBoard();
    // A page for all sides keeps to the one it shows until the next person is there.
    listenTo(state.me.role === "table" ? (await get("view")).as : null);
  } catch (error) {
    if (error.code === undefined) throw error;
    if (error.code === "offline" || error.code === "busy") return void setTimeout(() => location.reload(), 3000);
    nowhere(error.message);
    if (error.code === "closed" || error.code === "differs") closed(error);
  }
}

start();
