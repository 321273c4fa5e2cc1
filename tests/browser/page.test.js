// What the page does beside playing: consequences, files, consent, one computer for two, edits, fingers, layers, the lobby.

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { ask, closeBrowser, dice, drawn, eventually, folder, least, newer, now, open, root, serve } from "./served.js";

after(closeBrowser);

/** The answer that passes, or the first there is. */
function plain(asked) {
  if (asked.kind === "list") return { decision: asked.id, choice: (asked.options.find((option) => option.none) ?? asked.options[0]).name };
  return least(asked);
}

/** Answers over the wire until something is asked for which `fits` holds. */
async function until(api, fits, answer = plain) {
  for (let n = 0; n < 500; n += 1) {
    const view = await ask(api, "view");
    const [asked] = view.decisions;
    assert.ok(asked, "the game ended before");
    if (fits(asked, view)) return view;
    const given = await ask(api, "answer", answer(asked, n));
    assert.equal(given.error, undefined, JSON.stringify(given));
  }
  return assert.fail("it was never asked");
}

test("resting on a march shows its path and cost, and on an attack its numbers", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await until(server.api, (asked) => asked.prompt === "orders", (asked) => (asked.prompt === "movement" ? { decision: asked.id, choice: asked.options[0].name } : plain(asked)));
  const page = await open(t, server.table);
  const march = page.locator('#decision [data-option^="march/"]').last();
  const to = (await march.getAttribute("data-option")).split("/")[1];
  await march.hover();
  const way = page.locator("#preview [data-way]");
  await way.waitFor();
  assert.equal((await way.getAttribute("data-way")).split(" ").at(-1), to);
  assert.ok(Number(await way.getAttribute("data-cost")) > 0);
  assert.equal(await page.locator("#map .way").count(), 1, "the path is drawn on the map");
  // The same on the map: the mouse over the hex.
  await page.mouse.move(5, 400);
  await way.waitFor({ state: "hidden" });
  await page.locator(`#map [data-space="${to}"][data-lit=true]`).hover({ force: true });
  await way.waitFor();
  // On to an attack: choosing the attackers shows what the fight would be before it is confirmed.
  const fight = await serve(t, ["skirmish", "--seed", "7"]);
  const pick = (n) => (asked) => (asked.kind === "list" && asked.prompt !== "movement" ? { decision: asked.id, choice: asked.options[n % asked.options.length].name } : plain(asked));
  let tries = 0;
  let found = null;
  await until(fight.api, async () => true);
  for (; tries < 400 && !found; tries += 1) {
    const [asked] = (await ask(fight.api, "view")).decisions;
    if (!asked) break;
    const body = pick(tries * 5 + 2)(asked);
    const preview = await ask(fight.api, "preview", body);
    if (preview.numbers?.some((number) => number.name === "attack")) found = { asked, body };
    else await ask(fight.api, "answer", body);
  }
  assert.ok(found, `no attack in ${tries} answers`);
  const other = await open(t, fight.table);
  if (found.asked.kind === "list") await other.locator(`#decision [data-option="${found.body.choice}"]`).hover();
  else for (const name of Object.keys(found.body.chosen)) await other.locator(`#decision [data-item="${name}"]`).click();
  const number = other.locator('#preview [data-number="attack"]');
  await number.waitFor();
  assert.ok(await number.locator("[data-explain] .part").count() > 0, "the number is explained by its parts");
  assert.deepEqual([...page.errors, ...other.errors], []);
});

test("a refusal names its paragraph, which opens the rulebook there", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "5"]);
  const page = await open(t, server.table);
  // The first question is where a marker is hidden; the other bank is refused.
  const box = await page.locator("#map").boundingBox();
  assert.ok(box.width > 300);
  await page.locator("#decision [data-action=refused]").click();
  await page.locator("#refused li [data-rule]").first().waitFor();
  const rule = await page.locator("#refused li [data-rule]").first().getAttribute("data-rule");
  await page.locator("#refused li [data-rule]").first().click();
  const goal = page.locator(`#rulebook [id="p-${rule}"].goal`);
  await goal.waitFor();
  const below = await goal.evaluate((node) => node.getBoundingClientRect().top - document.querySelector(".book-body").getBoundingClientRect().top);
  assert.ok(below >= -2 && below < 700, `the paragraph is in sight, ${below} below the edge`);
  assert.deepEqual(page.errors, []);
});

test("a game is exported as record, case and scenario, and its map as SVG", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  for (let n = 0; n < 8; n += 1) await ask(server.api, "answer", plain((await ask(server.api, "view")).decisions[0]));
  const page = await open(t, server.table);
  const saved = {};
  for (const [action, name] of [["export-record", /\.record$/], ["export-case", /\.md$/], ["export-scenario", /\.toml$/], ["export-svg", /\.svg$/]]) {
    await page.locator("[data-action=files]").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`dialog [data-action=${action}]`).click()]);
    assert.match(download.suggestedFilename(), name);
    saved[action] = readFileSync(await download.path(), "utf8");
    await page.keyboard.press("Escape");
  }
  assert.match(saved["export-record"], /^sandtable record/);
  assert.match(saved["export-case"], /```case/);
  assert.match(saved["export-scenario"], /\[scenario/);
  assert.match(saved["export-svg"], /^<svg[^>]*viewBox/);
  // The map stands alone: drawn by a browser that knows nothing of the page, it shows the counters.
  const pieces = await page.locator("#map .stacks .piece").count();
  const alone = await page.context().newPage();
  await alone.setContent(saved["export-svg"]);
  assert.equal(await alone.locator(".stacks .piece").count(), pieces);
  assert.ok(await alone.evaluate(() => getComputedStyle(document.querySelector(".counter .body")).stroke) !== "none");
  assert.deepEqual(page.errors, []);
});

/** Drops a file on the page. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
}

const LAYER = '[layer]\nid = "fast-reds"\nversion = "1.0"\ngame = "skirmish"\n\n[unit.h-reds]\nmoves = 5\n';

test("a record dropped on the page opens a table, a layer changes this one, and whoever joins sees it", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  for (let n = 0; n < 6; n += 1) await ask(server.api, "answer", plain((await ask(server.api, "view")).decisions[0]));
  const record = await ask(server.api, "export?as=record");
  const page = await open(t, server.table);
  await drop(page, "game.record", record);
  const link = page.locator("dialog[open] a.option");
  await link.waitFor();
  const copy = await open(t, new URL(await link.getAttribute("href"), server.table).href);
  assert.equal(await copy.locator("[data-history]").getAttribute("max"), "6", "the new table goes on from the record");
  await page.keyboard.press("Escape");
  await drop(page, "fast-reds.toml", LAYER);
  await page.waitForSelector("[data-reload=ok]");
  assert.match(await page.locator("[data-reload=ok]").innerText(), /h-reds\.moves: 3 → 5/);
  await drop(page, "notes.txt", "what is this");
  await page.waitForSelector("[data-error]");
  const guest = await open(t, server.seat("vale"));
  await guest.waitForSelector('dialog[open] [data-layer="fast-reds"]');
  assert.match(await guest.locator('[data-layer="fast-reds"]').innerText(), /unit\.h-reds\.moves\s+3\s+→\s+5/);
  assert.deepEqual([...page.errors, ...copy.errors, ...guest.errors], []);
});

test("taking back past another seat's answer needs that seat's consent", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const [harrow, vale] = ["harrow", "vale"].map((side) => server.apiOf(server.seat(side)));
  for (let n = 0; n < 200; n += 1) {
    const { undo } = await ask(harrow, "view");
    if (undo?.needs?.includes("vale") && !undo.barred) break;
    await ask(server.api, "answer", plain((await ask(server.api, "view")).decisions[0]));
  }
  const before = (await ask(vale, "view")).choices;
  const one = await open(t, server.seat("harrow"));
  const two = await open(t, server.seat("vale"));
  for (const [answer, choices] of [["consent-no", before], ["consent-yes", before - 1]]) {
    await one.locator("[data-action=undo]").click();
    await one.locator("[data-proposal]").waitFor();
    assert.equal(await one.locator("[data-proposal] [data-action=consent-yes]").count(), 0, "nobody agrees with himself");
    await two.locator(`[data-proposal] [data-action=${answer}]`).click();
    await one.locator("[data-proposal]").waitFor({ state: "detached" });
    assert.ok((await ask(vale, "view")).choices <= choices, answer);
    if (answer === "consent-no") assert.equal((await ask(vale, "view")).choices, before, "refused");
  }
  assert.ok((await ask(vale, "view")).choices < before, "agreed");
  assert.deepEqual([...one.errors, ...two.errors], []);
});

test("on one computer the other's hand is covered until the next person is there", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const page = await open(t, server.table, () => {}, { shared: true });
  const first = (await now(page)).as;
  const other = first === "harrow" ? "vale" : "harrow";
  const hand = Object.values((await ask(server.api, `view?as=${other}`)).spaces[`${other}-hand`]?.pieces ?? []).map((card) => card.id);
  let handed = 0;
  for (let n = 0; n < 40 && handed < 3; n += 1) {
    if ((await now(page)).curtain === "true") {
      handed += 1;
      const { as } = await now(page);
      const next = await page.locator("#curtain").getAttribute("data-side");
      assert.notEqual(next, as, "the one who is asked is not the one who looks");
      for (const card of hand) if (next === other) assert.equal(await page.locator(`[data-card="${card}"]`).count(), 0, `${card} is not on the page yet`);
      const covering = await page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight - 40)?.closest("#curtain") !== null);
      assert.ok(covering, "nothing of the table can be seen");
      // Keys that would play do nothing while it is covered.
      await page.keyboard.press("1");
      assert.equal((await now(page)).curtain, "true");
      await page.locator("[data-action=ready]").click();
      await page.waitForFunction((side) => document.body.dataset.as === side, next);
      assert.equal((await now(page)).state, "asking");
    }
    const { serial } = await now(page);
    const done = page.locator("#decision [data-action=done]:enabled");
    const items = page.locator("#decision [data-item]");
    if (await done.count()) await done.first().click();
    else if (await items.count()) {
      // What is taken up answers nothing yet.
      await items.first().click();
      continue;
    } else await page.locator("#decision [data-option]").first().click();
    await newer(page, serial);
  }
  assert.ok(handed >= 3, `handed over ${handed} times`);
  // Whoever loads the page again in the middle is asked first.
  await page.reload();
  await page.waitForSelector("body[data-curtain=true]");
  await page.locator("[data-action=alone]").click();
  assert.equal((await now(page)).curtain, "false");
  assert.deepEqual(page.errors, []);
});

test("on one computer each is asked for their own side while both owe a secret choice", async (t) => {
  const server = await serve(t, ["sealed", "--seed", "7", "--path", "tests/packages"]);
  const page = await open(t, server.table, () => {}, { shared: true });
  const asked = { north: 0, south: 0 };
  let both = 0;
  for (let n = 0; n < 60 && both < 6; n += 1) {
    if ((await now(page)).curtain === "true") {
      const next = await page.locator("#curtain").getAttribute("data-side");
      await page.locator("[data-action=ready]").click();
      await page.waitForFunction((side) => document.body.dataset.as === side, next);
    }
    const { as, decision, serial, state } = await now(page);
    if (state === "ended") break;
    assert.ok(decision.endsWith(`-${as}`), `${as} looks, and ${decision} is asked`);
    const { owing } = await ask(server.api, `view?as=${as}`);
    if (owing.length > 1) {
      both += 1;
      asked[as] += 1;
    }
    const done = page.locator("#decision [data-action=done]:enabled");
    if (await done.count()) await done.first().click();
    else await page.locator("#decision [data-option]").first().click();
    await newer(page, serial);
  }
  assert.ok(asked.north > 0 && asked.south > 0, `each was asked first at least once: ${JSON.stringify(asked)}`);
  assert.deepEqual(page.errors, []);
});

test("edit mode places, flips, deals and sets tracks, each as a line of the record", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const page = await open(t, server.table);
  await page.locator("[data-action=edit]").click();
  const settled = async (f) => {
    const { serial } = await now(page);
    await f();
    await newer(page, serial);
  };
  const before = await ask(server.api, "view?as=harrow");
  const alone = Object.values(before.spaces).find((held) => held.count === 1 && held.pieces[0]?.kind === "unit" && held.pieces[0].side === "harrow" && held.pieces[0].level === 1);
  const unit = alone.pieces[0].id;
  await page.locator(`#map [data-piece="${unit}"]`).click({ force: true });
  await page.locator("[data-action=edit-down]").waitFor();
  await settled(() => page.locator("[data-action=edit-down]").click());
  // Put it into a hex that is empty.
  const view = await ask(server.api, "view");
  const board = await ask(server.api, "board");
  const empty = board.spaces.find((space) => space.kind === "hex" && !view.spaces[space.id]?.count);
  const at = await page.evaluate((id) => {
    const shape = document.querySelector(`#map [data-space="${id}"]`)?.getBoundingClientRect();
    return shape && { x: shape.x + shape.width / 2, y: shape.y + shape.height / 2 };
  }, empty.id);
  if (at) await settled(() => page.mouse.click(at.x, at.y));
  else await settled(async () => { await page.locator("#edit-line").fill(`place ${unit} ${empty.id}`); await page.locator("[data-action=edit-do]").click(); });
  await page.locator('[data-edit="tracks"] summary').click();
  await settled(() => page.locator('[data-edit-track="harrow.stores"] [data-action=edit-more]').click());
  await page.locator('[data-edit="deal"] summary').click();
  await page.locator('select[data-edit="from"]').selectOption("harrow-deck");
  await page.locator('select[data-edit="to"]').selectOption("harrow-hand");
  await settled(() => page.locator("[data-action=edit-deal]").click());
  const after = await ask(server.api, "view?as=harrow");
  assert.equal(after.spaces[empty.id]?.pieces[0].id, unit);
  assert.equal(after.spaces[empty.id].pieces[0].level, 2);
  assert.equal(after.sides.harrow.stores, (view.sides.harrow.stores ?? 0) + 1);
  assert.equal(after.spaces["harrow-hand"].count, (view.spaces["harrow-hand"]?.count ?? 0) + 1);
  const record = await ask(server.api, "export?as=record");
  for (const line of [`edit set ${unit}.level 2`, `edit place ${unit} ${empty.id}`, "edit set harrow.stores", "edit deal harrow-deck harrow-hand 1"]) assert.ok(record.includes(line), `${line}: ${record}`);
  assert.ok(await page.locator("#log .edit").count() >= 4, "the log tells of the edits");
  await page.keyboard.press("Escape");
  await page.locator("[data-action=edit]").click();
  assert.equal((await now(page)).state, "asking", "the game goes on");
  assert.deepEqual(page.errors, []);
});

test("a tablet is played with fingers: pan, pinch, tap to see and tap to answer", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await until(server.api, (asked) => asked.prompt === "orders", (asked) => (asked.prompt === "movement" ? { decision: asked.id, choice: asked.options[0].name } : plain(asked)));
  const page = await open(t, server.table, () => {}, { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });
  const wire = await page.context().newCDPSession(page);
  const touch = (type, ...points) => wire.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const box = async () => (await page.locator("#map").getAttribute("viewBox")).split(" ").map(Number);
  const { x, y, width, height } = await page.locator("#stage").boundingBox();
  const [cx, cy] = [x + width / 2, y + height / 2];
  await page.locator("[data-action=zoom-in]").tap();
  const before = await box();
  await touch("touchStart", [cx, cy]);
  for (let n = 1; n <= 8; n += 1) await touch("touchMove", [cx - 12 * n, cy - 6 * n]);
  await touch("touchEnd");
  await eventually(async () => (await box())[0] > before[0] + 20, "the map follows the finger");
  const panned = await box();
  await touch("touchStart", [cx - 40, cy], [cx + 40, cy]);
  for (let n = 1; n <= 8; n += 1) await touch("touchMove", [cx - 40 - 8 * n, cy], [cx + 40 + 8 * n, cy]);
  await touch("touchEnd");
  await eventually(async () => (await box())[2] < panned[2] * 0.7, "two fingers zoom");
  await page.locator("[data-action=fit]").tap();
  await eventually(async () => (await box())[2] > panned[2], "the whole map is shown");
  const { serial } = await now(page);
  const spot = await page.evaluate(() => {
    const stage = document.querySelector("#stage").getBoundingClientRect();
    for (const node of document.querySelectorAll("#map path.lit.to[data-lit=true]")) {
      const shape = node.getBoundingClientRect();
      const [x, y] = [shape.x + shape.width / 2, shape.y + shape.height / 2];
      if (x > stage.left && x < stage.right && y > stage.top && y < stage.bottom && document.elementFromPoint(x, y) === node) return { x, y, id: node.dataset.space };
    }
    return null;
  });
  await page.touchscreen.tap(spot.x, spot.y);
  await page.locator("#preview [data-way]").waitFor();
  assert.equal((await now(page)).serial, serial, "the first tap only shows what would follow");
  await page.touchscreen.tap(spot.x, spot.y);
  await newer(page, serial);
  // A finger that rests shows everything in a space.
  await touch("touchStart", [spot.x, spot.y]);
  await page.locator("dialog[open][data-kind=place]").waitFor();
  await touch("touchEnd");
  assert.deepEqual(page.errors, []);
});

test("the log says who answered what, as far as that is no secret", async (t) => {
  const server = await serve(t, ["axis-allies-europe", "--seed", "2"]);
  for (let n = 0; n < 6; n += 1) await ask(server.api, "answer", plain((await ask(server.api, "view")).decisions[0]));
  const page = await open(t, server.links.spectators);
  assert.ok(await page.locator("#log [data-kind=answer]").count() > 2);
  const secret = await serve(t, ["skirmish", "--seed", "2"]);
  for (let n = 0; n < 12; n += 1) await ask(secret.api, "answer", plain((await ask(secret.api, "view")).decisions[0]));
  const watching = await open(t, secret.links.spectators);
  assert.equal(await watching.locator("#log [data-kind=answer]").count(), 0);
  const seat = await open(t, secret.seat("harrow"));
  const told = await seat.locator("#log [data-kind=answer]").allInnerTexts();
  assert.ok(told.length > 0 && told.every((line) => line.startsWith("Harrow")), told.join("; "));
});

test("the lobby begins games in the colours of their sides, and says which cannot be opened", async (t) => {
  const own = folder(t);
  for (const part of ["rules", "scenarios"]) cpSync(join(root, part, "skirmish"), join(own, part, "skirmish"), { recursive: true });
  const server = await serve(t, ["skirmish", "--seed", "7", "--path", own]);
  const page = await open(t, server.links["all tables"]);
  const display = readFileSync(join(own, "rules/skirmish/display.toml"), "utf8");
  const colour = /harrow = \{ colour = "(#\w+)"/.exec(display)[1];
  const shown = await page.locator('[data-game="skirmish"] .swatches i').first().evaluate((node) => node.style.backgroundColor);
  const rgb = [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16)).join(", ");
  assert.equal(shown, `rgb(${rgb})`);
  await page.locator('[data-new="skirmish"]').click();
  await page.locator('dialog [name="player-vale"]').selectOption("random");
  await page.locator("dialog [data-action=begin]").click();
  await page.locator('dialog [data-link="go"]').click();
  await page.waitForSelector("body[data-ready=true][data-role=seat]");
  // A change of the rules that the first game does not fit, and a new server.
  for (let n = 0; n < 8; n += 1) await ask(server.api, "answer", plain((await ask(server.api, "view")).decisions[0]));
  server.child.removeAllListeners("exit");
  server.child.kill("SIGKILL");
  const script = join(own, "rules/skirmish/movement.lua");
  writeFileSync(script, readFileSync(script, "utf8").replace('none = "done"', 'none = "halt"'));
  const again = await serve(t, ["--path", own], { store: server.store, links: "all tables" });
  const lobby = await open(t, again.links["all tables"]);
  assert.match(await lobby.locator("[data-table] [data-problem]").first().innerText(), /choice \d+/);
  const broken = await lobby.context().newPage();
  await broken.goto(server.table.replace(`:${server.port}`, `:${again.port}`));
  await broken.waitForSelector("#nowhere [data-problem]");
  assert.deepEqual([...page.errors, ...lobby.errors], []);
});

test("a facing is chosen on the map, and options that read alike say where their pieces lie", async (t) => {
  const server = await serve(t, ["conflict-of-heroes", "--seed", "3"]);
  const page = await open(t, server.table);
  const answer = async (choose) => {
    const [asked] = (await ask(server.api, "view")).decisions;
    await ask(server.api, "answer", { decision: asked.id, choice: choose(asked.options).name });
  };
  await answer((options) => options[0]);
  await answer((options) => options[0]);
  await page.waitForSelector("#decision .where");
  const activate = await page.locator('#decision [data-option^="activate"]').allInnerTexts();
  assert.equal(new Set(activate.map((text) => text.replace(/^\d+\s*/, ""))).size, activate.length, activate.join("; "));
  await answer((options) => options.find((option) => option.offer === "activate"));
  await page.waitForSelector('[data-option="pivot/"]');
  assert.equal(await page.locator("#decision h3").count(), 0, "bare offers need no headings");
  await page.locator('[data-option="pivot/"]').click();
  await page.waitForSelector("[data-prompt='pivot.to']");
  const asked = (await ask(server.api, "view")).decisions[0];
  assert.equal(await page.locator("#decision .direction").count(), asked.options.length, "each facing has its arrow");
  const lit = page.locator("#map path.lit.to[data-lit=true]");
  assert.ok(await lit.count() >= 3, "the hexes around the unit are lit");
  const { serial } = await now(page);
  const before = (await ask(server.api, "view")).serial;
  await lit.first().click({ force: true });
  await newer(page, serial);
  assert.ok((await ask(server.api, "view")).serial > before);
  assert.match(await page.locator("#log").innerText(), /AP: \d/, "the log names a value as its track does");
  assert.deepEqual(page.errors, []);
});

test("the place in the sequence of play can be read on a tablet", async (t) => {
  const server = await serve(t, ["axis-allies-europe", "--seed", "3"]);
  const page = await open(t, server.table, undefined, { viewport: { width: 1024, height: 768 } });
  const last = await page.locator("#place li").first().evaluate((node) => [node.scrollWidth, node.clientWidth, node.getBoundingClientRect().right, document.querySelector("#place").getBoundingClientRect().right]);
  assert.ok(last[0] <= last[1] + 1 && last[2] <= last[3] + 1, last.join(" "));
});

const GAMES = ["skirmish", "stalins-war", "axis-allies-europe", "traces-of-war", "models-counterattack", "conflict-of-heroes"];

for (const game of GAMES) {
  test(`${game} fits a laptop, a desktop and a tablet`, async (t) => {
    const server = await serve(t, [game, "--seed", "3"]);
    const page = await open(t, server.table);
    for (const [width, height] of [[1366, 768], [1920, 1080], [1024, 768], [768, 1024]]) {
      await page.setViewportSize({ width, height });
      await drawn(page);
      const fits = await page.evaluate(() => {
        const inside = (node) => {
          const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
          return width > 0 && height > 0 && left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
        };
        const stage = document.querySelector("#stage").getBoundingClientRect();
        const prompt = document.querySelector("[data-prompt]");
        const answers = document.querySelectorAll("#decision [data-option], #decision [data-item], #decision [data-action=done]");
        return { stage: [stage.width, stage.height], scroll: document.scrollingElement.scrollWidth <= innerWidth, prompt: prompt && inside(prompt), first: answers[0] && inside(answers[0]), history: inside(document.querySelector("#history input")), buttons: [...document.querySelectorAll("#buttons button:not([hidden])")].every(inside) };
      });
      assert.ok(fits.stage[0] > 400 && fits.stage[1] > 300, `the map has room at ${width} × ${height}: ${fits.stage}`);
      assert.deepEqual({ ...fits, stage: null }, { stage: null, scroll: true, prompt: true, first: true, history: true, buttons: true }, `${width} × ${height}`);
    }
    assert.ok(await page.locator("#map .printed path").count() > 4 && await page.locator("#map .stacks .piece, #dock .piece").count() > 4);
    assert.deepEqual(page.errors, []);
  });
}

test("names of towns lie above the counters, and small areas show plates from afar", async (t) => {
  const server = await serve(t, ["stalins-war", "--seed", "3"]);
  const page = await open(t, server.table);
  const [above, names] = await page.evaluate(() => {
    const [stacks, names] = [document.querySelector("#map .stacks"), document.querySelector("#map .hex-names")];
    return [(stacks.compareDocumentPosition(names) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0, names.children.length];
  });
  assert.ok(above && names > 20, `${names} names, above the counters: ${above}`);
  const areas = await serve(t, ["axis-allies-europe", "--seed", "3"]);
  const other = await open(t, areas.table, () => {}, { viewport: { width: 1366, height: 768 } });
  await other.locator("[data-action=fit]").click();
  await other.locator("#map .plate").first().waitFor();
  const narrow = await other.locator("#map .stacks .piece .counter").evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().width).filter((width) => width < 14));
  assert.deepEqual(narrow, [], "every piece is large enough to be read");
  const plate = other.locator("#map .plate").first();
  await plate.click();
  assert.ok(await other.locator("#map .fan .piece").count() > 1, "a plate opens into its pieces");
  for (let n = 0; n < 10; n += 1) await other.locator("[data-action=zoom-in]").click();
  await eventually(async () => (await other.locator("#map .plate").count()) === 0, "all pieces lie apart when one looks closely");
  assert.deepEqual([...page.errors, ...other.errors], []);
});

test("resting on an attack tells what is asked next and what all of its units would bring", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const roll = dice(5);
  let told = null;
  for (let n = 0; n < 200 && !told; n += 1) {
    const [asked] = (await ask(server.api, "view")).decisions;
    assert.ok(asked, "the game ended before");
    for (const option of asked.prompt === "combat" ? asked.options : []) {
      const preview = await ask(server.api, "preview", { decision: asked.id, choice: option.name });
      if (preview.then?.numbers?.length) told = option.name;
    }
    if (!told) await ask(server.api, "answer", asked.kind === "list" ? { decision: asked.id, choice: asked.options[roll(asked.options.length)].name } : plain(asked));
  }
  assert.ok(told, "there was an attack to be made");
  const page = await open(t, server.table);
  await page.locator(`#decision [data-option="${told}"]`).hover();
  await page.locator("#preview [data-then]").waitFor();
  assert.ok(await page.locator("#preview [data-all] [data-number]").count() > 0);
  assert.deepEqual(page.errors, []);
});

test("the map moves to a question of which nothing is in sight", async (t) => {
  const server = await serve(t, ["traces-of-war", "--seed", "4"]);
  const page = await open(t, server.table);
  const { x, y } = await page.locator("#stage").boundingBox();
  for (let n = 0; n < 4; n += 1) {
    const { serial } = await now(page);
    // As close as it gets, in the corner: whatever is asked lies elsewhere.
    await page.mouse.move(x + 3, y + 3);
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -1500);
    await drawn(page);
    const [asked] = (await ask(server.api, "view")).decisions;
    await ask(server.api, "answer", { decision: asked.id, choice: asked.options[0].name });
    await newer(page, serial);
    const places = (await ask(server.api, "view")).decisions[0].options?.some((option) => option.space || option.at);
    if (!places) continue;
    await eventually(() => page.evaluate(() => {
      const stage = document.querySelector("#stage").getBoundingClientRect();
      return [...document.querySelectorAll("#map [data-lit=true]")].some((node) => {
        const { left, top, right, bottom } = node.getBoundingClientRect();
        return right > stage.left && left < stage.right && bottom > stage.top && top < stage.bottom;
      });
    }), "something that can be chosen is in sight");
  }
  assert.deepEqual(page.errors, []);
});
