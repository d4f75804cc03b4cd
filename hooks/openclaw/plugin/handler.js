// The same for an OpenClaw that loads no plugins: its internal events, as the plugin's.
import { homedir } from "node:os";
import { join } from "node:path";
import { MemoryHooks } from "./memory_hooks.js";

const state = () => join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "clawgit");
const connections = () => join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "clawgit", "connections");

let made = null;
const waitMs = () => 1000 * Number(process.env.CLAWGIT_HOOK_SECONDS || 0.3);
const hooks = () => {
  const tokenFile = join(connections(), "openclaw.token");
  const given = { socket: join(state(), "requests.sock"), tokenFile, spool: join(state(), "openclaw-spool.jsonl"), timeoutMs: waitMs() };
  return (made ??= new MemoryHooks(given));
};
const asked = new Map(); // session -> the words of its turn, and the turn

/** Take one of the host's internal events. It never fails, and holds a turn no longer than `waitMs`. */
export default async function handle(event) {
  const { type, action, sessionKey = "", context = {} } = event;
  const on = hooks().attached({ owners: () => context.cfg?.commands?.ownerAllowFrom, log: console.warn, version: () => context.cfg?.meta?.lastTouchedVersion }).handlers();
  if (type === "message" && action === "preprocessed") received(on, event);
  else if (type === "message" && action === "sent") answered(on, context);
  else if (type === "agent" && action === "bootstrap") await Promise.all([hooks().bootstrapped(event), told(on, sessionKey, context)]);
  else if (type === "command") on.before_reset({}, { sessionKey });
}

export const close = () => made?.close();

function received(on, event) {
  const { sessionKey, context } = event;
  if (!context.messageId) return; // nobody's: a heartbeat
  const { channelId, conversationId, senderId, bodyForAgent } = context;
  on.message_received({ ...context, content: bodyForAgent, sessionKey }, { channelId, conversationId, senderId, sessionKey });
  hooks().preprocessed(event);
  asked.set(sessionKey, { words: bodyForAgent, run: context.messageId, to: conversationId });
}

/** Put what memory knows among the files that the model reads first. */
async function told(on, sessionKey, context) {
  const turn = asked.get(sessionKey);
  if (!turn) return;
  const event = { prompt: turn.words, currentUserMessage: turn.words, messages: [{}] };
  const put = await on.before_prompt_build(event, { sessionKey, runId: turn.run, trigger: "user" });
  const content = [put?.appendSystemContext, put?.appendContext].filter(Boolean).join("\n\n");
  if (content) context.bootstrapFiles?.push({ name: ".clawgit-memory.md", path: join(context.workspaceDir ?? "/", ".clawgit-memory.md"), content, missing: false });
}

function answered(on, { content, success, conversationId }) {
  const [sessionKey, turn] = [...asked].findLast(([, each]) => each.to === conversationId) ?? [];
  if (!turn || !success) return;
  asked.delete(sessionKey);
  on.agent_end({ messages: [{ role: "assistant", content }] }, { sessionKey, runId: turn.run, trigger: "user" });
}
