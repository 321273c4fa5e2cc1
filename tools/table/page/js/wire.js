// The way to the server: calls that answer JSON or throw a refusal, and the socket that pushes what happens.

/** A refusal of the server, in its own words. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error?.text ?? `HTTP ${status}`);
    this.status = status;
    this.code = error?.code ?? "bad";
    this.places = error?.places ?? [];
    this.chain = error?.chain ?? [];
  }
}

/** The secret word of this page's link. */
export const key = location.pathname.split("/")[2] ?? "";

const call = async (path, options) => (await answered(path, options)).body;

async function answered(path, options) {
  let answer;
  try {
    answer = await fetch(`/api/${key}${path ? "/" + path : ""}`, { ...options, signal: AbortSignal.timeout(30000) });
  } catch {
    throw new Refusal(0, { code: "offline", text: "offline" });
  }
  const json = (answer.headers.get("content-type") ?? "").includes("json");
  const body = json ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, json ? body.error : { text: body });
  return { body, answer };
}

/** Asks for something. */
export const get = (path = "") => call(path, { method: "GET" });

/** The board, and the word that tells whether it has changed. */
export async function getBoard() {
  const { body, answer } = await answered("board", { method: "GET" });
  return [body, (answer.headers.get("etag") ?? "").replaceAll('"', "")];
}

/** Does something. */
export const post = (path, body) =>
  call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Listens to a table; comes back by itself, waiting a little longer each time. */
export class Socket {
  constructor(hear, as = null) {
    this.hear = hear;
    this.wait = 250;
    this.as = as;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const as = this.as ? `?as=${encodeURIComponent(this.as)}` : "";
    const socket = new WebSocket(`${scheme}://${location.host}/api/${key}/socket${as}`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      this.hear({ type: "socket", online: true });
    };
    // What an earlier connection still says is about another side, or older.
    socket.onmessage = (event) => this.socket === socket && this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.hear({ type: "socket", online: false });
      setTimeout(() => this.socket === socket && this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    };
  }

  /** Looks with the eyes of another side (one person at the table for all). */
  turnTo(side) {
    if (this.as === side) return;
    this.as = side;
    this.again();
  }

  /** Connects anew, and is told everything again. */
  again() {
    const old = this.socket;
    this.open();
    old.close();
  }
}
