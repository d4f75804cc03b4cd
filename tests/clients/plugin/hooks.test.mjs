import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ServiceLine } from "../../../hooks/openclaw/plugin/service_line.js";
import { KEY, NO_NUMBER, message, prompt, room, run } from "./service.mjs";

const stored = (isOwner, id) => ({ message: { role: "user", __openclaw: { senderIsOwner: isOwner, transport: { messageId: id } } }, sessionKey: KEY });
const context = { stable: { text: "Corrections: rent is due on the 2nd.", hash: "h" }, recall: { text: "Notes.", hash: "i" } };
const ended = { messages: [{ role: "user", content: "Hi" }, { role: "assistant", content: [{ type: "text", text: "Noted." }] }] };

test("a message comes with its sender, its chat and its session", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  here.on.message_received(...message("I like tea. <clawgit_context>old</clawgit_context>"));
  const [said] = await here.until("message.in");
  assert.deepEqual(said, {
    text: "I like tea.", role: "user", channel: "telegram", conversation: "4242", session: KEY, sender: "4242",
    at: "2026-11-20T07:11:54.000Z", id: "1001", proved: "operator", token: "openclaw.secret",
  });
});

for (const [what, who, owners, isOwner, proved] of [
  ["listed", "4242", ["telegram:4242"], undefined, "operator"],
  ["not listed", "777", ["telegram:4242"], undefined, "other"],
  ["nobody is listed", "777", [], undefined, undefined],
  ["everybody is allowed", "777", ["*"], undefined, undefined],
  ["the host's bit over the list", "4242", ["telegram:4242"], false, "other"],
  ["the host's bit alone", "777", [], true, "operator"],
]) {
  test(`who spoke: ${what}`, { timeout: 20000 }, async (t) => {
    const here = await room(t, { owners });
    here.on.message_received(...message("Hi", { who }));
    if (isOwner !== undefined) assert.equal(here.on.before_message_write(stored(isOwner, "1001"), {}), undefined);
    const [said] = await here.until("message.in");
    assert.equal(said.proved, proved);
  });
}

test("the bit of another message proves nothing", { timeout: 20000 }, async (t) => {
  const here = await room(t, { owners: [] });
  here.on.message_received(...message("Hi", { id: "2", who: "777" }));
  here.on.before_message_write(stored(true, "1"), {});
  const [said] = await here.until("message.in");
  assert.equal(said.proved, undefined);
});

test("a group's message says so", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  const key = "agent:main:telegram:group:-100";
  here.on.message_received(...message("Hi", { key, from: "telegram:group:-100" }));
  const [said] = await here.until("message.in");
  assert.deepEqual([said.group, said.conversation, said.sender], [true, "-100", "4242"]);
});

for (const [what, body, external] of [
  ["forwarded", "[Telegram Ada] Ada: [Forwarded from Bob at 2026-11-20]\nHi", true],
  ["an answer to what was forwarded", "[Telegram Ada] Ada: Hi\n\n[Reply chain - nearest first]\n[Forwarded from Bob]\nHello\n[/Reply chain]", undefined],
]) {
  test(`whose words: ${what}`, { timeout: 20000 }, async (t) => {
    const here = await room(t);
    here.on.message_received(...message("Hi"), body);
    here.on.before_message_write(stored(true, "1001"), {});
    const [said] = await here.until("message.in");
    assert.deepEqual([said.external, said.proved], [external, "operator"]);
  });
}

test("a message that begins no turn is captured all the same", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  here.hooks.handlers().message_received(...message("Hi"));
  const [said] = await here.until("message.in");
  assert.equal(said.text, "Hi");
});

for (const [what, more, words = "Go on."] of [
  ["a heartbeat", { trigger: "heartbeat" }],
  ["a flush", { trigger: "memory" }],
  ["a job", { trigger: "cron" }],
  ["a sub-agent", { sessionKey: "agent:main:subagent:1" }],
  ["a job's session", { sessionKey: "agent:main:cron:1" }],
  ["an announcement", { inputProvenance: { kind: "inter_session" } }],
  ["an announcement of 2026.7", { runId: "announce:v1:agent:main:subagent:1:2" }],
  ["an announcement that its words alone tell", {}, "[Sun 2026-11-22 01:21 UTC] [Inter-session message] sourceSession=agent:main:subagent:1"],
  ["the host's own upkeep", { sessionKey: "agent:main:internal-session-effects:1" }],
  ["a review of skills", { sessionId: "internal-session-effects-skill-workshop" }],
  ["another workspace", { workspaceDir: "/other" }],
  ["another agent", { agentId: "other" }],
]) {
  test(`nothing is injected and nothing captured for ${what}`, { timeout: 20000 }, async (t) => {
    const here = await room(t, { answers: { context } });
    assert.equal(await here.on.before_prompt_build(prompt(words), run(more)), undefined);
    here.on.agent_end(ended, run({ ...more, inputProvenance: undefined }));
    here.on.message_received(...message("Hi."));
    await here.until("message.in");
    assert.deepEqual(here.of("message.in").map((each) => each.text), ["Hi."]);
    assert.deepEqual(here.of("context").filter((each) => each.query !== "Hi."), []);
  });
}

test("a turn: what holds goes to the system's part, what is of now behind the words; the answer is captured", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context, "message.in": { id: "chat:1" } } });
  here.on.message_received(...message("When is rent due?"));
  const put = await here.on.before_prompt_build(prompt("When is rent due?"), run());
  here.on.agent_end(ended, run());
  await here.until("message.in", 2);
  await here.until("turn.end");
  assert.deepEqual(put, {
    appendSystemContext: "<clawgit_context>\nCorrections: rent is due on the 2nd.\n</clawgit_context>",
    appendContext: "<clawgit_context>\nNotes.\n</clawgit_context>",
  });
  assert.deepEqual(here.of("message.in").map((each) => [each.role, each.id, each.channel, each.conversation, each.text]), [
    ["user", "1001", "telegram", "4242", "When is rent due?"],
    ["assistant", "answer-r1", "telegram", "4242", "Noted."],
  ]);
});

test("later turns search, and only what answers well is told; what came of the message is told first", { timeout: 20000 }, async (t) => {
  const kept = { id: "chat:9", told: ["The user corrected memory.", "More."] };
  const hit = { snippet: "Rent is due.", line: "[MEMORY.md:3] Rent is due. (your agent's word, unverified)" };
  const found = { confidence: "high", results: [hit] };
  const here = await room(t, { answers: { context, "message.in": kept, "memory.search": found } });
  await here.on.before_prompt_build(prompt("Hi"), run());
  here.on.message_received(...message("No, on the 2nd."));
  const { appendContext } = await here.on.before_prompt_build(prompt("No, on the 2nd.", [{}]), run());
  assert.match(appendContext, /\[MEMORY.md:3\] Rent is due. \(your agent's word, unverified\)/);
  assert.match(appendContext, /^<clawgit_context>\nThe user corrected memory\.\nMore\.\n\nFrom memory/);
  assert.doesNotMatch(appendContext, /Notes/);
});

test("a line that the message has just corrected is not told as it was", { timeout: 20000 }, async (t) => {
  // the search may have been answered before the correction was made
  const kept = { id: "chat:9", told: ["The user corrected memory."], corrected: [{ before: "Rent is 900.", text: "Rent is 950." }] };
  const results = [{ snippet: "- Rent is 900.", line: "[MEMORY.md:3] Rent is 900." }, { snippet: "Rent is paid by card.", line: "[MEMORY.md:4] Rent is paid by card." }];
  const here = await room(t, { answers: { context, "message.in": kept, "memory.search": { confidence: "high", results } } });
  await here.on.before_prompt_build(prompt("Hi"), run());
  here.on.message_received(...message("No, 950."));
  const { appendContext } = await here.on.before_prompt_build(prompt("No, 950.", [{}]), run());
  assert.doesNotMatch(appendContext, /900/);
  assert.match(appendContext, /MEMORY.md:4/);
});

// Mutants: it does not say of which message it is; what comes in time does, too.
test("what comes of a message too late for its turn is told in the next one as such, and once", { timeout: 20000 }, async (t) => {
  let release;
  const late = new Promise((done) => (release = done));
  const kept = async () => late.then(() => ({ id: "chat:9", told: ["The user corrected memory."] }));
  const here = await room(t, { answers: { context, "message.in": kept } });
  const turn = async (runId) => (await here.on.before_prompt_build(prompt("Hi", [{}]), run({ runId })))?.appendContext ?? "";
  here.on.message_received(...message("No, on the 2nd."));
  const first = await turn("r1");
  release();
  await here.until("message.in");
  await new Promise((done) => setTimeout(done, 100));
  const [second, third] = [await turn("r2"), await turn("r3")];
  assert.doesNotMatch(first, /corrected/);
  assert.match(second, /Of the user's message of 2026-11-20 07:11 UTC, not of this one:\nThe user corrected memory\./);
  assert.doesNotMatch(third, /corrected/);
});

test("each later turn of a conversation is told its digest, at the end of the system's part, and asked for as it began", { timeout: 20000 }, async (t) => {
  // mutants: the notes are in one request alone; the digest follows each message; what one conversation began with is told in the next; without
  // the service a conversation begins with nothing
  const digest = { ...context, recall: { text: "Digest.", hash: "j" } };
  const here = await room(t, { answers: { context: (asked) => (asked.part === "digest" ? digest : context) } });
  const turn = async (words, messages, runId) => {
    here.on.message_received(...message(words));
    return here.on.before_prompt_build(prompt(words, messages), run({ runId }));
  };
  const first = await turn("Good evening!", [], "r1");
  const later = [await turn("When is rent due?", [{}], "r2"), await turn("And the dog?", [{}], "r3")];
  here.on.session_end({ sessionKey: KEY, reason: "new" }, {});
  const again = await turn("Hi.", [], "r4");
  await here.stop();
  here.on.session_end({ sessionKey: KEY, reason: "new" }, {});
  const alone = await turn("Hello?", [], "r5");

  assert.doesNotMatch(first.appendSystemContext, /Digest/);
  for (const put of later) assert.equal(put.appendSystemContext, "<clawgit_context>\nCorrections: rent is due on the 2nd.\n\nDigest.\n</clawgit_context>");
  assert.doesNotMatch(again.appendSystemContext, /Digest/);
  assert.match(alone.appendSystemContext, /^Digest\.\n\n\(As memory was in the conversation before this one/m);
  const asked = here.of("context").filter((each) => each.part === "digest");
  assert.deepEqual([...new Set(asked.map((each) => each.query))], ["Good evening!"]);
});

for (const [what, read, external] of [
  ["the web", (on) => on.after_tool_call({ toolName: "web_fetch", params: { url: "https://x" } }, run()), true],
  ["another program's answer", (on) => on.after_tool_call({ toolName: "jira__read", params: {} }, run()), true],
  ["a page, by a command", (on) => on.after_tool_call({ toolName: "exec", params: { command: "curl x.example" } }, run()), true],
  ["others' words on a forge", (on) => on.after_tool_call({ toolName: "exec", params: { command: "cd shop\n/usr/bin/gh issue view 12" } }, run()), true],
  ["what OpenClaw marks", (on) => on.before_message_write({ message: { role: "toolResult", __openclaw: { resultContentSource: "network" } }, sessionKey: KEY }, {}), true],
  ["memory", (on) => on.after_tool_call({ toolName: "memory_search", params: { query: "https://x" } }, run()), undefined],
  ["a file", (on) => on.after_tool_call({ toolName: "exec", params: { command: "cat gh-pages/ssh.md" } }, run()), undefined],
]) {
  test(`what a turn adds that read ${what}`, { timeout: 20000 }, async (t) => {
    // mutants: the turn is not known; it never ends
    const here = await room(t, { answers: { context } });
    const add = async () => here.hooks.tools({ ...run(), messageChannel: "telegram" }).find((each) => each.name === "memory_add").execute("1", { text: "A." });
    here.on.message_received(...message("Look at it."));
    await here.on.before_prompt_build(prompt("Look at it."), run());
    read(here.on);
    await add();
    here.on.agent_end(ended, run());
    await here.until("turn.end");
    await here.on.before_prompt_build(prompt("Thanks."), run({ runId: "r2" }));
    await add();
    here.on.agent_end(ended, run({ runId: "r2" }));
    await here.until("turn.end", 2);
    assert.deepEqual(here.of("memory.add").map((each) => each.external), [external, undefined]);
    assert.deepEqual(here.of("turn.end").map((each) => each.external), [external, undefined]);
  });
}

test("a stranger who speaks first takes nothing from the owner's first turn", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context: (asked) => (asked.scope === "group" ? { stable: { text: "", hash: "h" } } : context) } });
  here.on.message_received(...message("Buy now!", { who: "777" }));
  await here.on.before_prompt_build(prompt("Buy now!"), run());
  here.on.message_received(...message("Hi", { id: "1002" }));
  const put = await here.on.before_prompt_build(prompt("Hi", [{}]), run({ runId: "r2" }));
  assert.match(put.appendContext, /Notes/);
});

test("after /new and after a compaction the conversation begins again", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  here.on.message_received(...message("Hi"));
  await here.on.before_prompt_build(prompt("Hi"), run());
  for (const again of [() => here.on.after_compaction({}, run()), () => here.on.session_end({ sessionKey: KEY, reason: "new" }, {})]) {
    again();
    const put = await here.on.before_prompt_build(prompt("Hi", [{}]), run());
    assert.match(put.appendContext, /Notes/);
  }
  here.on.before_reset({}, { sessionKey: KEY });
  const [end] = await here.until("session.end");
  assert.deepEqual([end.session, end.channel, end.conversation], [KEY, "telegram", "4242"]);
  assert.equal(here.of("session.end").length, 1);
});

// Mutants: only where something was said since the start; each of the host's two events of one /new ends a session.
test("after /new right behind the Gateway's start the conversation before it ends", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  here.on.before_reset({}, { sessionKey: KEY });
  here.on.session_end({ sessionKey: KEY, reason: "new" }, {});
  here.on.message_received(...message("Hi"));
  here.on.before_reset({}, { sessionKey: KEY });
  await here.until("session.end", 2);
  assert.deepEqual(here.of("session.end").map(({ session, conversation }) => [session, conversation]), [[KEY, undefined], [KEY, "4242"]]);
});

test("a stranger in the owner's session is told nothing of it", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context: (asked) => (asked.scope === "group" ? { stable: { text: "", hash: "h" } } : context) } });
  here.on.message_received(...message("Hi", { who: "777" }));
  assert.deepEqual(await here.on.before_prompt_build(prompt("Hi"), run()), {});
});

test("what was asked for the owner is not told to a stranger whom the host names later", { timeout: 20000 }, async (t) => {
  const here = await room(t, { owners: [], answers: { context: (asked) => (asked.scope === "group" ? { stable: { text: "", hash: "h" } } : context) } });
  here.on.message_received(...message("Hi", { who: "777" }));
  here.on.before_message_write(stored(false, "1001"), {});
  assert.deepEqual(await here.on.before_prompt_build(prompt("Hi"), run()), {});
});

test("it is asked for with the message, once, also where the host puts words of its own before it", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  here.on.message_received(...message("Hi"));
  await here.until("context");
  const put = await here.on.before_prompt_build(prompt("System: [12:00] Done.\n\nHi"), run());
  assert.match(put.appendContext, /Notes/);
  assert.equal(here.of("context").length, 1);
});

test("an empty context that came because the service was slow is asked for again", { timeout: 20000 }, async (t) => {
  let asked = 0;
  const here = await room(t, { answers: { context: () => ((asked += 1) < 2 ? { stable: { text: "", hash: "" } } : context) } });
  here.on.message_received(...message("Hi"));
  const put = await here.on.before_prompt_build(prompt("Hi"), run());
  assert.match(put.appendSystemContext, /rent is due on the 2nd/);
});

test("what no channel brought is external", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  await here.on.before_prompt_build(prompt("From a script."), run());
  here.on.agent_end(ended, run());
  const [said] = await here.until("message.in", 2);
  assert.deepEqual([said.text, said.proved, said.channel], ["From a script.", "other", "openclaw"]);
});

test("a turn that the host does again is no other message", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  here.on.message_received(...message("Hi"));
  for (const runId of ["r1", "r2"]) {
    await here.on.before_prompt_build(prompt("Hi"), run({ runId }));
    here.on.agent_end(ended, run({ runId }));
  }
  await here.until("message.in", 3);
  assert.deepEqual(here.of("message.in").map((each) => [each.role, each.channel]), [["user", "telegram"], ["assistant", "telegram"], ["assistant", "telegram"]]);
});

test("a service that hangs holds no turn; what held before still holds", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  await here.on.before_prompt_build(prompt("Hi"), run());
  here.answers.context = () => undefined;
  const put = await here.on.before_prompt_build(prompt("Hi", [{}]), run());
  assert.match(put.appendSystemContext, /rent is due on the 2nd/);
});

test("the end of the Gateway waits for what was said last", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  here.on.message_received(...message("Hi"));
  await here.on.gateway_stop({}, {});
  assert.equal(here.of("message.in").length, 1);
});

test("a socket with a long path is reached", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  const deep = join(here.folder, "a".repeat(100));
  symlinkSync(here.folder, deep);
  const line = new ServiceLine(join(deep, "s"), join(here.folder, "token"));
  assert.deepEqual(await line.ask("context", {}, 5000), context);
  line.close();
});

test("what is being written holds no turn", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context, "turn.end": () => undefined } });
  here.on.agent_end(ended, run());
  await here.until("turn.end");
  const put = await here.on.before_prompt_build(prompt("Hi"), run());
  assert.match(put.appendContext, /Notes/);
});

test("without a service everything waits in a file of this account's alone, and is said in its order later", { timeout: 30000 }, async (t) => {
  const here = await room(t, { answers: { context }, isThere: false });
  here.on.message_received(...message("One", { id: "1" }));
  assert.deepEqual(await here.on.before_prompt_build(prompt("One"), run()), {});
  here.on.agent_end(ended, run());
  const spool = join(here.folder, "state", "spool.jsonl");
  await new Promise((done) => setImmediate(function look() { existsSync(spool) && readFileSync(spool, "utf8").split("\n").length > 3 ? done() : setTimeout(look, 5); }));
  assert.equal(statSync(spool).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(spool, "utf8"), /secret/);
  await here.start();
  here.on.message_received(...message("Two", { id: "2" }));
  await here.until("turn.end");
  await here.until("message.in", 3);
  assert.deepEqual(here.of("message.in").map((each) => each.id).sort(), ["1", "2", "answer-r1"]);
});

test("what the service refuses is said in the log and not again", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { "message.in": Object.assign(new Error("no such workspace"), { exit: 2 }) } });
  here.on.message_received(...message("Hi"));
  await here.until("message.in");
  await new Promise((done) => setTimeout(function look() { here.logged.length ? done() : setTimeout(look, 5); }, 5));
  assert.deepEqual(here.logged, ["clawgit: message.in: no such workspace"]);
  assert.equal(existsSync(join(here.folder, "state", "spool.jsonl")), false);
});

// Mutant: it is taken for refused, and lost.
test("what a full disk refuses is said in the log, and again", { timeout: 20000 }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const here = await room(t, { answers: { "message.in": new Error("The disk is full.") } });
  const spool = join(here.folder, "state", "spool.jsonl");
  here.on.message_received(...message("Hi"));
  t.mock.timers.tick(250);
  await soon(t, () => existsSync(spool));
  assert.deepEqual(here.logged, ["clawgit: message.in: The disk is full."]);
  here.answers["message.in"] = {};
  t.mock.timers.tick(5000);
  assert.deepEqual((await here.until("message.in", 2)).map(({ text }) => text), ["Hi", "Hi"]);
});

/** Wait for something while the clock stands still. */
const soon = async (t, isSo) => {
  while (!isSo() && !t.signal.aborted) await new Promise((done) => setImmediate(done));
};

// Mutants: it is taken for refused, and lost; each time counts as a try, and after five it is put aside; it holds up what the service takes.
for (const [says, exit] of [["Another process keeps messages.db busy.", 5], ["The disk is full.", 1], ["CONFIG.md, line 3.", 4]]) test(`what the service does not take now waits, however often it was said, and is said in the end: ${says}`, { timeout: 20000 }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const now = Object.assign(new Error(says), { exit });
  const here = await room(t, { isThere: false, answers: { "message.in": ({ id }) => (id === "1" ? now : {}) } });
  const state = join(here.folder, "state");
  const ids = () => here.of("message.in").map(({ id }) => id);
  for (const id of ["1", "2"]) here.on.message_received(...message(`Message ${id}`, { id }));
  t.mock.timers.tick(250);
  await soon(t, () => existsSync(join(state, "spool.jsonl")) && readdirSync(state).length === 1);
  await here.start();
  for (let times = 1; times < 9; times += 1) {
    t.mock.timers.tick(5000);
    await soon(t, () => ids().length > times && existsSync(join(state, "spool.jsonl")));
  }
  assert.deepEqual(ids().slice(0, 3), ["1", "2", "1"]);
  here.answers["message.in"] = {};
  t.mock.timers.tick(5000);
  await soon(t, () => !readdirSync(state).length);
  assert.deepEqual([ids().filter((id) => id === "2").length, ids().at(-1), here.logged], [1, "1", []]);
});

// Mutant: only the clock's own try looks afterwards whether something is left.
test("what a service that goes away in the middle leaves is said later, without another message", { timeout: 20000 }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const here = await room(t, { isThere: false, answers: { "message.in": ({ id }) => (id === "1" ? undefined : {}) } });
  const spool = join(here.folder, "state", "spool.jsonl");
  here.on.message_received(...message("One", { id: "1" }));
  t.mock.timers.tick(250);
  await soon(t, () => existsSync(spool));
  await here.start();
  here.on.message_received(...message("Two", { id: "2" }));
  t.mock.timers.tick(250);
  await soon(t, () => here.of("message.in").some(({ id }) => id === "1"));
  t.mock.timers.tick(5000); // the clock's own try finds that one is on its way
  await here.stop();
  await soon(t, () => existsSync(spool));
  here.answers["message.in"] = {};
  await here.start();
  t.mock.timers.tick(5000);
  await soon(t, () => !existsSync(spool));
  await here.hooks.close();
  assert.equal(existsSync(spool), false);
});

test("a message without a session is its run's all the same", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  const [event, ctx] = message("Hi");
  here.on.message_received({ ...event, sessionKey: undefined }, { ...ctx, sessionKey: undefined });
  await here.on.before_prompt_build(prompt("Hi"), run());
  here.on.agent_end(ended, run());
  await here.until("turn.end");
  await here.until("message.in", 2);
  assert.deepEqual(here.of("message.in").map((each) => [each.role, each.conversation]), [["user", "4242"], ["assistant", "4242"]]);
});

test("a command is told whose it is, and nonsense stops nobody", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  assert.deepEqual(here.on.resolve_exec_env({ sessionKey: KEY }, run()), { CLAWGIT_ACTOR: "host", CLAWGIT_SESSION: KEY });
  assert.equal(here.on.resolve_exec_env({}, run({ workspaceDir: "/other" })), undefined);
  for (const handle of Object.values(here.on)) await handle(undefined, undefined);
  for (const handle of Object.values(here.on)) await handle({ messages: 7, content: 8, message: 9 }, { sessionKey: 10 });
});

test("the flush goes into the note of the day", (t) => room(t).then((here) => {
  const plan = here.hooks.flushPlan(new Date(2026, 2, 9, 12).getTime());
  assert.equal(plan.relativePath, "memory/2026-03-09.md");
  assert.match(plan.prompt, /memory\/2026-03-09.md/);
}));

test("what nobody answered with the message is asked again for its turn", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context }, isThere: false });
  here.on.message_received(...message("Hi"));
  await new Promise((done) => setTimeout(done, 50)); // refused meanwhile
  await here.start();
  const put = await here.on.before_prompt_build(prompt("Hi"), run());
  assert.match(put?.appendContext ?? "", /Notes/);
});

test("a host that was busy reads what came meanwhile before it gives up", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { status: { is: "here" } } });
  const line = new ServiceLine(join(here.folder, "s"), join(here.folder, "token"));
  t.after(() => line.close());
  await line.ask("status", {}, 2000);
  const asked = line.ask("status", {}, 50);
  await here.until("status", 2); // the answer is on its way
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  assert.deepEqual(await asked, { is: "here" });
});

test("until it is known whose words a message is, it waits in a file as somebody else's; then it is gone there", { timeout: 20000 }, async (t) => {
  const here = await room(t);
  here.hooks.handlers().message_received(...message("Hi"));
  const state = join(here.folder, "state");
  const waiting = readdirSync(state).map((each) => JSON.parse(readFileSync(join(state, each), "utf8")));
  assert.deepEqual(waiting.map(({ method, params }) => [method, params.id, params.external, params.proved]), [["message.in", "1001", true, undefined]]);
  here.hooks.preprocessed({ sessionKey: KEY, context: { messageId: "1001", body: "Hi" } });
  await here.until("message.in");
  await here.hooks.close();
  assert.deepEqual([here.of("message.in").map(({ external, proved }) => [external, proved]), readdirSync(state)], [[[undefined, "operator"]], []]);
});

test("what a host held that was killed is said a minute after the next one began", { timeout: 20000 }, async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const here = await room(t);
  const state = join(here.folder, "state");
  mkdirSync(state);
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  writeFileSync(join(state, `spool.jsonl.${gone}-77-1-held-a`), `${JSON.stringify({ method: "message.in", params: { id: "7" } })}\n`);
  const turns = async (count) => {
    for (let left = count; left; left -= 1) await new Promise((done) => setImmediate(done));
  };
  while (!here.of("message.in").length) {
    t.mock.timers.tick(5000);
    await turns(20);
  }
  assert.ok(Date.now() >= 60_000);
  assert.deepEqual(here.of("message.in").map(({ id }) => id), ["7"]);
});

for (const [what, messages] of [["first", []], ["later", [{}]]]) {
  test(`a group's ${what} message asks for what always holds, and is told no more`, { timeout: 20000 }, async (t) => {
    const kept = { id: "chat:9", told: ["The user corrected memory."] };
    const here = await room(t, { answers: { context, "message.in": kept, "memory.search": { confidence: "high", results: [{ snippet: "Rent.", line: "[a:1] Rent." }] } } });
    const key = "agent:main:telegram:group:-100";
    here.on.message_received(...message("No, 1300.", { key, from: "telegram:group:-100" }));
    const put = await here.on.before_prompt_build(prompt("No, 1300.", messages), run({ sessionKey: key }));
    assert.deepEqual(Object.keys(put), ["appendSystemContext"]);
    assert.deepEqual(here.of("context").map(({ scope, part, query }) => [scope, part, query]), [["group", "stable", undefined]]);
    assert.equal(here.of("memory.search").length, 0);
  });
}

test("what a search finds for a prompt is asked for as such; that of a first one leaves no receipt, for its context does", { timeout: 20000 }, async (t) => {
  const here = await room(t, { answers: { context } });
  here.on.before_prompt_build(prompt("Hi"), run());
  const [asked] = await here.until("memory.search");
  assert.deepEqual([asked.for_prompt, asked.told], [true, 0]);
});

for (const [what, text] of [
  ["letters", "a".repeat(3_000_000)],
  ["letters of three bytes", "日".repeat(1_000_000)],
  ["signs of four bytes", "😀".repeat(500_000)],
  ["what JSON writes in six letters", "\u0001".repeat(400_000)],
]) {
  test(`a text that is too long is cut, and said to be: ${what}`, { timeout: 60000 }, async (t) => {
    const here = await room(t);
    here.on.message_received(...message(text));
    here.on.agent_end({ messages: [{ role: "user", content: "Hi" }, { role: "assistant", content: text }] }, run());
    here.on.before_prompt_build(prompt(text), run({ runId: "r2", sessionKey: "agent:main:other" }));
    here.on.agent_end({ messages: [] }, run({ runId: "r2", sessionKey: "agent:main:other" }));
    for (const { text: said } of await here.until("message.in", 2)) {
      assert.match(said, /\[cut here by clawgit: the text is longer than 256 KiB\]$/);
      assert.equal(said.isWellFormed?.() ?? true, true);
      assert.ok(text.startsWith(said.slice(0, said.lastIndexOf("\n["))));
      assert.ok(Buffer.byteLength(JSON.stringify(said)) < 257 * 1024);
    }
  });
}

test("a text of 256 KiB is not cut", { timeout: 60000 }, async (t) => {
  const here = await room(t);
  const text = "a".repeat(256 * 1024 - 2);
  here.on.message_received(...message(text));
  const [said] = await here.until("message.in");
  assert.equal(said.text, text);
});

for (const [what, answer] of [
  ["an error without a number", NO_NUMBER],
  ["a result without a number", '{"jsonrpc":"2.0","result":{}}\n'],
  ["null", "null\n"],
  ["a list", "[]\n"],
  ["no JSON", "no\n"],
]) {
  test(`what waits behind a message that gets no answer is said all the same: ${what}`, { timeout: 60000 }, async (t) => {
    const here = await room(t, { isThere: false });
    for (const id of ["1", "2", "3"]) here.on.message_received(...message(`Message ${id}`, { id }));
    const spool = join(here.folder, "state", "spool.jsonl");
    await new Promise((done) => setImmediate(function look() { existsSync(spool) && readFileSync(spool, "utf8").split("\n").length > 3 ? done() : setTimeout(look, 5); }));
    here.answers["message.in"] = ({ id }) => (id === "1" ? answer : {});
    await here.start();
    await here.until("message.in", 3);
    await here.hooks.close();
    assert.deepEqual(here.of("message.in").map((each) => each.id), ["1", "2", "3"]);
    assert.deepEqual(readFileSync(spool, "utf8").split("\n").filter(Boolean).map((line) => [JSON.parse(line).params.id, JSON.parse(line).tries]), [["1", 1]]);
  });
}
