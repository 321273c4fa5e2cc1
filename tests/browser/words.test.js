// All words of the page stand in its language file: none in its scripts, its markup, or what the server sends it besides refusals.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { root } from "./served.js";

const page = join(root, "tools/table/page");
const read = (folder, ending) => readdirSync(folder).filter((name) => name.endsWith(ending)).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
const scripts = read(join(page, "js"), ".js").map(([name, text]) => [name, text.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "")]);
const words = JSON.parse(readFileSync(join(page, "lang/en.json"), "utf8"));

/** Literals of a script: [text, where it begins]. Templates are read without what is inserted. */
const literals = (text) => [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map((found) => [(found[1] ?? found[2]).replace(/\$\{[^}]*\}/g, "{}"), found.index]);

/** Names of keys and of headers, and the page's own name. */
const NAMES = /^(Sandtable|Content-Type|GET|POST|HTTP .*|Enter|Esc|Escape|Tab|Home|End|PageUp|PageDown|Page.*|Arrow\w+|Shift.*|Backspace|Delete|Space)$/;

test("no sentence stands in a script of the page", () => {
  const found = [];
  for (const [name, text] of scripts) {
    for (const [literal] of literals(text)) {
      const speaks = /^[A-Z][a-z]{2,}/.test(literal) || /^[A-Za-z][a-z]+( [a-z']+)+[.!?…:]$/.test(literal);
      if (speaks && !NAMES.test(literal)) found.push(`${name}: ${literal}`);
    }
  }
  assert.deepEqual(found, []);
});

test("no words stand in the markup", () => {
  const markup = readFileSync(join(page, "index.html"), "utf8").replace(/<!--[^]*?-->/g, "");
  const found = [...markup.matchAll(/>([^<]*[A-Za-z]{2,}[^<]*)</g)].map((one) => one[1].trim()).filter((one) => one !== "Sandtable");
  const spoken = [...markup.matchAll(/\s(?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map((one) => one[1]);
  assert.deepEqual([...found, ...spoken], []);
  for (const [, id] of markup.matchAll(/data-(?:text|label|title)="([^"]*)"/g)) assert.ok(id in words, `${id} is in no language file`);
});

test("every text that is asked for is there, and every text that is there is asked for", () => {
  const asked = new Set([...readFileSync(join(page, "index.html"), "utf8").matchAll(/data-(?:text|label|title)="([^"]*)"/g)].map((one) => one[1]));
  const beginnings = [];
  for (const [name, text] of scripts) {
    for (const [, many, id] of text.matchAll(/\b(tn?)\(\s*"([^"]+)"/g)) {
      for (const whole of many === "tn" ? [`${id}.one`, `${id}.many`] : [id]) assert.ok(whole in words, `${name} asks for ${whole}, which is in no language file`);
    }
    for (const [literal] of literals(text)) {
      asked.add(literal).add(`${literal}.one`).add(`${literal}.many`);
      if (/^[a-z.-]+\.\{\}$/.test(literal)) beginnings.push(literal.slice(0, -2));
    }
  }
  const idle = Object.keys(words).filter((id) => !asked.has(id) && !beginnings.some((start) => id.startsWith(start)));
  assert.deepEqual(idle, []);
});

test("every kind of line of the log has its sentence", () => {
  const made = readFileSync(join(root, "tools/table/src/lines.rs"), "utf8");
  const kinds = new Set([...made.matchAll(/object\(\s*"([a-z-]+)"/g), ...made.matchAll(/"(conceal)" \} else \{ "reveal"/g)].map((one) => one[1]));
  assert.ok(kinds.size > 10);
  const own = { log: "log.look", answer: "log.answer", move: "log.move", end: "log.won", step: "log.look", roll: "die", number: "number.explain" };
  for (const kind of kinds) assert.ok((own[kind] ?? `log.${kind}`) in words, kind);
});

test("the server says nothing in words but why it refuses", () => {
  const found = [];
  // All that `refusal.rs` says is why something is refused.
  for (const [name, whole] of read(join(root, "tools/table/src"), ".rs").filter(([name]) => name !== "refusal.rs")) {
    const text = whole.split("#[cfg(test)]")[0].replace(/^\s*\/\/.*$/gm, "");
    for (const one of text.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      if (!/^[A-Z][a-z]* [a-z]+|^[a-z]+ [a-z]+ [a-z ]+\.$/.test(one[1])) continue;
      const around = text.slice(Math.max(0, one.index - 260), one.index + 200);
      if (!/Refusal|StatusCode/.test(around)) found.push(`${name}: ${one[1]}`);
    }
  }
  assert.deepEqual(found, []);
});
