// Playing with the hands: what is dragged, what is confirmed, what is looked at again, on a desk and on a phone; sitting down and getting up.

import assert from "node:assert/strict";
import test, { after } from "node:test";
import { ask, closeBrowser, dice, drawn, eventually, least, newer, now, open, serve } from "./served.js";

after(closeBrowser);

const plain = (asked) => (asked.kind === "list" ? { decision: asked.id, choice: (asked.options.find((option) => option.none) ?? asked.options[0]).name } : least(asked));

/** Answers by chance over the wire. */
async function play(api, count, seed = 5) {
  const roll = dice(seed);
  for (let n = 0; n < count; n += 1) {
    const [asked] = (await ask(api, "view")).decisions;
    if (!asked) return;
    await ask(api, "answer", asked.kind === "list" ? { decision: asked.id, choice: asked.options[roll(asked.options.length)].name } : least(asked));
  }
}

/** Passes until something is asked for which `fits` holds. */
async function until(api, fits) {
  for (let n = 0; n < 300; n += 1) {
    const view = await ask(api, "view");
    const [asked] = view.decisions;
    assert.ok(asked, "the game ended before");
    if (fits(asked)) return asked;
    await ask(api, "answer", plain(asked));
  }
  return assert.fail("it was never asked");
}

/** The middle of an element that lies in the window. */
const middle = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
};

test("what confirms stays where it is, whatever is shown, and a double click confirms once", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await until(server.api, (asked) => asked.prompt === "movement");
  const page = await open(t, server.table, () => {}, { viewport: { width: 1024, height: 768 } });
  const done = page.locator("#finish [data-action=done]");
  const place = async () => JSON.stringify(await done.boundingBox());
  const before = await place();
  const options = page.locator("#ask [data-option]");
  const first = JSON.stringify(await options.first().boundingBox());
  let shown = 0;
  for (let n = 0; n < Math.min(4, await options.count()); n += 1) {
    await options.nth(n).hover();
    await page.waitForTimeout(350);
    if (await page.locator("#preview").isVisible()) shown += 1;
    assert.equal(await place(), before, `while option ${n} is pointed at`);
    assert.equal(JSON.stringify(await options.first().boundingBox()), first, "options do not move either");
  }
  assert.ok(shown > 0, "what would follow was shown meanwhile");
  // The next question is passed at the same place: the second click must not pass it too.
  const { choices } = await ask(server.api, "view");
  const { serial } = await now(page);
  const [x, y] = await middle(done);
  await page.mouse.click(x, y);
  await newer(page, serial);
  const under = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest("#finish [data-action=done]") !== null, [x, y]);
  assert.ok(under, "the next question is confirmed at the same place");
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.waitForTimeout(300);
  assert.equal((await ask(server.api, "view")).choices, choices + 1, "one answer, and the next question is still open");
  assert.deepEqual(page.errors, []);
});

test("many places are a summary beside the map, with a filter, and a list for whoever wants one", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const asked = await until(server.api, (asked) => asked.kind === "list" && asked.options.filter((option) => option.space).length > 20);
  const page = await open(t, server.table, () => {}, { new: true });
  await page.locator("dialog [data-action=play]").click();
  const summed = page.locator("#decision [data-summed]");
  const places = asked.options.filter((option) => option.space).length;
  assert.equal(Number(await summed.getAttribute("data-summed")), places);
  assert.equal(await page.locator("#ask [data-option]").count(), 0, "no list of numbers");
  assert.equal(await page.locator("#map path.lit.to[data-lit=true]").count(), places, "the map shows them");
  const last = asked.options.filter((option) => option.space).at(-1);
  await page.locator("#filter").fill(last.space);
  await page.locator(`#ask [data-option="${last.name}"]`).waitFor();
  await page.locator("#filter").fill("");
  await page.locator("[data-action=list]").click();
  assert.equal(await page.locator("#ask [data-option]").count(), places);
  await page.locator("[data-action=no-list]").click();
  await summed.waitFor();
  // Whoever takes to the keyboard finds the list again.
  await page.mouse.move(5, 300);
  await page.locator("#map").press("ArrowDown");
  const { serial } = await now(page);
  await page.locator(`#map path[data-space="${last.space}"][data-lit=true]`).click({ force: true });
  await newer(page, serial);
  assert.deepEqual(page.errors, []);
});

test("a counter is dragged to a lit space in one go, and one that is let go off the map stays", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const asked = await until(server.api, (asked) => asked.prompt === "movement");
  const page = await open(t, server.table);
  const unit = asked.options.find((option) => option.piece);
  const [x, y] = await middle(page.locator(`#map .stacks [data-piece="${unit.piece}"]`));
  const empty = await page.evaluate((from) => {
    // A hex beside the unit that is free.
    const node = document.querySelector(`#map .stacks [data-piece="${from}"] .body`).getBoundingClientRect();
    return { width: node.width };
  }, unit.piece);
  const before = await ask(server.api, "view");
  // A first try: where can it go?
  await ask(server.api, "answer", { decision: asked.id, choice: unit.name });
  const orders = (await ask(server.api, "view")).decisions[0];
  const goal = orders.options.find((option) => option.space && option.space !== unit.at && !before.spaces[option.space]?.count);
  assert.ok(goal, "it can go somewhere");
  await ask(server.api, "undo", {});
  await eventually(async () => (await now(page)).decision === (await ask(server.api, "view")).decisions[0].id, "the page asks which unit again");
  const board = await ask(server.api, "board");
  const at = (id) => board.spaces.find((space) => space.id === id);
  // A hex is as wide as its counter is, times 100 / 68: the way on the screen follows from the way on the map.
  const scale = (empty.width / 68) * 100 / 2000;
  const [dx, dy] = [(at(goal.space).x - at(unit.at).x) * scale, (at(goal.space).y - at(unit.at).y) * scale];
  // Let go where no space is: the unit is asked for its orders and has not moved.
  const stage = await page.locator("#stage").boundingBox();
  const asking = await now(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let n = 1; n <= 6; n += 1) await page.mouse.move(x + ((stage.x + 3 - x) * n) / 6, y + ((stage.y + 3 - y) * n) / 6);
  assert.equal(await page.locator("#map .dragged").count(), 1, "the counter follows the mouse");
  await page.mouse.up();
  await newer(page, asking.serial);
  const view = await ask(server.api, "view");
  assert.equal(view.decisions[0].prompt, "orders");
  assert.ok(view.spaces[unit.at].pieces.some((piece) => piece.id === unit.piece), "it lies where it lay");
  await page.keyboard.press("u");
  await eventually(async () => (await ask(server.api, "view")).decisions[0].prompt === "movement" && (await now(page)).decision === (await ask(server.api, "view")).decisions[0].id, "which unit is asked again");
  const { serial } = await now(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let n = 1; n <= 6; n += 1) await page.mouse.move(x + (dx * n) / 6, y + (dy * n) / 6);
  await page.mouse.up();
  await eventually(async () => (await ask(server.api, "view")).spaces[goal.space]?.pieces?.some((piece) => piece.id === unit.piece), `${unit.piece} is in ${goal.space}`);
  await newer(page, serial);
  assert.equal(await page.locator("#map .dragged").count(), 0);
  assert.deepEqual(page.errors, []);
});

test("the history plays itself, stops at the present, and a branch of one's own goes on from any point", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await play(server.api, 12);
  const page = await open(t, server.table);
  await page.locator("#history select").selectOption("8");
  const seen = page.evaluate(() => new Promise((done) => {
    const all = [];
    const watch = new MutationObserver(() => {
      all.push(Number(document.body.dataset.at));
      if (document.body.dataset.replay === "false" && all.length > 3) {
        watch.disconnect();
        done(all);
      }
    });
    watch.observe(document.body, { attributes: true });
  }));
  await page.locator("[data-action=history-play]").click();
  const shown = [...new Set(await seen)];
  assert.deepEqual(shown.filter((at) => at >= 0 && at <= 12), [...new Set([12, ...Array.from({ length: 13 }, (_, at) => at)])].filter((at) => shown.includes(at)), `${shown}`);
  assert.ok(shown.length >= 12, `every position was shown: ${shown}`);
  assert.equal((await now(page)).past, "false", "it ends at the present");
  await page.keyboard.press("[");
  await page.waitForSelector("body[data-past=true]");
  await page.locator("[data-action=branch]").click();
  const link = page.locator('dialog [data-link="branch"]');
  await link.waitFor();
  const other = await open(t, new URL(await link.getAttribute("href"), server.table).href);
  assert.equal(await other.locator("[data-history]").getAttribute("max"), "11");
  assert.equal((await ask(server.api, "view")).choices, 12, "the table itself stays");
  assert.deepEqual([...page.errors, ...other.errors], []);
});

test("on a phone the map has its room, and question, log and hand are sheets with targets for a thumb", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  await until(server.api, (asked) => asked.prompt === "movement");
  const page = await open(t, server.table, () => {}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { height } = await page.locator("#stage").boundingBox();
  assert.ok(height >= 844 * 0.6, `the map is ${height} high`);
  const small = async () => page.locator("button:visible, a.icon:visible").evaluateAll((nodes) => nodes.filter((node) => {
    const { width, height, right, bottom } = node.getBoundingClientRect();
    // Links in running text are as high as the text; what stands alone is large enough.
    return !node.matches(".rule, .on-map, .number-value, .close") && right > 0 && bottom > 0 && (height < 39.5 || width < 39.5);
  }).map((node) => node.outerHTML.slice(0, 100)));
  assert.deepEqual(await small(), []);
  const { serial } = await now(page);
  await page.locator("#ask [data-option]").first().tap();
  await newer(page, serial);
  await page.locator("#sheets [data-sheet=log]").tap();
  assert.ok(await page.locator("#log [data-log-n]").last().isVisible());
  assert.ok(!(await page.locator("#ask").isVisible()));
  await page.locator("#sheets [data-sheet=hand]").tap();
  assert.ok(await page.locator("#dock .card").first().isVisible());
  assert.deepEqual(await small(), []);
  await page.locator("#sheets [data-sheet=size]").tap();
  assert.ok((await page.locator("#dock").boundingBox()).height > 844 * 0.6, "a sheet can be made large");
  await page.locator("#sheets [data-sheet=size]").tap();
  // A new question comes to the front by itself.
  const before = await now(page);
  await play(server.api, 1);
  await newer(page, before.serial);
  assert.ok(await page.locator("#ask").isVisible());
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth), true);
  assert.deepEqual(page.errors, []);
});

test("whoever sits down is briefed once, and again when they ask", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "7"]);
  const page = await open(t, server.seat("vale"), () => {}, { new: true });
  const brief = page.locator("dialog[open][data-kind=briefing]");
  await brief.waitFor();
  assert.match(await brief.innerText(), /Alder/);
  assert.match(await brief.locator("[data-brief=who]").innerText(), /the Vale/);
  assert.match(await brief.locator("[data-brief=win]").innerText(), /four towns/);
  assert.ok(await brief.locator("[data-brief=win] [data-rule]").count() > 0, "and where the rulebook says so");
  await page.keyboard.press("Enter");
  await brief.waitFor({ state: "detached" });
  await page.reload();
  await page.waitForSelector("body[data-ready=true]");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("b");
  await brief.waitFor();
  assert.deepEqual(page.errors, []);
});

test("the end says who won, why, and how the sides stand, and leads back", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3", "--set", "value.last-turn.is=1"]);
  await play(server.api, 200);
  const view = await ask(server.api, "view");
  assert.ok(view.ended);
  const page = await open(t, server.table);
  const text = await page.locator("[data-ended]").innerText();
  assert.ok(text.includes(view.ended.reason), text);
  assert.ok(await page.locator("[data-ended] [data-rule]").count() > 0);
  const score = await page.locator("[data-score]").innerText();
  assert.match(score, /Harrow[^]*the Vale[^]*Stores/);
  // The settings of this table are told of first.
  await page.locator("dialog [data-action=close]").click();
  await page.locator("[data-ended] [data-action=home]").click();
  await page.waitForSelector("body[data-page=nowhere]");
  assert.ok(await page.locator(`#nowhere a[href="${new URL(server.table).pathname}"]`).count() > 0, "the table is among those where one has sat");
});

test("the lobby shows every game with its map and its words, and begins it with one click", async (t) => {
  const server = await serve(t, ["skirmish", "--seed", "3"]);
  const page = await open(t, server.links["all tables"], () => {}, { viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  for (const game of ["skirmish", "stalins-war", "axis-allies-europe", "traces-of-war", "models-counterattack", "conflict-of-heroes"]) {
    const card = page.locator(`[data-game="${game}"]`);
    const { width, height } = await card.locator(".game-map").boundingBox();
    assert.ok(width > 200 && height > 100, `${game} has its map`);
    assert.ok(await card.locator(".game-map path").count() > 1, `${game}: more than one colour`);
    const box = (await card.locator(".game-map").getAttribute("viewBox")).split(" ").map(Number);
    assert.ok(box.length === 4 && box[2] > 0 && box[3] > 0);
    assert.ok((await card.locator(".about").innerText()).length > 60, `${game} says what it is about`);
    assert.ok(await card.locator(".sides span").count() >= 2);
  }
  const small = page.locator('[data-game="skirmish"]');
  assert.match(await small.locator(".facts").innerText(), /2 players/);
  await small.locator("select").selectOption("bridgehead");
  assert.match(await small.locator(".scenario-text").innerText(), /vanguard/);
  // Invite: the links one under the other, each with a button that copies it.
  await small.locator("[data-start=invite]").click();
  const rows = page.locator("dialog .links li");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 4);
  const tops = await rows.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().top));
  assert.ok(tops.every((top, at) => at === 0 || top > tops[at - 1] + 20));
  await page.locator("dialog [data-copy=vale]").click();
  const address = await page.locator("dialog [data-link=vale]").evaluate((node) => node.href);
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()).then((text) => text === address), "the link of the Vale is copied");
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector("body[data-ready=true]");
  assert.equal(await page.locator("[data-table]").count(), 2);
  assert.match(await page.locator("[data-owing]").first().innerText(), /Harrow/, "whose turn it is");
  // Two people here: at the table with one click, and back again.
  await page.locator('[data-game="skirmish"] [data-start=here]').click();
  await page.waitForSelector("body[data-ready=true][data-role=table]");
  await page.locator("#home").click();
  await page.waitForSelector("body[data-page=lobby] [data-table]");
  assert.equal(await page.locator("[data-table]").count(), 3);
  assert.equal(await page.locator("button:visible").evaluateAll((nodes) => nodes.filter((node) => node.disabled).length), 0, "no dead buttons");
  assert.deepEqual(page.errors, []);
});
