// What could not be said while the service was away: kept in a file, and said in its order when the service is back.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const MOST_BYTES = 32 * 1024 * 1024;
const PRIVATE = { mode: 0o600 };

export class Spool {
  #file;
  #isBusy = false;

  constructor(file) {
    this.#file = file;
  }

  get isEmpty() {
    return this.#size() === 0;
  }

  /** Keep a request; say whether there was room for it. */
  keep(method, params) {
    const line = `${JSON.stringify({ method, params })}\n`;
    if (this.#size() + line.length > MOST_BYTES) return false;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, line, PRIVATE);
    return true;
  }

  /** Say all that waits, the oldest first; `say` resolves once it is said, and rejects where it has to stay. */
  async drain(say) {
    if (this.#isBusy || this.isEmpty) return;
    this.#isBusy = true;
    try {
      for (let line = this.#first(); line !== null; line = this.#first()) {
        const request = parsed(line);
        if (request) await say(request.method, request.params);
        this.#dropFirst();
      }
    } catch {
      // the service is away again: what is left stays
    } finally {
      this.#isBusy = false;
    }
  }

  #size() {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  #text() {
    return this.isEmpty ? "" : readFileSync(this.#file, "utf8");
  }

  #first() {
    const text = this.#text();
    return text ? text.slice(0, ends(text)) : null;
  }

  #dropFirst() {
    const text = this.#text();
    const left = text.slice(ends(text) + 1);
    if (!left) return rmSync(this.#file, { force: true });
    writeFileSync(`${this.#file}.new`, left, PRIVATE);
    return renameSync(`${this.#file}.new`, this.#file);
  }
}

function ends(text) {
  const at = text.indexOf("\n");
  return at < 0 ? text.length : at;
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null; // half a line, of a process that was killed
  }
}
