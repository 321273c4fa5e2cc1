// Pictures of every game at the sizes of a desktop, a laptop and a tablet, to be looked at: `npm run pictures -- FOLDER [GAME …]`.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, closeBrowser, dice, least, open, serve } from "./served.js";

const SIZES = { desktop: [1920, 1080], laptop: [1366, 768], tablet: [1024, 768], upright: [820, 1180] };
const GAMES = ["skirmish", "stalins-war", "axis-allies-europe", "traces-of-war", "models-counterattack", "conflict-of-heroes"];

const [folder = "pictures", ...named] = process.argv.slice(2);
const choices = Number(process.env.CHOICES ?? 60);

/** Stands in for a test: keeps what is to be done at the end. */
function scope() {
  const all = [];
  return { after: (f) => all.push(f), end: async () => { for (const f of all.reverse()) await f(); } };
}

/** Plays on by chance, so that there is something to be seen. */
async function play(api, count) {
  const roll = dice(5);
  for (let n = 0; n < count; n += 1) {
    const [asked] = (await ask(api, "view")).decisions;
    if (!asked) return;
    const body = asked.kind === "list" ? { decision: asked.id, choice: asked.options[roll(asked.options.length)].name } : least(asked);
    await ask(api, "answer", body);
  }
}

mkdirSync(folder, { recursive: true });
const temporary = mkdtempSync(join(tmpdir(), "sandtable-"));
for (const game of named.length ? named : GAMES) {
  const all = scope();
  const server = await serve(all, [...game.split(":"), "--seed", "3"], { store: join(temporary, `${game.replace(":", "-")}.sqlite`) });
  await play(server.api, choices);
  for (const [name, [width, height]] of Object.entries(SIZES)) {
    const page = await open(all, server.table);
    await page.setViewportSize({ width, height });
    await page.reload();
    await page.waitForSelector("body[data-ready=true]");
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${game.replace(":", "-")}-${name}.png`) });
    if (page.errors.length) console.log(game, name, page.errors);
  }
  await all.end();
}
await closeBrowser();
rmSync(temporary, { recursive: true, force: true });
