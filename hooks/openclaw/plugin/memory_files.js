// OpenClaw's files of memory as its model reads them: whose their lines are, and our text in the place of the raw file.
//
// OpenClaw puts MEMORY.md and USER.md into a prompt raw, or leaves a whole file out for one write of another program's. Its classifier asks
// here what it may put in as it is; its `agent:bootstrap` event is where the raw file goes and ours comes.
import { createHash } from "node:crypto";
import { promises } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fenced, isAutomatic } from "./talk.js";

const CORE = "MEMORY.md";
const USER = "USER.md";
const FIRST_MS = 2_000; // until something is known of a file
const AGAIN_MS = 1_000; // a turn asks about a file twice: whose it is, and for its text
const UNKNOWN = { origin: "untrusted", text: "" }; // never eligible: nobody said whose these bytes are
const NOT_OURS = "agent"; // a workspace that is not connected is as OpenClaw has it
const OLDER = "(This is the file as it was checked last; what was written into it since is not shown yet.)";

const CHECKED = (at) => `(These lines are as they were checked at ${at} UTC; what goes with them is not shown while clawgit's service is away.)`;
const COMMENT = /[ \t]*<!--.*?-->/g;
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
  #asked = new Map(); // path -> about which bytes the service was asked last, and when
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
  async put({ workspaceDir, bootstrapFiles, sessionKey }, isShared) {
    if (!workspaceDir || !bootstrapFiles?.length) return;
    for (const name of [CORE, USER]) {
      const raw = bootstrapFiles.find((each) => each.name === name && !each.missing && typeof each.content === "string");
      if (raw && name === CORE && isShared) bootstrapFiles.splice(bootstrapFiles.indexOf(raw), 1); // before 2026.9 the host puts it there
      if (isShared ? !raw || name === CORE : !raw && isAutomatic(sessionKey)) continue;
      const path = raw ? relative(workspaceDir, raw.path) : name;
      const data = raw ? raw.content : await promises.readFile(join(workspaceDir, path)).catch(() => null);
      if (data === null) continue;
      const { origin, text } = await this.#of(path, data);
      const isAsItIs = raw && name === USER && origin !== UNKNOWN.origin;
      if (!text || isAsItIs) continue;
      if (raw) bootstrapFiles.splice(bootstrapFiles.indexOf(raw), 1);
      // under another name: what the host left out by its name, it leaves out again
      bootstrapFiles.push({ name: "AGENTS.md", path: join(workspaceDir, ".clawgit", path), content: fenced(text), missing: false });
    }
  }

  /** Return whose a file with these bytes is, and its text; bytes that no commit has are nobody's, and get the last text. */
  async #of(path, data) {
    const hash = hashOf(data);
    const before = this.#asked.get(path);
    if (before?.hash !== hash || Date.now() - before.at > AGAIN_MS) await this.#ask(path, data, hash);
    const last = this.#kept.get(path);
    if (!last) return { ...UNKNOWN, text: await this.#textBefore(path, data, hash) };
    return last.hash === hash ? last : { origin: UNKNOWN.origin, text: last.text && `${last.text.trim()}\n\n${OLDER}` };
  }

  async #ask(path, data, hash) {
    const ms = this.#kept.has(path) ? this.#timeoutMs : Math.max(FIRST_MS, this.#timeoutMs);
    const said = await this.#line.ask("memory.file", { path, hash }, ms).catch(() => null);
    const isNew = said && this.#kept.get(path)?.hash !== said.hash;
    if (said) this.#kept.set(path, said);
    this.#asked.set(path, { hash, at: Date.now() });
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
    return text && `${text}\n\n${CHECKED(noted.at.slice(0, 16).replace("T", " "))}`;
  }
}

function linesOf(data) {
  return data.toString().split("\n").map((line) => line.replace(COMMENT, "").trimEnd());
}

function hashOf(data) {
  return createHash("sha256").update(data).digest("hex");
}
