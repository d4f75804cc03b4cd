// One line to clawgit's service: a request is a line of JSON, so is its answer. Every wait has an end.
import { closeSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, dirname } from "node:path";

/** The service said no to what is asked; the same request would be refused again. */
export class RefusedError extends Error {}

/** The service does not take it now, for a reason outside of the request: somebody else is at the store, the disk is full, a setting is wrong. */
export class NotNowError extends Error {}

const OUTSIDE = [1, 4, 5]; // exit statuses of a command that the disk, the settings, or somebody else kept from it
const LONGEST_PLACE = 100; // bytes: the system takes 108, with an end
const LONGEST = 16 * 1024 * 1024;

export class ServiceLine {
  #place;
  #tokenFile;
  #socket = null;
  #token = "";
  #rest = "";
  #number = 0;
  #waiting = new Map();

  constructor(place, tokenFile) {
    this.#place = place;
    this.#tokenFile = tokenFile;
  }

  /** Resolve to a method's result; reject when it is refused, when nobody is there, and after `ms`. */
  ask(method, params, ms) {
    return new Promise((resolve, reject) => {
      let socket;
      try {
        socket = this.#connected();
      } catch (error) {
        reject(error);
        return;
      }
      const number = ++this.#number;
      // a host that was busy for so long reads first what came meanwhile
      const late = () => setImmediate(() => this.#settle(number, (each) => each.reject(new Error(`no answer after ${ms} ms`))));
      const timer = setTimeout(late, ms);
      this.#waiting.set(number, { resolve, reject, timer });
      socket.ref();
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: number, method, params: { ...params, token: this.#token } })}\n`);
    });
  }

  close() {
    this.#lost(new Error("closed"));
  }

  #connected() {
    this.#token = readFileSync(this.#tokenFile, "utf8").trim(); // each time: who leaves and connects again has another
    if (this.#socket) return this.#socket;
    this.#rest = "";
    const { place, done } = reachable(this.#place);
    const socket = connect(place);
    done();
    socket.setEncoding("utf8");
    socket.on("data", (part) => this.#read(socket, part));
    socket.on("error", (error) => this.#lost(error, socket));
    socket.on("close", () => this.#lost(new Error("the service went away"), socket));
    this.#socket = socket;
    return socket;
  }

  #read(socket, part) {
    if (socket !== this.#socket) return;
    const lines = (this.#rest + part).split("\n");
    this.#rest = lines.pop();
    if (this.#rest.length > LONGEST) return this.#lost(new Error("the answer has no end"));
    for (const line of lines) this.#answered(line);
  }

  #answered(line) {
    let said;
    try {
      said = JSON.parse(line);
    } catch {
      return this.#lost(new Error("the service does not speak JSON"));
    }
    if (typeof said !== "object" || said === null) return this.#lost(new Error("the service does not speak JSON-RPC"));
    if (!this.#waiting.has(said.id)) return this.#unnumbered(said);
    this.#settle(said.id, (each) => {
      if (!said.error) return each.resolve(said.result);
      const { message, data } = said.error;
      const Refusal = OUTSIDE.includes(data?.exit) ? NotNowError : RefusedError;
      each.reject(new Refusal([message, data?.hint].filter(Boolean).join(" ")));
    });
  }

  /** Take an answer that names no request for that to the oldest: the service answers a line in its order. */
  #unnumbered(said) {
    const [oldest] = this.#waiting.keys();
    if ((said.id ?? null) !== null || oldest === undefined) return; // of one that nobody waits for any more
    this.#settle(oldest, (each) => each.reject(new Error(said.error?.message ?? "an answer without a number")));
  }

  #settle(number, end) {
    const each = this.#waiting.get(number);
    if (!each) return;
    this.#waiting.delete(number);
    clearTimeout(each.timer);
    if (!this.#waiting.size) this.#socket?.unref();
    end(each);
  }

  #lost(error, socket = this.#socket) {
    if (socket === null || socket !== this.#socket) return;
    this.#socket = null;
    socket.destroy();
    for (const number of [...this.#waiting.keys()]) this.#settle(number, (each) => each.reject(error));
  }
}

/** Return a place by which a socket can be reached whose own path is too long for it, and what to do once it is. */
function reachable(place) {
  if (Buffer.byteLength(place) <= LONGEST_PLACE) return { place, done: () => {} };
  const folder = openSync(dirname(place), "r");
  return { place: `/proc/self/fd/${folder}/${basename(place)}`, done: () => closeSync(folder) };
}

/** Return the token of a connection, empty where there is none. */
export function tokenIn(tokenFile) {
  try {
    return readFileSync(tokenFile, "utf8").trim();
  } catch {
    return "";
  }
}
