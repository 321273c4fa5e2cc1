// The page's own words, by language: lang/LANGUAGE.json. Texts of a game come from the game.

let words = {};

/** Loads the words of the first language of the browser that there is a file for. */
export async function loadLanguage() {
  for (const language of [...navigator.languages.map((name) => name.slice(0, 2)), "en"]) {
    if (!KNOWN.includes(language)) continue;
    const answer = await fetch(`/page/lang/${language}.json`);
    if (answer.ok) {
      words = await answer.json();
      document.documentElement.lang = language;
      return;
    }
  }
}

/** Languages that have a file. */
const KNOWN = ["en"];

/** A text of the page; `{name}` inserts an argument. A missing text shows its id, so that it is noticed. */
export function t(id, args = {}) {
  const text = words[id] ?? id;
  return text.replace(/\{(\w+)\}/g, (_, name) => args[name] ?? "");
}

/** A text that depends on a number: `id.one` or `id.many`. */
export const tn = (id, n, args = {}) => t(`${id}.${n === 1 ? "one" : "many"}`, { n, ...args });

/** An id as people would write it: words instead of hyphens. */
export const plain = (id) => String(id ?? "").replace(/[-_.]/g, " ");

/** The same with a capital letter. */
export const titled = (id) => capital(plain(id));

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
