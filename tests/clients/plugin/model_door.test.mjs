import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ModelDoor } from "../../../hooks/openclaw/plugin/model_door.js";

const MESSAGES = [{ role: "system", content: "Be brief." }, { role: "user", content: "Hi" }];

function place(t) {
  const folder = mkdtempSync(join(tmpdir(), "door-"));
  writeFileSync(join(folder, "token"), "openclaw.secret\n");
  t.after(() => rmSync(folder, { recursive: true }));
  return { socket: join(folder, "state", "model.sock"), token: join(folder, "token"), folder };
}

function door(t, { socket, token }) {
  const made = new ModelDoor(socket, [`${token}-of-none`, token], () => {});
  t.after(() => made.close());
  return made;
}

function asked(socket, question) {
  return new Promise((done, failed) => {
    let said = "";
    const line = connect(socket).setEncoding("utf8");
    line.on("data", (part) => (said += part)).on("end", () => done(JSON.parse(said))).on("error", failed);
    line.write(`${typeof question === "string" ? question : JSON.stringify(question)}\n`);
  });
}

test("who has the token is answered by the host's model", { timeout: 20000 }, async (t) => {
  const here = place(t);
  const told = [];
  await door(t, here).open(async ({ signal, ...params }) => (told.push(params), { text: "Hello.", usage: { totalTokens: 7 }, stopReason: "stop" }));
  const said = await asked(here.socket, { token: "openclaw.secret", messages: MESSAGES, max_tokens: 50 });
  assert.deepEqual(said, { text: "Hello.", tokens: 7, cut: false });
  assert.deepEqual(told, [{ messages: [MESSAGES[1]], systemPrompt: "Be brief.", maxTokens: 50, purpose: "clawgit" }]);
  assert.equal(statSync(here.socket).mode & 0o777, 0o600);
});

for (const [what, question] of [["another token", { token: "x", messages: MESSAGES }], ["none", { messages: MESSAGES }], ["no JSON", "{"], ["no messages", { token: "openclaw.secret" }]]) {
  test(`${what} asks nothing`, { timeout: 20000 }, async (t) => {
    const here = place(t);
    await door(t, here).open(() => assert.fail("asked"));
    assert.match((await asked(here.socket, question)).error, /./);
  });
}

test("what the model fails with is said", { timeout: 20000 }, async (t) => {
  const here = place(t);
  await door(t, here).open(async () => Promise.reject(new Error("No key.")));
  const said = await asked(here.socket, { token: "openclaw.secret", messages: MESSAGES });
  assert.deepEqual(said, { error: "No key.", reached: true });
});

test("one process lends; what another left behind is no process", { timeout: 20000 }, async (t) => {
  const here = place(t);
  const first = door(t, here);
  assert.equal(await first.open(async () => ({ text: "First." })), true);
  assert.equal(await door(t, here).open(async () => ({ text: "Second." })), false);
  assert.equal((await asked(here.socket, { token: "openclaw.secret", messages: MESSAGES })).text, "First.");
  first.close();
  writeFileSync(here.socket, "");
  assert.equal(await door(t, here).open(async () => ({ text: "Third." })), true);
});
