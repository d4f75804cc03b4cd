// What could not be said while the service was away: kept in a file, and said in its order when the service is back.
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const MOST_BYTES = 32 * 1024 * 1024;
const PRIVATE = { mode: 0o600 };
const HELD = "-held-";
const HELD_MS = 60_000; // so long a host that was killed may still bring what it had brought before

export class Spool {
  #file;
  #heldUntil;
  #isBusy = false;
  #left = null; // what a process that was killed had held: the end of its name -> its place

  constructor(file, heldMs = HELD_MS) {
    this.#file = file;
    this.#heldUntil = Date.now() + heldMs;
  }

  get isEmpty() {
    return this.#size() === 0;
  }

  /** Say whether anything waits here, what others left as well. */
  get isWaiting() {
    return !this.isEmpty || this.#waiting().length > 0;
  }

  /** Keep a request; say whether there was room for it. */
  keep(method, params) {
    const line = lineOf(method, params);
    if (this.#size() + line.length > MOST_BYTES) return false;
    this.#append(line);
    return true;
  }

  /**
   * Keep a request aside that is not yet as it should be said, and return what takes it away. If this process is killed meanwhile,
   * the next one says it as it is here, unless the host brings what has this `key` again.
   */
  hold(method, params, key) {
    const end = `${HELD}${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
    const mine = `${this.#own()}${end}`;
    try {
      this.#forget(end);
      this.#inFolder();
      writeFileSync(mine, lineOf(method, params), PRIVATE);
    } catch {
      return () => {}; // no room: it is said all the same
    }
    return () => rmSync(mine, { force: true });
  }

  #forget(end) {
    this.#left ??= new Map(this.#waiting().filter(isHeld).map((each) => [each.slice(each.indexOf(HELD)), each]));
    const left = this.#left.get(end);
    if (left) rmSync(join(dirname(this.#file), left), { force: true });
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
    const folder = dirname(this.#file);
    const isTime = Date.now() >= this.#heldUntil;
    const taken = [];
    for (const each of this.#waiting().filter((name) => isTime || !isHeld(name))) {
      const mine = this.#own();
      try {
        renameSync(join(folder, each), mine);
        taken.push(mine);
      } catch {
        // another process was faster
      }
    }
    return taken;
  }

  /** Return the files that wait: first what processes left that are gone, then what this file has. */
  #waiting() {
    const name = basename(this.#file);
    const all = listed(dirname(this.#file));
    return [...all.filter((each) => isOrphan(each, name)).sort(), ...all.filter((each) => each === name)];
  }

  /** Return the place of a file that is this process's alone while it lives. */
  #own() {
    return `${this.#file}.${process.pid}-${beginOf(process.pid)}-${Date.now()}-${randomUUID().slice(0, 8)}`;
  }

  #inFolder() {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
  }

  #append(lines) {
    this.#inFolder();
    appendFileSync(this.#file, lines, PRIVATE);
  }

  #size() {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }
}

function isHeld(file) {
  return file.includes(HELD);
}

function lineOf(method, params) {
  return `${JSON.stringify({ method, params })}\n`;
}

function listed(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Say whether a file is a process's that is gone; in a container the next one may have the same number. */
function isOrphan(file, name) {
  if (!file.startsWith(`${name}.`)) return false;
  const [owner, began] = file.slice(name.length + 1).split("-");
  return Number(owner) > 0 && beginOf(owner) !== began;
}

/** Return when a process began, as the system counts it: "0" where it does not say, null where there is no such process. */
function beginOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(")").at(-1).split(" ")[20];
  } catch {
    return isAlive(pid) ? "0" : null;
  }
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null; // half a line, of a process that was killed
  }
}
