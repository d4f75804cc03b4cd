import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import handle, { close } from "../../../hooks/openclaw/plugin/handler.js";

const KEY = "agent:main:main";
const OF_ALL = { channelId: "telegram", conversationId: "telegram:4242", isGroup: false };

/** Make a service in a home of its own that notes what it is asked. */
async function service(context) {
  const home = mkdtempSync(join(tmpdir(), "hook-"));
  const places = [join(home, "clawgit"), join(home, "clawgit", "connections")];
  for (const place of places) mkdirSync(place, { recursive: true });
  writeFileSync(join(places[1], "openclaw.token"), "openclaw.secret\n");
  process.env.XDG_STATE_HOME = process.env.XDG_CONFIG_HOME = home;
  const asked = [];
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding("utf8").on("data", (part) => {
      for (const line of part.split("\n").filter(Boolean)) {
        const { id, method, params } = JSON.parse(line);
        asked.push([method, params]);
        const result = method === "context" ? { stable: { text: "Rent is due on the 2nd.", hash: "h" }, recall: { text: "Notes.", hash: "i" } } : {};
        socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
      }
    });
  });
  await new Promise((done) => server.listen(join(places[0], "requests.sock"), done));
  context.after(async () => {
    await close();
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(home, { recursive: true });
  });
  return (method) => asked.filter(([name]) => name === method).map(([, params]) => params);
}

test("a turn without a plugin: what is said, what is told, what is answered", { timeout: 20000 }, async (t) => {
  const of = await service(t);
  const said = { ...OF_ALL, from: "telegram:4242", body: "[Telegram Ada] Ada: Hi", bodyForAgent: "Hi", messageId: "1", senderId: "4242", cfg: { commands: { ownerAllowFrom: ["telegram:4242"] } } };
  const bootstrap = { workspaceDir: "/w", bootstrapFiles: [] };
  await handle({ type: "message", action: "preprocessed", sessionKey: KEY, context: said });
  await handle({ type: "agent", action: "bootstrap", sessionKey: KEY, context: bootstrap });
  await handle({ type: "message", action: "sent", context: { ...OF_ALL, content: "Hello.", success: true } });
  await handle({ type: "command", action: "new", sessionKey: KEY, context: {} });
  await handle({ type: "message", action: "preprocessed", sessionKey: KEY, context: { body: "Heartbeat", bodyForAgent: "Heartbeat" } });
  await close();

  assert.deepEqual(of("message.in").map((each) => [each.role, each.text, each.proved, each.token]), [["user", "Hi", "operator", "openclaw.secret"], ["assistant", "Hello.", undefined, "openclaw.secret"]]);
  assert.deepEqual(bootstrap.bootstrapFiles.map((each) => [each.name, each.path]), [[".clawgit-memory.md", "/w/.clawgit-memory.md"]]);
  assert.match(bootstrap.bootstrapFiles[0].content, /Rent is due on the 2nd.[\s\S]*Notes/);
  assert.deepEqual(of("session.end").map((each) => [each.channel, each.conversation]), [["telegram", "4242"]]);
});
