// A service on a socket that answers as the test wants, and a plugin that talks to it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryHooks } from "../../../hooks/openclaw/plugin/memory_hooks.js";

/** Make a folder, a service in it that notes what it is asked, and the hooks that ask it. */
export async function room(context, { answers = {}, owners = ["telegram:4242"], isThere = true, workspace = "/w", agents = ["main"] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "plugin-"));
  writeFileSync(join(folder, "token"), "openclaw.secret\n");
  const asked = [];
  const news = [];
  const told = (request) => {
    asked.push(request);
    for (const look of [...news]) look();
  };
  const here = { folder, asked, answers, server: null, sockets: new Set() };
  here.of = (method) => asked.filter((each) => each.method === method).map((each) => each.params);
  /** Wait until a method was asked so many times; a test that waits in vain is ended by its own time. */
  here.until = (method, count = 1) =>
    new Promise((done) => {
      const look = () => {
        if (here.of(method).length < count) return;
        news.splice(news.indexOf(look), 1);
        done(here.of(method));
      };
      news.push(look);
      look();
    });
  here.start = () => listen(here, told);
  here.stop = async () => {
    for (const socket of here.sockets) socket.destroy();
    await new Promise((done) => here.server.close(done));
  };
  if (isThere) await here.start();
  const begin = () =>
    new MemoryHooks({
      socket: join(folder, "s"),
      tokenFile: join(folder, "token"),
      spool: join(folder, "state", "spool.jsonl"),
      workspace,
      agents,
      timeoutMs: 300,
    }).attached({ owners: () => owners, log: (line) => here.logged.push(line) });
  const hooks = begin();
  here.logged = [];
  here.hooks = hooks;
  /** Let another process of the host begin, which knows nothing. */
  here.restart = () => {
    here.hooks = begin();
    context.after(() => here.hooks.close());
  };
  const handlers = hooks.handlers();
  /** A message that begins a turn is shown as the model reads it, too. */
  const received = (event, ctx, body = `[Telegram Ada] Ada: ${event?.content}`) => {
    const said = handlers.message_received(event, ctx);
    hooks.preprocessed({ sessionKey: event?.sessionKey, context: { messageId: event?.messageId, body } });
    return said;
  };
  here.on = { ...handlers, message_received: received };
  context.after(async () => {
    const closed = hooks.close();
    if (here.server?.listening) await here.stop();
    await closed;
    rmSync(folder, { recursive: true });
  });
  return here;
}

function listen(here, told) {
  here.server = createServer((socket) => {
    here.sockets.add(socket);
    let rest = "";
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (part) => {
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      if (lines.some((line) => Buffer.byteLength(line) > LONGEST_LINE)) return socket.end(NO_NUMBER);
      for (const line of lines) answer(here, socket, JSON.parse(line), told);
    });
  });
  return new Promise((done) => here.server.listen(join(here.folder, "s"), done));
}

const LONGEST_LINE = 1024 * 1024; // as the service has it; then it says so without a number, and hangs up
export const NO_NUMBER = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "The line is too long." } })}\n`;

function answer(here, socket, request, told) {
  const said = here.answers[request.method];
  const result = typeof said === "function" ? said(request.params) : (said ?? {});
  told(request);
  if (result instanceof Promise) return result.then((late) => socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, result: late })}\n`));
  if (typeof result === "string") return socket.write(result); // what is no answer
  socket.hangs ||= result === undefined;
  if (socket.hangs) return; // a line is answered in its order
  const body = result instanceof Error ? { error: { code: -32000, message: result.message, data: { exit: result.exit ?? 1 } } } : { result };
  socket.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...body })}\n`);
}

export const KEY = "agent:main:main";

/** Return a message of Telegram's as the host tells it: the event, and its context. */
export function message(content, { id = "1001", who = "4242", key = KEY, from = `telegram:${who}` } = {}) {
  const event = { from, content, timestamp: 1795158714000, messageId: id, senderId: who, sessionKey: key };
  return [event, { channelId: "telegram", conversationId: from, sessionKey: key, senderId: who }];
}

/** Return the context of a run that answers a person. */
export function run(more = {}) {
  return { runId: "r1", agentId: "main", sessionKey: KEY, workspaceDir: "/w", trigger: "user", ...more };
}

export const prompt = (text, messages = []) => ({ prompt: text, currentUserMessage: text, messages });
