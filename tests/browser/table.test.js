// The table in a real browser: played with mouse and keyboard, with secrets kept, over reloads and kills.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { ask, closeBrowser, dice, drawn, eventually, folder, least, newer, now, open, root, serve } from "./served.js";

after(closeBrowser);

/** Takes things of a selection until it may be confirmed. */
async function select(page) {
  const done = page.locator("#decision [data-action=done]").first();
  const items = page.locator("#decision [data-item]");
  for (let at = 0; at < await items.count() && await done.isDisabled(); at += 1) {
    const more = items.nth(at).locator("[data-action=more]");
    if (await more.count() === 0) await items.nth(at).click();
    else while (await more.isEnabled() && await done.isDisabled()) await more.click();
  }
  await done.click();
}

test("the small game is played to its end with the mouse", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3", "--set", "value.last-turn.is=3"]);
  const page = await open(t, server.table);
  const roll = dice(1);
  let answers = 0;
  let onMap = 0;
  while ((await now(page)).state !== "ended" && answers < 400) {
    const { serial } = await now(page);
    answers += 1;
    if (await page.locator("#decision [data-item]").count() > 0) {
      await select(page);
      await newer(page, serial);
      continue;
    }
    // A click on the map answers, or leaves in the list only what touches the place that was clicked.
    const lit = page.locator("#map [data-lit=true]");
    const count = await lit.count();
    if (count > 0) {
      await lit.nth(roll(count)).click({ force: true });
      await drawn(page);
    }
    const { serial: later, busy } = await now(page);
    if (later === serial && busy !== "true") {
      const options = page.locator("#menu [data-option]:visible, #decision [data-option]");
      await options.nth(roll(await options.count())).click();
    } else {
      onMap += 1;
    }
    await newer(page, serial);
  }
  assert.equal((await now(page)).state, "ended", `after ${answers} answers`);
  assert.ok(onMap > 5, `${onMap} of ${answers} answers were given on the map`);
  assert.ok(await page.locator("[data-ended]").isVisible());
  assert.ok(await page.locator("[data-log-n]").count() > 20, "the log has told of it");
  assert.deepEqual(page.errors, []);
});

test("the small game is played to its end with the keyboard alone", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "4", "--set", "value.last-turn.is=3"]);
  const page = await open(t, server.table);
  // Whoever joins is shown first what the settings change.
  await page.locator("dialog[open]").waitFor();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  const roll = dice(2);
  let answers = 0;
  while ((await now(page)).state !== "ended" && answers < 400) {
    const { serial } = await now(page);
    if (await page.locator("#decision [data-item]").count() > 0) {
      const done = page.locator("#decision [data-action=done]");
      for (let key = 1; key <= 9 && await done.isDisabled(); key += 1) await page.keyboard.press(String(key));
      assert.ok(await done.isEnabled(), "the keys complete the selection");
      await page.keyboard.press("d");
    } else {
      for (let down = 1 + roll(5); down > 0; down -= 1) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
    }
    await newer(page, serial);
    answers += 1;
  }
  assert.equal((await now(page)).state, "ended", `after ${answers} answers`);
  assert.deepEqual(page.errors, []);
});

test("an answer that a busy server turned away is sent again, and a view that got lost is asked for", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "4"]);
  const sent = [];
  const lost = [];
  let loses = false;
  const page = await open(t, server.table, async (page) => {
    page.on("request", (request) => request.url().endsWith("/answer") && sent.push(request.postDataJSON().decision));
    await page.routeWebSocket(/\/socket/, (socket) => {
      const up = socket.connectToServer();
      up.onMessage((text) => {
        // Whatever would tell of the answer is lost on this connection.
        if (loses && sent.length) return void lost.push(text);
        socket.send(text);
      });
      up.onClose(() => socket.close());
      socket.onClose(() => { loses = false; up.close(); });
    });
  });
  let turnedAway = 0;
  await page.route(/\/answer$/, (route) => {
    turnedAway += 1;
    return turnedAway > 2 ? route.continue() : route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify({ error: { code: "busy", text: "Try again." } }) });
  });
  const before = await now(page);
  await page.locator("#decision [data-option]").first().click();
  await newer(page, before.serial);
  assert.deepEqual(sent, [before.decision, before.decision, before.decision], "the same answer, three times");
  const between = await now(page);
  [loses, sent.length] = [true, 0];
  await page.locator("#decision [data-option]").first().click();
  await newer(page, between.serial);
  assert.ok(lost.some((text) => JSON.parse(text).type === "view"), "a view was lost");
  assert.equal(await page.locator("#toasts [data-error]").count(), 0);
  assert.equal((await ask(server.api, "view")).choices, 2);
  assert.deepEqual(page.errors, []);
});

/** Plays until the turn is over, passing where one may. */
async function turn(t, args, most) {
  const server = await serve(t, args);
  const page = await open(t, server.table);
  const first = (await ask(server.api, "view")).game.turn ?? 0;
  let answers = 0;
  let view = await ask(server.api, "view");
  while ((view.game.turn ?? 0) <= Math.max(first, 1) && !view.ended && answers < most) {
    const { serial } = await now(page);
    const pass = page.locator("#decision [data-action=done]");
    if (await pass.count() > 0 && await pass.first().isEnabled()) {
      await pass.first().click();
    } else if (await page.locator("#decision [data-item]").count() > 0) {
      await select(page);
    } else {
      await page.locator("#decision [data-option]").first().click();
    }
    await newer(page, serial);
    answers += 1;
    view = await ask(server.api, "view");
  }
  assert.ok((view.game.turn ?? 0) > Math.max(first, 1) || view.ended, `turn ${view.game.turn} after ${answers} answers`);
  assert.ok(await page.locator("#map path").count() > 20, "the map is drawn");
  assert.ok(await page.locator("#map [data-piece]").count() > 10, "with counters on it");
  assert.deepEqual(page.errors, []);
}

test("a turn of Stalin's War", (t) => turn(t, ["stalins-war", "--seed", "2"], 400));

test("a turn of Axis & Allies Europe", (t) => turn(t, ["axis-allies-europe", "--seed", "2"], 400));

test("a seat's page is never sent the cards in the other's hand", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "6"]);
  const received = [];
  const seat = await open(t, server.seat("vale"), (page) => {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => received.push(String(payload))));
    page.on("response", async (response) => {
      if (response.url().includes("/api/")) received.push(await response.text().catch(() => ""));
    });
  });
  const roll = dice(3);
  let looked = 0;
  for (let n = 0; n < 60; n += 1) {
    const view = await ask(server.api, "view?as=harrow");
    // Whoever looks is told only what is asked of that side.
    const { decisions } = view.decisions.length ? view : await ask(server.api, "view?as=vale");
    if (!decisions.length) break;
    for (const card of view.spaces["harrow-hand"]?.pieces ?? []) {
      const { name } = view.protos[card.proto];
      for (const text of received.slice(-6)) {
        if (text.includes(`"${card.id}"`) || text.includes(name)) assert.fail(`the Vale was sent ${card.id}: ${text.slice(0, 300)}`);
      }
      looked += 1;
    }
    const [asked] = decisions;
    const body = asked.kind === "list"
      ? { decision: asked.id, choice: asked.options[roll(asked.options.length)].name }
      : least(asked);
    const before = received.length;
    await ask(server.api, "answer", body);
    await eventually(() => received.length > before, "the Vale is told");
  }
  assert.ok(looked > 50 && received.length > 50, `${looked} cards against ${received.length} messages`);
});

test("an answer is taken back", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  // On to the first march: dice and draws before it bar what was answered until then.
  for (let view = await ask(server.api, "view"); view.decisions[0].prompt !== "movement"; view = await ask(server.api, "view")) {
    const { id, options } = view.decisions[0];
    await ask(server.api, "answer", { decision: id, choice: (options.find((option) => option.none) ?? options[0]).name });
  }
  const page = await open(t, server.table);
  const before = await now(page);
  await page.locator("#decision [data-option]").first().click();
  await newer(page, before.serial);
  const between = await now(page);
  assert.notEqual(between.decision, before.decision);
  await page.keyboard.press("u");
  await newer(page, between.serial);
  // The question is the same; its id is new, so that an answer to what was taken back is not taken for one to this.
  const [again] = (await ask(server.api, "view")).decisions;
  assert.equal(again.prompt, "movement", "the same question is asked again");
  assert.equal((await now(page)).decision, again.id);
  assert.notEqual(again.id, before.decision);
  assert.deepEqual(page.errors, []);
});

test("a page that is loaded again in the middle of a decision asks the same", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "8"]);
  const page = await open(t, server.table);
  const { serial } = await now(page);
  await page.locator("#decision [data-option]").nth(2).click();
  await newer(page, serial);
  const before = await now(page);
  const options = await page.locator("#decision [data-option]").count();
  await page.reload();
  await page.waitForSelector("body[data-ready=true]");
  const again = await now(page);
  assert.equal(again.decision, before.decision);
  assert.equal(await page.locator("#decision [data-option]").count(), options);
  await page.locator("#decision [data-option]").first().click();
  await newer(page, again.serial);
});

test("a killed server goes on where it was, and the open page with it", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "9"]);
  const page = await open(t, server.table);
  for (let n = 0; n < 5; n += 1) {
    const { serial } = await now(page);
    await page.locator("#decision [data-option]").nth(n).click();
    await newer(page, serial);
  }
  const before = await now(page);
  server.child.removeAllListeners("exit");
  server.child.kill("SIGKILL");
  await page.waitForSelector("body[data-online=false]");
  await serve(t, [], { store: server.store, port: server.port });
  await page.waitForSelector("body[data-online=true]");
  assert.equal((await now(page)).decision, before.decision, "no answer was lost");
  const { serial } = await now(page);
  await page.locator("#decision [data-option]").first().click();
  await newer(page, serial);
  assert.deepEqual(page.errors, []);
});

test("saving a card changes the card on the table, and an error is shown with its place", async (t) => {
  const own = folder(t);
  for (const part of ["rules", "scenarios"]) cpSync(join(root, part, "skirmish"), join(own, part, "skirmish"), { recursive: true });
  const server = await serve(t, ["skirmish", "--seed", "7", "--watch", "--path", own]);
  const page = await open(t, server.table);
  const hand = (await ask(server.api, "view?as=harrow")).spaces["harrow-hand"].pieces;
  const card = hand[0].id;
  await page.waitForTimeout(1000);
  const file = join(own, "rules/skirmish/pieces.toml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(new RegExp(`^(${card} = .*text = ")[^"]*`, "m"), "$1The quick brown card."));
  await page.waitForSelector("[data-reload=ok]", { state: "attached" });
  await page.waitForFunction((id) => document.querySelector(`[data-card="${id}"]`)?.textContent.includes("quick brown"), card);
  const script = join(own, "rules/skirmish/cards.lua");
  const lua = readFileSync(script, "utf8");
  writeFileSync(script, `${lua}\nthis is no Lua\n`);
  await page.waitForSelector("[data-reload=error]", { state: "attached" });
  // The server may look at the file while it is still being written; what it says in the end names the place.
  await page.waitForFunction(() => /cards\.lua:\d+/.test(document.querySelector("[data-reload=error]")?.innerText));
  const { serial } = await now(page);
  await page.locator("#decision [data-option]").first().click();
  await newer(page, serial);
  assert.deepEqual(page.errors, []);
});
