import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import plugin from "../../../hooks/openclaw/plugin/index.js";

const FOLDER = new URL("../../../hooks/openclaw/plugin/", import.meta.url);
const MANIFEST = JSON.parse(readFileSync(new URL("openclaw.plugin.json", FOLDER), "utf8"));

/** Register the plugin as the host does, and return what it asked for. */
function registered(pluginConfig) {
  const got = { hooks: [], internal: [], tools: null, capability: null };
  plugin.register({
    pluginConfig,
    config: {},
    runtime: { llm: { complete: async () => ({ text: "" }) } },
    on: (name, handle) => got.hooks.push([name, handle]),
    registerHook: (events, handle, { name }) => got.internal.push([events, typeof handle, name]),
    registerTool: (factory, options) => (got.tools = { factory, ...options }),
    registerMemoryCapability: (capability) => (got.capability = capability),
  });
  return got;
}

test("what is registered is what the manifest says", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "plugin-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const given = { socket: join(folder, "s"), tokenFile: join(folder, "t"), spool: join(folder, "p"), modelSocket: join(folder, "m"), workspace: "/w", agents: ["main"], timeoutMs: 300 };
  given.others = [{ tokenFile: join(folder, "t2"), spool: join(folder, "p2"), workspace: "/v", agents: ["work"] }];
  const [first, again] = [registered(given), registered(given)];
  assert.deepEqual([plugin.id, plugin.kind], [MANIFEST.id, MANIFEST.kind]);
  assert.deepEqual(Object.keys(given).sort(), Object.keys(MANIFEST.configSchema.properties).sort());
  assert.deepEqual(first.tools.names, MANIFEST.contracts.tools);
  assert.deepEqual(first.tools.factory({ workspaceDir: "/w" }).map((each) => each.name), MANIFEST.contracts.tools);
  assert.equal(first.tools.factory({ workspaceDir: "/v", agentId: "work" }).length, MANIFEST.contracts.tools.length);
  assert.equal(first.tools.factory({ workspaceDir: "/other" }), null);
  assert.deepEqual(first.hooks.map(([name]) => name), again.hooks.map(([name]) => name));
  assert.deepEqual(first.internal, [["message:preprocessed", "function", "clawgit-memory-forwarded"], ["agent:bootstrap", "function", "clawgit-memory-files"]]);
  assert.match(first.capability.promptBuilder().join("\n"), /memory_search/);
  assert.match(first.capability.flushPlanResolver({}).relativePath, /^memory\//);
  for (const [name, handle] of [...first.hooks, ...again.hooks]) if (name === "gateway_stop") await handle({}, {});
});

test("it registers where the host has no runtime for it, as for its command line", async (t) => {
  // mutant: it looks for the host's model or version at once
  const folder = mkdtempSync(join(tmpdir(), "plugin-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const nothing = () => {};
  const api = { pluginConfig: { tokenFile: join(folder, "t"), spool: join(folder, "p"), modelSocket: join(folder, "m") }, config: {}, on: nothing };
  Object.assign(api, { registerHook: nothing, registerTool: nothing, registerMemoryCapability: nothing });
  Object.defineProperty(api, "runtime", { get: () => assert.fail("no runtime here") });
  plugin.register(api);
});

test("it starts no program and imports nothing but node's own and its own", () => {
  for (const file of ["index", "memory_hooks", "recall", "talk", "tools", "spool", "service_line", "flush_plan", "held_message", "sessions", "model_door", "memory_files", "prompt_room", "workspaces"]) {
    const text = readFileSync(new URL(`${file}.js`, FOLDER), "utf8");
    const imported = [...text.matchAll(/from "([^"]+)"/g)].map((each) => each[1]);
    assert.deepEqual(imported.filter((each) => !/^(node:(fs|net|path|os|crypto)|\.\/\w+\.js)$/.test(each)), []);
  }
});
