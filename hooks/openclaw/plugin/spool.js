// What could not be said while the service was away: kept in a file, and said in its order when the service is back.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const MOST_BYTES = 32 * 1024 * 1024;
const PRIVATE = { mode: 0o600 };

export class Spool {
  #file;
  #isBusy = false;
  #claims = 0;

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
    this.#append(line);
    return true;
  }

  /** Say all that waits, the oldest first; `say` resolves once it is said, and rejects where it has to stay. */
  async drain(say) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (const file of this.#claimed()) await this.#said(file, say);
    } catch {
      // the service is away again: what is left waits
    } finally {
      this.#isBusy = false;
    }
  }

  async #said(file, say) {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    try {
      while (lines.length) {
        const request = parsed(lines[0]);
        if (request) await say(request.method, request.params);
        lines.shift();
      }
    } finally {
      if (lines.length) this.#append(lines.map((each) => `${each}\n`).join(""));
      rmSync(file, { force: true });
    }
  }

  /** Take the files that wait: no other process of the host says them meanwhile, and what one that is gone had taken is taken, too. */
  #claimed() {
    const [folder, name] = [dirname(this.#file), basename(this.#file)];
    const waiting = listed(folder).filter((each) => each === name || isOrphan(each, name));
    const taken = [];
    for (const each of waiting.sort().reverse()) {
      const mine = `${this.#file}.${process.pid}-${(this.#claims += 1)}`;
      try {
        renameSync(join(folder, each), mine);
        taken.push(mine);
      } catch {
        // another process was faster
      }
    }
    return taken;
  }

  #append(lines) {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, lines, PRIVATE);
  }

  #size() {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}

function listed(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Say whether a file was taken by a process that is gone. */
function isOrphan(file, name) {
  const owner = file.startsWith(`${name}.`) ? Number.parseInt(file.slice(name.length + 1), 10) : Number.NaN;
  if (!(owner > 0) || owner === process.pid) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null; // half a line, of a process that was killed
  }
}
