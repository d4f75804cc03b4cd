// What could not be said while the service was away: kept in a file, and said in its order when the service is back.
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NotNowError } from "./service_line.js";

const MOST_BYTES = 32 * 1024 * 1024;
const PRIVATE = { mode: 0o600 };
const HELD = "-held-";
const HELD_MS = 60_000; // so long a host that was killed may still bring what it had brought before
const ASIDE = ".aside"; // with this in its name nothing is said again by itself; `clawgit doctor` names it
const MOST_TRIES = 5;

/** The service answers, and yet it does not take this request. */
export class UndeliverableError extends Error {}

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

  /**
   * Say all that waits, the oldest first; `say` resolves once it is said, and rejects where it has to stay. A request that
   * is not taken holds up no other one; one that is undeliverable is put aside after so many tries.
   */
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
    const lines = this.#linesIn(file);
    const again = [];
    try {
      while (lines.length) {
        const failed = await failedRequest(lines[0], say);
        if (failed?.tries >= MOST_TRIES) this.#putAside(failed);
        else if (failed) again.push(failed);
        lines.shift();
      }
    } finally {
      const left = [...again.map((each) => JSON.stringify(each)), ...lines];
      if (left.length) this.#append(left.map((each) => `${each}\n`).join(""));
      rmSync(file, { force: true });
    }
  }

  #putAside({ method, params }) {
    appendFileSync(this.#regular(`${this.#file}${ASIDE}`), lineOf(method, params), PRIVATE);
  }

  /** Take the files that wait: no other process of the host says them meanwhile, and what one that is gone had taken is taken, too. */
  #claimed() {
    const folder = dirname(this.#file);
    const isTime = Date.now() >= this.#heldUntil;
    const taken = [];
    for (const each of this.#waiting().filter((name) => isTime || !isHeld(name))) {
      const mine = this.#own();
      try {
        renameSync(this.#regular(join(folder, each)), mine);
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

  /** Return a place at which there is a file, or nothing; what else is there is put aside. */
  #regular(place) {
    const there = statSync(place, { throwIfNoEntry: false });
    if (there && !there.isFile()) this.#moveAside(place);
    return place;
  }

  #moveAside(place) {
    renameSync(place, `${this.#file}${ASIDE}-${Date.now()}-${randomUUID().slice(0, 8)}`);
  }

  /** Return the lines of a file; one that cannot be read is put aside. */
  #linesIn(file) {
    try {
      return readFileSync(file, "utf8").split("\n").filter(Boolean);
    } catch {
      this.#moveAside(file);
      return [];
    }
  }

  #inFolder() {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
  }

  #append(lines) {
    this.#inFolder();
    appendFileSync(this.#regular(this.#file), lines, PRIVATE);
  }

  #size() {
    const there = statSync(this.#file, { throwIfNoEntry: false });
    return there?.isFile() ? there.size : 0;
  }
}

/** Say the request in a line; return it, with one try more, where it is undeliverable. */
async function failedRequest(line, say) {
  const request = parsed(line);
  if (typeof request?.method !== "string") return null;
  const { method, params, tries = 0 } = request;
  try {
    await say(method, params);
    return null;
  } catch (error) {
    if (error instanceof NotNowError) return request;
    if (error instanceof UndeliverableError) return { method, params, tries: tries + 1 };
    throw error;
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
