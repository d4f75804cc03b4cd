import assert from "node:assert/strict";
import { test } from "node:test";
import { Workspaces } from "../../../hooks/openclaw/plugin/workspaces.js";
import { KEY, message, prompt, room, run } from "./service.mjs";

const WORK = { key: "agent:work:main", id: "2001" };
const ofWork = (more = {}) => run({ runId: "r2", agentId: "work", sessionKey: WORK.key, workspaceDir: "/v", ...more });
const noted = (words) => ({ context: { stable: { text: words, hash: "h" }, recall: { text: `${words} notes`, hash: "i" } } });

async function both(t) {
  const [main, work] = [await room(t, { answers: noted("main's") }), await room(t, { workspace: "/v", agents: ["work"], answers: noted("work's") })];
  return { main, work, every: new Workspaces([main.hooks, work.hooks]) };
}

test("each agent's talk goes to its own workspace, and only that is told to it", { timeout: 20000 }, async (t) => {
  const { main, work, every } = await both(t);
  const on = every.handlers();
  on.message_received(...message("For main."));
  on.message_received(...message("For work.", WORK));
  every.preprocessed({ sessionKey: WORK.key, context: { messageId: WORK.id, body: "[Forwarded from Bob] For work." } });
  const [one, other] = [await on.before_prompt_build(prompt("For main."), run()), await on.before_prompt_build(prompt("For work."), ofWork())];
  on.before_reset({}, { sessionKey: WORK.key });
  await on.gateway_stop({}, {});
  assert.deepEqual([main, work].map((each) => each.of("message.in").map(({ text, external }) => [text, external])), [[["For main.", undefined]], [["For work.", true]]]);
  assert.match(JSON.stringify(one), /main's notes/);
  assert.match(JSON.stringify(other), /work's notes/);
  assert.deepEqual([main, work].map((each) => each.of("session.end").length), [0, 1]);
});

test("an agent of no workspace has no memory; what names no agent is the first one's", { timeout: 20000 }, async (t) => {
  const { main, work, every } = await both(t);
  const on = every.handlers();
  on.message_received(...message("For nobody.", { key: "agent:other:main" }));
  on.message_received(...message("For main.", { key: "global" }));
  assert.equal(every.tools(run({ agentId: "other", workspaceDir: "/x" })), null);
  assert.equal(on.resolve_exec_env({ sessionKey: "agent:other:main" }, {}), undefined);
  assert.deepEqual(on.resolve_exec_env({ sessionKey: KEY }, run()), { CLAWGIT_ACTOR: "host", CLAWGIT_SESSION: KEY });
  assert.match(every.flushPlan().relativePath, /^memory/);
  await on.gateway_stop({}, {});
  assert.deepEqual([main, work].map((each) => each.of("message.in").map(({ text }) => text)), [["For main."], []]);
});

test("a tool asks the memory of its own agent", { timeout: 20000 }, async (t) => {
  const { main, work, every } = await both(t);
  for (const ctx of [run(), ofWork()]) await every.tools(ctx)[0].execute("1", { query: ctx.agentId });
  assert.deepEqual([main, work].map((each) => each.of("memory.search").map(({ query }) => query)), [["main"], ["work"]]);
});
