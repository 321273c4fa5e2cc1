// What makes the table a good place to sit at: nothing lost on the way, nothing in the way, nothing that only some people can use.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test, { after } from "node:test";
import { ask, closeBrowser, dice, drawn, eventually, folder, least, newer, now, open, root, serve } from "./served.js";

after(closeBrowser);

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What an automatic reader finds that keeps somebody from using the page. */
async function barriers(page) {
  // The page allows no scripts but its own; what the test brings along is run by the browser itself.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")}: ${node.any[0]?.message ?? node.failureSummary}`));
}

/** Answers by chance over the wire. */
async function play(api, count, seed = 5) {
  const roll = dice(seed);
  for (let n = 0; n < count; n += 1) {
    const [asked] = (await ask(api, "view")).decisions;
    if (!asked) return;
    await ask(api, "answer", asked.kind === "list" ? { decision: asked.id, choice: asked.options[roll(asked.options.length)].name } : least(asked));
  }
}

const atEnd = (page) => page.locator("#log").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 3);

test("the newest line of the log is in sight, also when the question grows", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  await play(server.api, 30);
  const page = await open(t, server.table, () => {}, { viewport: { width: 1024, height: 768 } });
  await eventually(() => atEnd(page), "the log begins at its end");
  const heights = new Set();
  const roll = dice(8);
  for (let n = 0; n < 25; n += 1) {
    const { serial, state } = await now(page);
    if (state === "ended") break;
    await play(server.api, 1, roll(1000));
    await newer(page, serial);
    await drawn(page);
    heights.add(await page.locator("#log").evaluate((box) => box.clientHeight));
    await eventually(() => atEnd(page), `the newest line after answer ${n}`);
  }
  assert.ok(heights.size > 2, `the question took more and less room: ${[...heights]}`);
  // Whoever scrolls up is left in peace, until they answer themselves.
  const box = page.locator("#log");
  await box.evaluate((node) => (node.scrollTop = 0));
  await drawn(page);
  const { serial } = await now(page);
  await play(server.api, 1, 7);
  await newer(page, serial);
  assert.equal(await box.evaluate((node) => node.scrollTop < 30), true, "an answer from elsewhere does not pull the reader down");
  assert.deepEqual(page.errors, []);
});

test("the log is headed by turns and steps, marks what is new, and a line shows itself on the map", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  await play(server.api, 40);
  const page = await open(t, server.table);
  const turns = await page.locator("#log h3").allInnerTexts();
  assert.deepEqual(turns.slice(0, 3), ["The beginning", "Turn 1", "Turn 2"]);
  const steps = await page.locator("#log h4").allInnerTexts();
  assert.ok(steps.some((text) => /harrow: movement/i.test(text)), steps.join("; "));
  assert.ok(steps.every((text, at) => at === 0 || text !== steps[at - 1] || turns.length > 1), "no heading twice in a row");
  assert.equal(await page.locator("#log [data-seen]").count(), 0, "nothing is new to whoever was here");
  const line = page.locator("#log [data-kind=move] [data-action=show-line]").last();
  await line.click();
  assert.ok(await page.locator("#map .ghost .aim").count() > 0, "its place is marked");
  // Somebody else plays on while this page is closed.
  const { context } = { context: page.context() };
  const last = Number(await page.locator("#log [data-log-n]").last().getAttribute("data-log-n"));
  await page.close();
  await play(server.api, 6, 9);
  const again = await context.newPage();
  await again.goto(server.table);
  await again.waitForSelector("#log [data-seen]");
  const after = await again.locator("#log [data-seen] ~ [data-log-n]").evaluateAll((nodes) => nodes.map((node) => Number(node.dataset.logN)));
  assert.ok(after.length > 0 && after.every((n) => n > last), `${after} come after ${last}`);
});

test("whoever is at the table is told rightly, after an answer too", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const one = await open(t, server.seat("harrow"));
  const two = await open(t, server.seat("vale"));
  const here = (page) => page.locator("[data-seat]").evaluateAll((nodes) => nodes.map((node) => node.innerText.includes("●")));
  await eventually(async () => (await here(one)).every(Boolean) && (await here(two)).every(Boolean), "both are there");
  for (let n = 0; n < 3; n += 1) {
    const [before, other] = [await now(one), await now(two)];
    await play(server.api, 1);
    await Promise.all([newer(one, before.serial), newer(two, other.serial)]);
    assert.deepEqual([await here(one), await here(two)], [[true, true], [true, true]]);
  }
  await two.close();
  await eventually(async () => JSON.stringify(await here(one)) === "[true,false]", "one has left");
});

test("the title of the tab says whose turn it is", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const seat = await open(t, server.seat("vale"));
  assert.match(await seat.title(), /^Waiting for Harrow/);
  for (let n = 0; n < 20 && !(await ask(server.apiOf(server.seat("vale")), "view")).decisions.length; n += 1) await play(server.api, 1);
  await seat.waitForFunction(() => document.title.startsWith("● The Vale to play"));
});

test("a counter shows what was saved last, not what was saved before", async (t) => {
  const own = folder(t);
  for (const part of ["rules", "scenarios"]) cpSync(join(root, part, "skirmish"), join(own, part, "skirmish"), { recursive: true });
  const server = await serve(t, ["skirmish", "--seed", "7", "--watch", "--path", own]);
  const page = await open(t, server.table);
  const file = join(own, "rules/skirmish/pieces.toml");
  const text = readFileSync(file, "utf8");
  await page.waitForTimeout(1000);
  for (const name of ["First Company", "Second Company"]) {
    writeFileSync(file, text.replaceAll("Red Company", name));
    await page.waitForFunction((name) => document.querySelector('#map [data-piece="h-reds"] title')?.textContent.includes(name), name);
  }
  assert.deepEqual(page.errors, []);
});

test("keys work while the history slider has the focus, and the slider keeps its own", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await play(server.api, 10);
  const page = await open(t, server.table);
  await page.keyboard.press("h");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("body[data-past=true]");
  await page.locator("[data-action=now]").click();
  await page.keyboard.press("h");
  const { serial } = await now(page);
  await page.keyboard.press("1");
  await newer(page, serial);
});

test("the message that the server cannot be reached goes when it can", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "9"]);
  const page = await open(t, server.table);
  server.child.removeAllListeners("exit");
  server.child.kill("SIGKILL");
  await page.waitForSelector("body[data-online=false]");
  await page.locator("#decision [data-action=refused]").click();
  await page.waitForSelector("#toasts [data-error]");
  await serve(t, [], { store: server.store, port: server.port });
  await page.waitForSelector("body[data-online=true]");
  await page.waitForFunction(() => !document.querySelector("#toasts [data-error]") && document.getElementById("offline").hidden);
});

test("what one looks at stays over a reload, and back closes the rulebook before it leaves", async (t) => {
  const server = await serve(t, ["stalins-war", "--seed", "3"]);
  const page = await open(t, server.table);
  for (let n = 0; n < 3; n += 1) await page.locator("[data-action=zoom-in]").click();
  const box = await page.locator("#map").getAttribute("viewBox");
  await page.reload();
  await page.waitForSelector("body[data-ready=true]");
  await drawn(page);
  const [before, after] = [box, await page.locator("#map").getAttribute("viewBox")].map((text) => text.split(" ").map(Number));
  assert.ok(before.every((n, at) => Math.abs(n - after[at]) < 2), `${before} and ${after}`);
  await page.keyboard.press("r");
  await page.waitForSelector("#rulebook:not([hidden])");
  await page.goBack();
  await page.waitForSelector("#rulebook", { state: "hidden" });
  assert.equal(page.url(), server.table);
  assert.equal((await now(page)).page, "table");
  // Closed by hand, it leaves nothing behind in the browser's history.
  await page.keyboard.press("r");
  await page.waitForSelector("#rulebook:not([hidden])");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#rulebook", { state: "hidden" });
  assert.deepEqual(page.errors, []);
});

test("a window that a resting finger opened stays when the finger is lifted", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const page = await open(t, server.table, () => {}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const wire = await page.context().newCDPSession(page);
  const { x, y, width, height } = await page.locator("#stage").boundingBox();
  await wire.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + width / 2, y: y + height / 2 }] });
  await page.locator("dialog[open][data-kind=place]").waitFor();
  await wire.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForTimeout(500);
  assert.equal(await page.locator("dialog[open][data-kind=place]").count(), 1);
  await page.touchscreen.tap(4, 4);
  await page.locator("dialog[open]").waitFor({ state: "detached" });
});

test("a question that goes because another side took back is not lost without a word", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const [harrow, vale] = ["harrow", "vale"].map((side) => server.apiOf(server.seat(side)));
  // On to a question of the Vale that Harrow can take back freely.
  let found = false;
  for (let n = 0; n < 200 && !found; n += 1) {
    const view = await ask(vale, "view");
    const { undo } = await ask(harrow, "view");
    found = view.decisions.length > 0 && undo && !undo.barred && !undo.needs?.length;
    if (!found) await play(server.api, 1, n);
  }
  assert.ok(found, "there was one");
  const page = await open(t, server.seat("vale"));
  assert.equal((await now(page)).state, "asking");
  await ask(harrow, "undo", {});
  await page.locator("#toasts .toast").waitFor();
  assert.match(await page.locator("#toasts .toast").innerText(), /taken back/);
  assert.equal((await now(page)).state, "waiting");
});

test("every power has its name at 1440 pixels, and words stay in their buttons", async (t) => {
  for (const [game, ...more] of [["axis-allies-europe"], ["conflict-of-heroes"], ["stalins-war"]]) {
    const server = await serve(t, [game, ...more, "--seed", "3"]);
    await play(server.api, 3);
    const page = await open(t, server.table, () => {}, { viewport: { width: 1440, height: 900 } });
    const names = await page.locator("[data-seat] span").evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().width));
    assert.ok(names.length >= 2 && names.every((width) => width > 10), `${game}: ${names}`);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await drawn(page);
      const wide = await page.locator("button:visible").evaluateAll((nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflow === "visible").map((node) => node.outerHTML.slice(0, 120)));
      assert.deepEqual(wide, [], `${game} at ${width}`);
    }
  }
});

const GAMES = ["skirmish", "stalins-war", "axis-allies-europe", "traces-of-war", "models-counterattack", "conflict-of-heroes"];

for (const game of GAMES) {
  test(`nothing in ${game} keeps anybody out`, async (t) => {
    const server = await serve(t, [game, "--seed", "3"]);
    await play(server.api, 12);
    const page = await open(t, server.table, () => {}, { viewport: { width: 1440, height: 900 } });
    for (const [width, height] of [[1440, 900], [1024, 768], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await drawn(page);
      assert.deepEqual(await barriers(page), [], `${width} × ${height}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const action of ["rulebook", "files", "help"]) {
      await page.locator(`[data-action=${action}]`).first().click();
      await page.waitForSelector(action === "rulebook" ? "#rulebook:not([hidden]) .book-body" : `dialog[open][data-kind=${action}]`);
      assert.deepEqual(await barriers(page), [], action);
      await page.keyboard.press("Escape");
    }
    await page.locator("[data-action=edit]").click();
    assert.deepEqual(await barriers(page), [], "edit");
  });
}

test("nothing in the lobby, on the cover and where there is no table keeps anybody out", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const lobby = await open(t, server.links["all tables"]);
  assert.deepEqual(await barriers(lobby), [], "lobby");
  await lobby.locator('[data-new="skirmish"]').click();
  assert.deepEqual(await barriers(lobby), [], "begin");
  await play(server.api, 1);
  const cover = await open(t, server.table, () => {}, { shared: true });
  await cover.waitForSelector("body[data-curtain=true]");
  assert.deepEqual(await barriers(cover), [], "cover");
  const nowhere = await lobby.context().newPage();
  await nowhere.goto(new URL("/", server.table).href);
  await nowhere.waitForSelector("#nowhere");
  assert.deepEqual(await barriers(nowhere), [], "nowhere");
});
