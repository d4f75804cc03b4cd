// Lends the host's model to clawgit's agents: one line of JSON in, one out, for whoever has the connection's token.
import { timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";

const LONGEST = 4 * 1024 * 1024;
const AT_ONCE = 4;

export class ModelDoor {
  #place;
  #tokenFiles;
  #log;
  #server = null;
  #busy = 0;

  constructor(place, tokenFiles, log) {
    this.#place = place;
    this.#tokenFiles = tokenFiles;
    this.#log = log;
  }

  /** Listen, unless another process of the host does; `complete` is the host's `llm.complete`. Resolves to whether it listens. */
  async open(complete) {
    if (this.#server || (await isAnswered(this.#place))) return false;
    mkdirSync(dirname(this.#place), { recursive: true, mode: 0o700 });
    rmSync(this.#place, { force: true });
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket, complete));
    this.#server.on("error", (error) => this.#log(`clawgit: the model cannot be lent: ${error.message}`));
    await new Promise((done) => this.#server.once("error", done).listen(this.#place, done));
    if (this.#server.listening) chmodSync(this.#place, 0o600);
    this.#server.unref();
    return this.#server.listening;
  }

  close() {
    this.#server?.close();
    this.#server = null;
  }

  #serve(socket, complete) {
    const gone = new AbortController();
    let said = "";
    let isAsked = false;
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("close", () => gone.abort());
    socket.on("data", async (part) => {
      if (isAsked) return;
      said += part;
      if (said.length > LONGEST) return socket.destroy();
      const end = said.indexOf("\n");
      if (end < 0) return;
      isAsked = true;
      const answer = await this.#answer(said.slice(0, end), complete, gone.signal);
      if (!socket.destroyed) socket.end(`${JSON.stringify(answer)}\n`);
    });
  }

  async #answer(line, complete, signal) {
    if (this.#busy >= AT_ONCE) return { error: "The model is asked too much at once." };
    this.#busy += 1;
    try {
      const { token, messages, max_tokens: maxTokens } = JSON.parse(line);
      if (!this.#tokenFiles.some((each) => isToken(token, each))) return { error: "This token belongs to no connection." };
      const system = messages.filter((each) => each.role === "system").map((each) => each.content);
      const done = await complete({
        messages: messages.filter((each) => each.role !== "system"),
        ...(system.length ? { systemPrompt: system.join("\n\n") } : {}),
        maxTokens,
        purpose: "clawgit",
        signal,
      });
      return { text: done.text, tokens: done.usage?.totalTokens, cut: done.stopReason === "length" };
    } catch (error) {
      return { error: String(error?.message ?? error), reached: true };
    } finally {
      this.#busy -= 1;
    }
  }
}

function isToken(given, file) {
  const own = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  const [one, other] = [Buffer.from(String(given)), Buffer.from(own)];
  return own !== "" && one.length === other.length && timingSafeEqual(one, other);
}

function isAnswered(place) {
  return new Promise((done) => {
    const socket = connect(place);
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
