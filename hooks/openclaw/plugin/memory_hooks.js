// What each of OpenClaw's events asks of memory. No event waits longer than `timeoutMs`, and none fails.
import { basename, dirname, join, resolve } from "node:path";
import { FlushPlan } from "./flush_plan.js";
import { HeldMessage } from "./held_message.js";
import { MemoryFiles, unclassified } from "./memory_files.js";
import { Recall, isSame } from "./recall.js";
import { NotNowError, RefusedError, ServiceLine, tokenIn } from "./service_line.js";
import { Sessions } from "./sessions.js";
import { Spool, UndeliverableError } from "./spool.js";
import { agentOf, answerOf, bounded, isForwarded, isFromOutside, isGroup, isListed, isMarkedOutside, isOfPerson, keyOf, messageOf, proofOf, withoutFence } from "./talk.js";
import { mayAsk, toolsFor } from "./tools.js";

const WRITE_MS = 10_000; // nobody waits for it
const AGAIN_MS = 5_000;
const MOST_COMPARED = 200; // characters by which a message is known in a prompt: a long one is cut
const CHANGES = ["memory.add", "correct"];
const ENDINGS = ["new", "reset", "idle", "daily", "deleted"];

export class MemoryHooks {
  #own;
  #token;
  // the service answers a line in its order: what a turn waits for must not stand behind what nobody waits for
  #writes;
  #ends;
  #asks;
  #spool;
  #sessions = new Sessions();
  #recall;
  #files;
  #seen = new Map(); // event -> the day on which the service was told that it fires
  #flush;
  #again = null;
  #pending = new Set();

  constructor(own) {
    this.#own = { owners: () => undefined, log: () => {}, ...own };
    this.#writes = this.#line();
    this.#ends = this.#line();
    this.#asks = this.#line();
    this.#forget();
    this.#flush = new FlushPlan(this.#asks);
    this.#spool = new Spool(own.spool);
    this.#tryAgain(); // what another process left, too
  }

  /** Take what the host gives anew with each registration: its list of owners, its log, and its version. */
  attached({ owners, log, version }) {
    Object.assign(this.#own, { owners, log, version });
    if (tokenIn(this.#own.tokenFile) !== this.#token) this.#forget();
    return this;
  }

  #line() {
    return new ServiceLine(this.#own.socket, this.#own.tokenFile);
  }

  /** Know nothing that was said on an earlier connection: memory changed since then, and nobody told this host. */
  #forget() {
    const { spool, timeoutMs, tokenFile } = this.#own;
    this.#token = tokenIn(tokenFile);
    this.#recall = new Recall(this.#line(), timeoutMs);
    this.#files = new MemoryFiles(this.#line(), timeoutMs, join(dirname(spool), `shown-${basename(spool)}`));
  }

  handlers() {
    const calls = {
      message_received: (event, ctx) => this.#received(event, ctx),
      before_message_write: (event, ctx) => this.#stored(event, ctx),
      before_prompt_build: (event, ctx) => this.#prompt(event, ctx),
      after_tool_call: (event, ctx) => this.#used(event, ctx),
      agent_end: (event, ctx) => this.#ended(event, ctx),
      session_end: (event, ctx) => this.#sessionEnded(event, ctx),
      before_reset: (event, ctx) => this.#reset(ctx),
      after_compaction: (event, ctx) => this.#compacted(ctx),
      resolve_exec_env: (event, ctx) => (this.serves(ctx) ? { CLAWGIT_ACTOR: "host", CLAWGIT_SESSION: event.sessionKey ?? ctx?.sessionKey ?? "" } : undefined),
      gateway_stop: () => this.close(),
    };
    return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, this.#safe(name, call)]));
  }

  /** Take the host's internal event of a message as its model reads it. */
  get preprocessed() {
    return this.#safe("message:preprocessed", (event) => this.#preprocessed(event));
  }

  /** Put our text of the files of memory into the place of the raw ones; takes the host's internal event. */
  get bootstrapped() {
    return this.#safe("agent:bootstrap", ({ context, sessionKey }) => {
      const key = context?.sessionKey ?? sessionKey;
      if (context && this.serves({ ...context, sessionKey: key })) return this.#files.put({ ...context, sessionKey: key }, this.#isShared(key) || this.#isStrangers(key), this.#own.version?.());
    });
  }

  /** Say whose files of memory are, for the host's own choice of what it puts into a prompt. */
  classified(params) {
    return this.serves(params) ? this.#files.classified(params) : unclassified(params);
  }

  tools(ctx) {
    if (!this.serves(ctx)) return null;
    const listed = isListed(ctx.messageChannel, ctx.requesterSenderId, this.#own.owners());
    const evidence = async () => (await this.#sessions.answeredBy(ctx)?.kept)?.id;
    const group = this.#isShared(ctx.sessionKey) ? { session: ctx.sessionKey, scope: "group" } : {};
    const isOutside = () => [this.#sessions.known(ctx.sessionKey ?? ""), this.#sessions.answeredBy(ctx)].some((each) => each?.isOutside);
    const ask = (method, params, ms) => this.#asks.ask(method, CHANGES.includes(method) && isOutside() ? { ...params, external: true } : params, ms);
    return toolsFor(mayAsk(ctx, listed), ask, evidence, group);
  }

  /** Say whether others than the owner read what is said in a session. */
  #isShared(key) {
    return isGroup(key) || this.#sessions.known(key ?? "")?.place?.group === true;
  }

  /** Say whether the last message of a session is of somebody else than the owner: who cannot be told is none. */
  #isStrangers(key) {
    const session = this.#sessions.known(key ?? "");
    const last = session?.held?.at(-1) ?? session;
    return last?.isOwner === false;
  }

  flushPlan(nowMs) {
    return this.#flush.at(nowMs);
  }

  /** Hand over what is held; resolves once all that was said is with the service or in the spool. */
  async close() {
    for (const held of this.#sessions.allHeld()) held.release();
    clearTimeout(this.#again);
    this.#again = null;
    while (this.#pending.size) await Promise.all(this.#pending);
  }

  #safe(name, call) {
    const failed = (error) => this.#own.log(`clawgit: ${name}: ${error?.message ?? error}`);
    return (event, ctx) => {
      try {
        this.#note(name);
        const done = call(event ?? {}, ctx ?? {});
        return done instanceof Promise ? done.catch(failed) : done;
      } catch (error) {
        return failed(error);
      }
    };
  }

  /** Tell the service once a day that an event fires, so that `clawgit doctor` knows. */
  #note(name) {
    const day = new Date().toISOString().slice(0, 10);
    if (this.#seen.get(name) === day) return;
    this.#seen.set(name, day);
    this.#writes.ask("host.event", { said: { hook_event_name: name }, at: Date.now() / 1000 }, WRITE_MS).catch(() => this.#seen.delete(name));
  }

  /** Say whether something happens in this workspace, as far as the host says where. */
  serves(ctx) {
    const { workspace, agents } = this.#own;
    if (workspace && ctx?.workspaceDir && resolve(ctx.workspaceDir) !== resolve(workspace)) return false;
    const agent = ctx?.agentId ?? agentOf(ctx?.sessionKey);
    return !agents?.length || !agent || agents.includes(agent);
  }

  #received(event, ctx) {
    const message = messageOf(event, ctx);
    if (!message || !this.serves({ ...ctx, sessionKey: message.session })) return;
    const session = this.#sessions.at(message.session);
    session.heard = true;
    session.said = message.text;
    session.sender = message.sender;
    session.place = { channel: message.channel, conversation: message.conversation, ...(message.group ? { group: true } : {}) };
    session.places.set(JSON.stringify(session.place), session.place);
    const isListedOwner = isListed(message.channel, message.sender, this.#own.owners());
    // a Gateway that is killed before it says more: then nobody knows whether it was forwarded
    const settled = this.#spool.hold("message.in", { ...message, external: true }, keyOf(message));
    session.kept = new Promise((done) => {
      const held = new HeldMessage(message, isListedOwner, (known) => {
        session.held.splice(session.held.indexOf(held), 1);
        session.isOwner = held.isOwner;
        this.#tracked(this.#written("message.in", known).finally(settled)).then(done);
      });
      session.held.push(held);
    });
    const { turn } = session;
    session.kept.then((kept) => kept && session.untold.push({ ...kept, message, turn }));
    const isShared = isListedOwner === false || this.#isShared(message.session);
    session.gathered = this.#recall.gather({ key: message.session, query: message.text.slice(0, 2000), isFirst: session.isFresh, isShared, topic: session.topic });
  }

  /** The host stores a message and says whether its owner sent it. Synchronous: a promise is not waited for. */
  #stored(event, ctx) {
    if (isMarkedOutside(event.message)) this.#sessions.at(event.sessionKey ?? ctx.sessionKey ?? "").isOutside = true;
    const proof = proofOf(event, ctx);
    if (proof) this.#sessions.held(proof.session, proof.id)?.prove(proof.isOwner);
  }

  #preprocessed(event) {
    const { body, messageId } = event.context ?? {};
    if (messageId) this.#sessions.held(event.sessionKey ?? "", messageId)?.mark(isForwarded(body));
  }

  async #prompt(event, ctx) {
    if (!isOfPerson(ctx, event.prompt) || !this.serves(ctx)) return undefined;
    const key = ctx.sessionKey ?? "";
    const session = this.#sessions.at(key);
    session.runs.add(ctx.runId);
    session.isFresh ||= !event.messages?.length;
    session.prompt = withoutFence(event.currentUserMessage || event.prompt || "");
    this.#adopt(session);
    for (const held of [...session.held]) held.release();
    const isStranger = session.heard && session.isOwner === false;
    const early = session.gathered?.about.query;
    const query = early && session.prompt.includes(early) ? early : session.prompt.slice(0, 2000); // 2026.7 puts its own before it
    const about = { key, query, isFirst: session.isFresh, isShared: isStranger || this.#isShared(key), topic: session.topic };
    const isAsked = isSame(session.gathered?.about, about) && !session.gathered.isInVain;
    const { said, done } = isAsked ? session.gathered : this.#recall.gather(about);
    session.gathered = null;
    const all = [done];
    if (session.heard && session.kept && !isStranger) all.push(session.kept);
    await Promise.race([Promise.all(all), after(this.#own.timeoutMs)]);
    this.#flush.refresh();
    if (said.context && session.isFresh && !about.isShared) Object.assign(session, { isFresh: false, topic: query });
    const { turn } = session;
    session.turn += 1;
    if (isStranger) return this.#recall.injected(about, {});
    const kept = session.untold.splice(0).map((each) => (each.turn < turn ? ofItsMessage(each, session.prompt) : each)); // late ones come in the next turn
    return this.#recall.injected(about, { ...said, kept });
  }

  /** Take a message for a run's that the host brought without the name of its session. */
  #adopt(session) {
    const loose = this.#sessions.known("");
    if (session.heard || !loose?.heard || !session.prompt.includes(loose.said)) return;
    for (const held of [...loose.held]) held.release();
    const { kept, untold, isOwner, place } = loose;
    Object.assign(session, { heard: true, kept, untold, isOwner, place });
    session.places.set(JSON.stringify(place), place);
    loose.heard = false;
  }

  /** Note that a turn has read what others wrote: what it adds to memory is theirs. */
  #used(event, ctx) {
    if (this.serves(ctx) && isFromOutside(event.toolName, event.params)) this.#sessions.at(ctx.sessionKey ?? "").isOutside = true;
  }

  #ended(event, ctx) {
    if (!this.serves(ctx)) return;
    const run = ctx.runId ?? event.runId;
    const session = this.#sessions.known(ctx.sessionKey ?? "");
    // an announcement's end says nothing of what it was: only a run that was a person's when it began is one
    const isTurn = session?.runs.delete(run) && isOfPerson(ctx);
    if (isTurn) this.#captureTurn(session, run ?? String(Date.now()), event, ctx);
    const kept = this.#write("turn.end", session?.isOutside ? { external: true } : {});
    if (session) session.isOutside = false;
    if (isTurn) kept.then(() => this.#recall.refresh(ctx.sessionKey ?? "", this.#isShared(ctx.sessionKey), session.topic));
  }

  #captureTurn(session, run, event, ctx) {
    const key = ctx.sessionKey ?? "";
    const isHeard = session.heard || (session.said && session.prompt.includes(session.said)); // the host may do a turn again
    const place = isHeard && session.place ? session.place : { channel: "openclaw", conversation: key };
    const common = { ...place, session: key, at: new Date().toISOString() };
    if (!isHeard && session.prompt) {
      // no channel brought it: a program or a person at the command line, which nothing tells apart
      this.#write("message.in", { ...common, text: bounded(session.prompt), role: "user", id: `prompt-${run}`, proved: "other" });
    }
    session.heard = false;
    const text = answerOf(event.messages ?? []);
    if (text) this.#write("message.in", { ...common, text, role: "assistant", id: `answer-${run}` });
  }

  #sessionEnded(event, ctx) {
    const key = event.sessionKey ?? ctx.sessionKey;
    if (key && ENDINGS.includes(event.reason)) this.#reset({ ...ctx, sessionKey: key });
  }

  #reset(ctx) {
    const key = ctx.sessionKey;
    if (!key || isOfPerson({ ...ctx, trigger: "user" }) === false || !this.serves(ctx)) return;
    const isKnown = this.#sessions.known(key) !== undefined;
    const session = this.#sessions.at(key);
    // of what was said before the Gateway's start nobody knows the place: the latest of the session's ends
    const places = isKnown ? [...session.places.values()] : [{}];
    session.isFresh = true;
    session.places.clear();
    for (const { channel, conversation } of places) this.#write("session.end", { session: key, channel, conversation });
  }

  #compacted(ctx) {
    const session = this.#sessions.known(ctx.sessionKey ?? "");
    if (session) session.isFresh = true;
  }

  /** Hand something over that must not be lost: it waits in the spool while nobody is there. Resolves to null then. */
  #write(method, params) {
    return this.#tracked(this.#written(method, params));
  }

  #tracked(work) {
    this.#pending.add(work);
    return work.finally(() => this.#pending.delete(work));
  }

  async #written(method, params) {
    const line = method === "message.in" ? this.#writes : this.#ends;
    try {
      const said = await line.ask(method, params, WRITE_MS);
      if (!this.#spool.isEmpty) this.#drain();
      return said;
    } catch (error) {
      if (error instanceof RefusedError || error instanceof NotNowError) this.#own.log(`clawgit: ${method}: ${error.message}`);
      if (!(error instanceof RefusedError) && this.#keep(method, params)) this.#tryAgain();
      return null;
    }
  }

  #keep(method, params) {
    try {
      if (this.#spool.keep(method, params)) return true;
      this.#own.log("clawgit: the spool is full; what is said now is lost.");
    } catch (error) {
      this.#own.log(`clawgit: the spool cannot be written: ${error.message}`);
    }
    return false;
  }

  async #drain() {
    const say = async (method, params) => {
      try {
        await this.#writes.ask(method, params, WRITE_MS);
      } catch (error) {
        if (error instanceof RefusedError) return; // a refusal will not be another one later
        if (error instanceof NotNowError) throw error;
        throw (await this.#isThere()) ? new UndeliverableError(error.message) : error;
      }
    };
    await this.#tracked(this.#spool.drain(say));
    if (this.#spool.isWaiting) this.#tryAgain();
  }

  /** Say whether the service answers other requests. */
  async #isThere() {
    try {
      await this.#ends.ask("triage", { text: "" }, WRITE_MS);
      return true;
    } catch (error) {
      return error instanceof RefusedError || error instanceof NotNowError;
    }
  }

  #tryAgain() {
    if (this.#again) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#drain();
    }, AGAIN_MS);
    this.#again.unref();
  }
}

/** Return what came of a message; of another one than the prompt, with when that was said: "this" is not the prompt. */
function ofItsMessage({ message, told = [], ...kept }, prompt) {
  if (!told.length || prompt.includes(message.text.slice(0, MOST_COMPARED))) return { ...kept, told };
  return { ...kept, told: [`Of the user's message of ${message.at.slice(0, 16).replace("T", " ")} UTC, not of this one:`, ...told] };
}

function after(ms) {
  return new Promise((done) => setTimeout(() => setImmediate(done), ms));
}
