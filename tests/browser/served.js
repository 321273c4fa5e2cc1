// A server of the command under test, a browser, and what the tests do with both.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const command = process.env.SANDTABLE ?? join(root, "target/release/sandtable");
/** While the page is worked on, its files may be taken from a folder. */
const files = process.env.PAGE ? ["--page", process.env.PAGE] : [];

/** A port that nobody uses. */
const port = () => new Promise((found) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});

/** A folder that is gone after the test. */
export function folder(test) {
  const path = mkdtempSync(join(tmpdir(), "sandtable-"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts `sandtable play` and waits for its links. */
export async function serve(test, args, options = {}) {
  const store = options.store ?? join(folder(test), "games.sqlite");
  const at = options.port ?? await port();
  const all = ["play", ...args, ...files, "--no-browser", "--addr", `127.0.0.1:${at}`, "--store", store];
  const child = spawn(command, all, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  test.after(() => child.kill("SIGKILL"));
  const links = {};
  const wanted = options.links ?? (args.length ? "spectators" : "all tables");
  await new Promise((ready, fail) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      for (const [, name, link] of text.matchAll(/^(\S.*?)\s+(http\S+)$/gm)) links[name] = link;
      if (links[wanted]) ready();
    });
    child.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${text}`)));
  });
  const api = (link) => link.replace("/t/", "/api/");
  return { links, store, port: at, table: links["one computer"], api: api(links["one computer"] ?? links["all tables"]), seat: (side) => links[`seat ${side}`], apiOf: api, child };
}

/** Asks the server as the page would. */
export async function ask(api, path, body) {
  const answer = await fetch(`${api}/${path}`, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

let shared = null;

/**
 * A page in a real browser that tells of every error of its scripts. Options are those of a context; `shared` if several people sit before
 * it, `new` if whoever sits down has not said that they need no briefing, and wants places listed beside the map.
 */
export async function open(test, link, before = () => {}, { shared: several = false, new: newcomer = false, ...options } = {}) {
  shared ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const context = await shared.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  if (!several) await context.addInitScript(() => localStorage.setItem("alone", "true"));
  if (!newcomer) await context.addInitScript(() => {
    localStorage.setItem("briefing", "off");
    localStorage.getItem("lists") ?? localStorage.setItem("lists", "on");
  });
  test.after(() => context.close());
  // A slow machine takes its time; what never comes fails all the same.
  context.setDefaultTimeout(90000);
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await before(page);
  await page.goto(link);
  await page.waitForSelector("body[data-ready=true]");
  return page;
}

export async function closeBrowser() {
  await shared?.close();
  shared = null;
}

/** The state of the page: what it waits for, and how far it is. */
export const now = (page) => page.evaluate(() => ({ ...document.body.dataset }));

/** What a page shows that does not go on, so that a failure tells why. */
const shows = (page) => page.evaluate(() => {
  const text = (id) => (document.getElementById(id).hidden ? "" : document.getElementById(id).innerText.slice(0, 400));
  return JSON.stringify({ ...document.body.dataset, focus: document.activeElement.outerHTML.slice(0, 200), window: document.getElementById("window").open, messages: text("toasts"), why: text("why"), question: text("decision") });
});

/**
 * Waits until the page shows something newer than a serial, and whoever plays every side there is asked again: in between, keys and
 * clicks mean nothing. Fails at once where the page shows an error instead.
 */
export async function newer(page, serial) {
  const settled = await page.waitForFunction((was) => {
    const { serial, state, role, curtain, edit } = document.body.dataset;
    if (Number(serial) > Number(was) && (role !== "table" || state !== "waiting" || curtain === "true" || edit === "true")) return "newer";
    return document.querySelector("#toasts [data-error]") ? "refused" : null;
  }, serial, { polling: 20 }).then((found) => found.jsonValue(), () => "never");
  if (settled !== "newer") throw new Error(`nothing newer than ${serial} (${settled}): ${await shows(page)}`);
}

/** Waits until something holds that the page does not know of. */
export async function eventually(holds, what) {
  for (const began = Date.now(); !(await holds()); await new Promise((go) => setTimeout(go, 20))) {
    if (Date.now() - began > 90000) throw new Error(`still not: ${what}`);
  }
}

/** Waits until the page has drawn what it was told. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** A small generator, so that a test plays the same game each time. */
export function dice(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A selection that keeps to its bounds: the first things there are, until it is enough. */
export function least(asked) {
  const chosen = {};
  let [count, cost] = [0, 0];
  for (const item of asked.items) {
    while ((chosen[item.name] ?? 0) < item.most && (count < asked.min || cost < asked.at_least)) {
      chosen[item.name] = (chosen[item.name] ?? 0) + 1;
      count += 1;
      cost += item.cost;
    }
  }
  return { decision: asked.id, chosen };
}
