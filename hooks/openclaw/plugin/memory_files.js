// OpenClaw's files of memory as its model reads them: whose their lines are, and our text in the place of the raw file.
//
// OpenClaw puts MEMORY.md and USER.md into a prompt raw, or leaves a whole file out for one write of another program's. Its classifier asks
// here what it may put in as it is; its `agent:bootstrap` event is where the raw file goes and ours comes.
import { createHash } from "node:crypto";
import { promises } from "node:fs";
import { dirname, join, relative } from "node:path";
import { roomFor } from "./prompt_room.js";
import { fenced, isAutomatic } from "./talk.js";

const CORE = "MEMORY.md";
const USER = "USER.md";
const FIRST_MS = 2_000; // until something is known of a file as it is now
const AGAIN_MS = 1_000; // a turn asks about a file twice: whose it is, and for its text
const UNKNOWN = { origin: "untrusted", text: "" }; // never eligible: nobody said whose these bytes are
const NOT_OURS = "agent"; // a workspace that is not connected is as OpenClaw has it
const OLDER = "(This file changed since these lines were checked: what is new in it is not shown yet.)\n\n";

const NOT_SHOWN = (name) => `(${name} is not shown: whose its lines are is not known now, or there is no room for them. Ask memory_search.)`;
const CHECKED = (at) => `(These lines are as they were checked at ${at} UTC; what goes with them is not shown while clawgit's service is away.)\n\n`;
const FENCE = fenced("-").length - 1;
const TAG = / #(?:event|knowledge|skill|decision)$/;
const COMMENT = /[ \t]*<!--.*?-->/g;
const OPEN = /^(`{3,})data [^\n]*(?![\s\S]*\n\1(?:\n|$))[\s\S]*$/m;
const FENCES = /^(`{3,})data from [^\n]*\n[\s\S]*?\n\1$/gm; // words that are not the owner's

/** Return what the host takes for its memory's program: it classifies files; the tools are what searches. */
export function runtimeFor(hooks) {
  return {
    getMemorySearchManager: async () => ({ manager: null, error: "memory_search of clawgit-memory searches memory" }),
    resolveMemoryBackendConfig: () => null,
    classifyWorkspaceMemoryPaths: (params) => hooks.classified(params),
  };
}

/** Return what is said of paths of a workspace that is none of ours. */
export function unclassified({ relativePaths }) {
  return relativePaths.map((relativePath) => ({ relativePath, originClass: NOT_OURS }));
}

export class MemoryFiles {
  #line;
  #timeoutMs;
  #kept = new Map(); // path -> what was said of it last: whose it is, its text, and the hash of the bytes
  #asked = new Map(); // path -> about which bytes the service was asked last, for how much room, and when
  #rooms = new Map(); // path -> how many characters of its text the host has room for
  #shown; // a file: which lines of which bytes were shown as they are, for a host that starts while the service is away

  constructor(line, timeoutMs, shown) {
    this.#line = line;
    this.#timeoutMs = timeoutMs;
    this.#shown = shown;
  }

  /** Say whose each file is as it is on the disk now. */
  classified({ workspaceDir, relativePaths }) {
    const one = async (relativePath) => {
      const data = await promises.readFile(join(workspaceDir, relativePath)).catch(() => null);
      const { origin } = data === null ? UNKNOWN : await this.#of(relativePath, data);
      return { relativePath, originClass: origin };
    };
    return Promise.all(relativePaths.map(one));
  }

  /** Put our text among the files that the model reads first, and take the raw file out; what the host leaves out comes where its owner alone reads. */
  async put({ workspaceDir, bootstrapFiles, sessionKey, cfg, agentId }, isShared, version) {
    if (!workspaceDir || !bootstrapFiles?.length) return;
    for (const name of [USER, CORE]) {
      const raw = bootstrapFiles.find((each) => each.name === name && !each.missing && typeof each.content === "string");
      if (raw && name === CORE && isShared) bootstrapFiles.splice(bootstrapFiles.indexOf(raw), 1); // before 2026.9 the host puts it there
      if (isShared ? !raw || name === CORE : !raw && isAutomatic(sessionKey)) continue;
      const path = raw ? relative(workspaceDir, raw.path) : name;
      const data = raw ? raw.content : await promises.readFile(join(workspaceDir, path)).catch(() => null);
      if (data === null) continue;
      const others = bootstrapFiles.filter((each) => each !== raw);
      const room = roomFor(others, { cfg, agentId }, version) - FENCE;
      this.#rooms.set(path, Math.max(0, room));
      const { origin, text } = await this.#of(path, data);
      const isAsItIs = raw && name === USER && origin !== UNKNOWN.origin;
      if (isAsItIs || !(raw || text)) continue;
      if (raw) bootstrapFiles.splice(bootstrapFiles.indexOf(raw), 1);
      const content = text || within(NOT_SHOWN(path), Math.max(0, room));
      if (!content) continue;
      // what the host left out by its name, it leaves out again; of an AGENTS.md it would make a digest of orders
      bootstrapFiles.push({ name: `./${path}`, path: join(workspaceDir, ".clawgit", path), content: fenced(content), missing: false });
    }
  }

  /** Return whose a file with these bytes is, and its text; bytes that no commit has are nobody's, and get what of the last text is still in them. */
  async #of(path, data) {
    const hash = hashOf(data);
    const room = this.#rooms.get(path);
    const before = this.#asked.get(path);
    if (before?.hash !== hash || before.room !== room || Date.now() - before.at > AGAIN_MS) await this.#ask(path, data, hash, room);
    const last = this.#kept.get(path);
    if (!last) return { ...UNKNOWN, text: await this.#textBefore(path, data, hash) };
    if (last.hash === hash) return { ...last, text: within(last.text, room) };
    return { ...UNKNOWN, text: last.text && within(`${OLDER}${stillIn(data, last.text).trim()}`, room) };
  }

  async #ask(path, data, hash, room) {
    const ms = this.#kept.get(path)?.hash === hash ? this.#timeoutMs : Math.max(FIRST_MS, this.#timeoutMs);
    const said = await this.#line.ask("memory.file", { path, hash, room }, ms).catch(() => null);
    const isNew = said && this.#kept.get(path)?.hash !== said.hash;
    if (said) this.#kept.set(path, said);
    this.#asked.set(path, { hash, room, at: Date.now() });
    if (isNew && said.hash === hash) await this.#note(path, data, said).catch(() => {});
  }

  /** Note which lines of a file were shown as they are; no text is kept. */
  async #note(path, data, { hash, text }) {
    const shown = new Set(text.replace(FENCES, "").split("\n"));
    const lines = [...linesOf(data).entries()].filter(([, line]) => shown.has(line)).map(([at]) => at);
    const every = { ...(await this.#noted()), [path]: { hash, lines, at: new Date().toISOString() } };
    await promises.mkdir(dirname(this.#shown), { recursive: true, mode: 0o700 });
    await promises.writeFile(this.#shown, JSON.stringify(every), { mode: 0o600 });
  }

  async #noted() {
    return promises.readFile(this.#shown, "utf8").then(JSON.parse).catch(() => ({}));
  }

  /** Return the lines that an earlier process of the host was shown of the same bytes, with when that was. */
  async #textBefore(path, data, hash) {
    const noted = (await this.#noted())?.[path];
    if (noted?.hash !== hash || !noted.lines?.length) return "";
    const lines = linesOf(data);
    const text = noted.lines.map((at) => lines[at] ?? "").join("\n").trim();
    return text && within(`${CHECKED(noted.at.slice(0, 16).replace("T", " "))}${text}`, this.#rooms.get(path));
  }
}

function linesOf(data) {
  return data.toString().split("\n").map((line) => line.replace(COMMENT, "").trimEnd());
}

/** Return the lines of a checked text that a file still has, with what says whose they are. */
function stillIn(data, text) {
  const there = linesOf(data).map((line) => line.replace(TAG, "")).filter(Boolean);
  const isThere = (line) => there.some((each) => line === each || line.startsWith(`${each} (`));
  return text.split("\n").filter((line) => !line || line.startsWith("```") || isThere(line)).join("\n");
}

/** Return the whole lines of a text that fit, where it was made for more room; data that would lose its fence goes. */
function within(text, room) {
  if (room === undefined || text.length <= room) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf("\n", room))).replace(OPEN, "");
}

function hashOf(data) {
  return createHash("sha256").update(data).digest("hex");
}
