// Turns of a host, told to OpenClaw's plugin and to empty handlers: `node plugin_turns.mjs JSON` prints the milliseconds of each as JSON.
const told = JSON.parse(process.argv[2]);
const { MemoryHooks } = await import(told.plugin);
const hooks = new MemoryHooks({ ...told.own, timeoutMs: 300 }).attached({ owners: () => ["telegram:1"], log: () => {} });
const empty = { message_received: () => {}, before_prompt_build: async () => undefined, agent_end: () => {} };
const after = (ms) => new Promise((done) => setTimeout(done, ms));
const KEY = "agent:main:main";

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** One message, its turn `pause` milliseconds later, and its end; what is not waited for is not counted. */
async function turn(on, number, words, pause) {
  const id = `${told.name}-${pause}-${number}`;
  const ctx = { channelId: "telegram", conversationId: "telegram:1", sessionKey: KEY, senderId: "1", agentId: "main", runId: id, trigger: "user" };
  const event = { from: "telegram:1", content: words, timestamp: Date.now(), messageId: id, senderId: "1", sessionKey: KEY };
  const received = await timed(() => on.message_received(event, ctx));
  if (on !== empty) hooks.preprocessed({ sessionKey: KEY, context: { messageId: id, body: words } });
  await after(pause);
  const prompt = await timed(() => on.before_prompt_build({ prompt: words, currentUserMessage: words, messages: number ? [{}] : [] }, ctx));
  const ended = await timed(() => on.agent_end({ messages: [{ role: "user", content: words }, { role: "assistant", content: "Noted." }] }, ctx));
  await after(told.rest);
  return { received, prompt, ended };
}

const taken = [];
for (const [number, words] of told.words.entries()) {
  for (const pause of told.pauses) {
    const own = await turn(hooks.handlers(), number, words, pause);
    taken.push({ pause, own, empty: await turn(empty, number, words, 0) });
  }
}
console.log(JSON.stringify(taken));
process.exit(0);
