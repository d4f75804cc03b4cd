// clawgit as OpenClaw's memory. It only hands things to clawgit's service and back: without the service OpenClaw goes on alone.
import { homedir } from "node:os";
import { join } from "node:path";
import { runtimeFor } from "./memory_files.js";
import { MemoryHooks } from "./memory_hooks.js";
import { ModelDoor } from "./model_door.js";
import { PROMPT } from "./tools.js";
import { Workspaces } from "./workspaces.js";

const state = () => process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
const config = () => process.env.XDG_CONFIG_HOME || join(homedir(), ".config");

const SHARED = Symbol.for("clawgit-memory");

/** Return the hooks of a configuration: the host registers a plugin more than once, and a message and its run must meet. */
function hooksFor(own) {
  const every = (globalThis[SHARED] ??= new Map());
  const { owners, log, version, ...given } = own;
  const name = JSON.stringify(given);
  if (!every.has(name)) every.set(name, new MemoryHooks(given));
  return every.get(name).attached({ owners, log, version });
}

export default {
  id: "clawgit-memory",
  name: "clawgit",
  kind: "memory",
  register(api) {
    const given = api.pluginConfig ?? {};
    const tokenFile = given.tokenFile ?? join(config(), "clawgit", "connections", "openclaw.token");
    const common = {
      socket: given.socket ?? join(state(), "clawgit", "requests.sock"),
      timeoutMs: given.timeoutMs ?? 300,
      owners: () => api.config?.commands?.ownerAllowFrom,
      log: (line) => api.logger?.warn?.(line),
      version: () => api.runtime?.version, // only once it runs: the host refuses it to a registration for the command line
    };
    const spool = given.spool ?? join(state(), "clawgit", "openclaw-spool.jsonl");
    const memories = [{ tokenFile, spool, workspace: given.workspace, agents: given.agents }, ...(given.others ?? [])];
    const every = memories.map((own) => hooksFor({ ...common, ...own }));
    const hooks = every.length > 1 ? new Workspaces(every) : every[0];
    for (const [name, handle] of Object.entries(hooks.handlers())) api.on(name, handle);
    const told = { name: "clawgit-memory-forwarded", description: "Sees which messages are forwarded." };
    api.registerHook?.("message:preprocessed", (event) => hooks.preprocessed(event), told);
    const shown = { name: "clawgit-memory-files", description: "Shows MEMORY.md and USER.md as they hold, in the place of the raw files." };
    api.registerHook?.("agent:bootstrap", (event) => hooks.bootstrapped(event), shown);
    if (given.modelSocket) {
      const door = new ModelDoor(given.modelSocket, memories.map((each) => each.tokenFile), (line) => api.logger?.warn?.(line));
      api.on("gateway_start", () => {
        if (api.runtime?.llm) void door.open((params) => api.runtime.llm.complete(params)).catch(() => {});
      });
      api.on("gateway_stop", () => door.close());
    }
    api.registerTool((ctx) => hooks.tools(ctx), { names: ["memory_search", "memory_get", "memory_add", "memory_correct", "memory_forget"] });
    api.registerMemoryCapability({ promptBuilder: () => PROMPT, flushPlanResolver: ({ nowMs }) => hooks.flushPlan(nowMs), runtime: runtimeFor(hooks) });
  },
};
