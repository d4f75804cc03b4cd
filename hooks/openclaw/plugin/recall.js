// What a turn is told. It is asked for with the message already, some time before the host asks: a turn waits for it only briefly.
import { fenced, hitLines } from "./talk.js";

const DIGEST = "digest";
const GATHER_MS = 2_000;
const MOST_DIGESTS = 1000; // as many as there are sessions
const OLDER = "(As memory was in the conversation before this one; what came since is not shown yet.)";
const TRY_MS = 250; // after so long the service gives up

/** Say whether two turns are told the same. */
export function isSame(one, other) {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

export class Recall {
  #line;
  #askMs;
  #stable = new Map(); // scope -> what always holds, as it was said last
  #digests = new Map(); // session -> what is told in each later turn of its conversation, as it was said last

  constructor(line, timeoutMs) {
    this.#line = line;
    this.#askMs = Math.max(GATHER_MS, timeoutMs);
  }

  /** Begin to ask what a turn is told; what comes is put into `said`, and `done` is when all of it has come or will not. */
  gather(about) {
    const { key, query, isFirst, isShared, topic } = about;
    const said = {};
    if (isFirst) this.#age(key);
    const part = isFirst && !isShared ? { query } : laterPart(isShared, topic);
    const asked = [this.#context(key, isShared, part).then((context) => (said.context = context))];
    if (!isShared && query) {
      const wanted = { query, max_results: 5, max_tokens: 400, source: "memory", session: key, for_prompt: true };
      if (isFirst) wanted.told = 0; // the context is told instead, and leaves the receipt
      asked.push(this.#line.ask("memory.search", wanted, this.#askMs).then((found) => (said.found = found)));
    }
    const gathered = { about, said, isInVain: false };
    gathered.done = Promise.all(asked.map((each) => each.catch(() => {}))).then(() => (gathered.isInVain = !said.context));
    return gathered;
  }

  /** Ask what always holds and the digest of the conversation, for the next turn. */
  refresh(key, isShared, topic) {
    this.#context(key, isShared, laterPart(isShared, topic)).catch(() => {});
  }

  /** Return what is put into the prompt: what always holds and a digest into the system's part, the rest behind the words, where nobody else listens. */
  injected({ key, isFirst, isShared }, { context, found, kept = [] }) {
    const digest = isShared || (isFirst && context) ? "" : this.#digests.get(key);
    const system = [this.#stable.get(scopeOf(isShared)), digest].filter(Boolean).join("\n\n");
    const [told, corrected] = [kept.flatMap((each) => each.told ?? []), kept.flatMap((each) => each.corrected ?? [])];
    const parts = isShared ? [] : [told.join("\n"), (isFirst && context?.recall?.text) || hitLines(found, corrected)];
    const recall = parts.filter(Boolean).join("\n\n");
    const put = { appendSystemContext: fenced(system), appendContext: fenced(recall) };
    return Object.fromEntries(Object.entries(put).filter(([, text]) => text));
  }

  /** Return the context; the service gives an empty one where it takes long, and the next one sooner. */
  async #context(key, isShared, part) {
    const scope = scopeOf(isShared);
    for (let tries = 0; tries < this.#askMs / TRY_MS; tries += 1) {
      const context = await this.#line.ask("context", { host: "openclaw", session: key, scope, ...part }, this.#askMs);
      if (!context?.stable?.hash) continue;
      this.#stable.set(scope, context.stable.text);
      if (part.part === DIGEST) this.#keep(key, context.recall.text);
      return context;
    }
    return null;
  }

  /** Mark the digest of a conversation that is over: it is told where nothing newer came. */
  #age(key) {
    const digest = this.#digests.get(key);
    if (digest && !digest.endsWith(OLDER)) this.#digests.set(key, `${digest}\n\n${OLDER}`);
  }

  #keep(key, digest) {
    this.#digests.delete(key);
    if (this.#digests.size >= MOST_DIGESTS) this.#digests.delete(this.#digests.keys().next().value);
    this.#digests.set(key, digest);
  }
}

/** Return which part of the context a later turn is told; it hangs on how the conversation began, so that it stays the same. */
function laterPart(isShared, topic) {
  return isShared ? { part: "stable" } : { part: DIGEST, query: topic };
}

function scopeOf(isShared) {
  return isShared ? "group" : "main";
}
