import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Spool, UndeliverableError } from "../../../hooks/openclaw/plugin/spool.js";

const SPOOL = new URL("../../../hooks/openclaw/plugin/spool.js", import.meta.url);

function place(t) {
  const folder = mkdtempSync(join(tmpdir(), "spool-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return { folder, file: join(folder, "spool.jsonl") };
}

const line = (n) => `${JSON.stringify({ method: "message.in", params: { n } })}\n`;

test("all is said once in its order, and nothing is left", async (t) => {
  const { folder, file } = place(t);
  const said = [];
  for (const n of [1, 2, 3]) new Spool(file).keep("message.in", { n });
  await new Spool(file).drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said, readdirSync(folder)], [[1, 2, 3], []]);
});

test("what is kept while the rest is being said is said, too", async (t) => {
  const { file } = place(t);
  const [one, other, said] = [new Spool(file), new Spool(file), []];
  one.keep("message.in", { n: 1 });
  await one.drain(async (_method, { n }) => (said.push(n), other.keep("message.in", { n: 2 })));
  await other.drain(async (_method, { n }) => said.push(n));
  assert.deepEqual(said, [1, 2]);
});

test("what cannot be said stays", async (t) => {
  const { folder, file } = place(t);
  const [spool, said] = [new Spool(file), []];
  for (const n of [1, 2, 3]) spool.keep("message.in", { n });
  await spool.drain(async (_method, { n }) => (n === 2 ? Promise.reject(new Error("away")) : said.push(n)));
  assert.deepEqual(readdirSync(folder), ["spool.jsonl"]);
  await spool.drain(async (_method, { n }) => said.push(n));
  assert.deepEqual(said, [1, 2, 3]);
});

test("what a process that is gone had taken is said; what one that lives has is its own", async (t) => {
  const { folder, file } = place(t);
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  writeFileSync(`${file}.${gone}-77-1`, `${line(1)}{"half`);
  writeFileSync(`${file}.${process.pid}-77-1`, line(2)); // of one that had this number before
  const settled = new Spool(file).hold("message.in", { n: 9 }, "9");
  const said = [];
  await new Spool(file, 0).drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said.sort(), readdirSync(folder).length], [[1, 2], 1]);
  settled();
  assert.deepEqual(readdirSync(folder), []);
});

/** Have a process hold three requests, and kill it. */
function killed(file) {
  const words = `const spool = new (await import(${JSON.stringify(SPOOL.href)})).Spool(${JSON.stringify(file)});
    for (const n of [1, 2, 3]) spool.hold("message.in", { n }, String(n));
    process.kill(process.pid, "SIGKILL");`;
  assert.equal(spawnSync(process.execPath, ["--input-type=module", "-e", words]).signal, "SIGKILL");
}

test("what was held by one that is killed is said by the next one in its time", async (t) => {
  const { folder, file } = place(t);
  killed(file);
  const [early, said] = [[], []];
  assert.deepEqual(readdirSync(folder).map((each) => statSync(join(folder, each)).mode & 0o777), [0o600, 0o600, 0o600]);
  const spool = new Spool(file);
  await spool.drain(async (_method, { n }) => early.push(n));
  assert.deepEqual([early, spool.isEmpty, spool.isWaiting], [[], true, true]);
  await new Spool(file, 0).drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said.sort(), readdirSync(folder), spool.isWaiting], [[1, 2, 3], [], false]);
});

test("what the host brings again is not said as it was held", async (t) => {
  const { folder, file } = place(t);
  killed(file);
  const [next, said] = [new Spool(file, 0), []];
  next.hold("message.in", { n: 2 }, "2")();
  await next.drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said.sort(), readdirSync(folder)], [[1, 3], []]);
});

/** Say everything but one request, which the service never takes. */
const sayAllBut = (bad, said) => async (_method, { n }) => (n === bad ? Promise.reject(new UndeliverableError("no")) : said.push(n));

test("what the service never takes holds up nothing, and is put aside after five tries", async (t) => {
  const { folder, file } = place(t);
  const said = [];
  for (const n of [1, 2, 3]) new Spool(file).keep("message.in", { n });
  for (let times = 0; times < 4; times++) await new Spool(file).drain(sayAllBut(1, said));
  assert.deepEqual([said, readdirSync(folder)], [[2, 3], ["spool.jsonl"]]);
  new Spool(file).keep("message.in", { n: 4 });
  await new Spool(file).drain(sayAllBut(1, said));
  assert.deepEqual([said, readdirSync(folder)], [[2, 3, 4], ["spool.jsonl.aside"]]);
  assert.equal(readFileSync(`${file}.aside`, "utf8"), line(1));
  assert.equal(new Spool(file).isWaiting, false);
});

test("a service that is away uses up no tries", async (t) => {
  const { folder, file } = place(t);
  const [spool, said] = [new Spool(file, 0), []];
  spool.keep("message.in", { n: 1 });
  for (let times = 0; times < 9; times++) await spool.drain(() => Promise.reject(new Error("away")));
  assert.deepEqual(readdirSync(folder), ["spool.jsonl"]);
  await spool.drain(async (_method, { n }) => said.push(n));
  assert.deepEqual(said, [1]);
});

const GONE = spawnSync(process.execPath, ["-e", ""]).pid;
for (const [what, put] of [
  ["a folder", (there) => mkdirSync(there)],
  ["a folder with something in it", (there) => mkdirSync(join(there, "x"), { recursive: true })],
  ["a pipe", (there) => assert.equal(spawnSync("mkfifo", [there]).status, 0)],
]) {
  for (const name of ["spool.jsonl", `spool.jsonl.${GONE}-77-1`, "spool.jsonl.aside"]) {
    test(`${what} in the place of ${name.replace(/\d+/, "N")} holds up nothing`, { timeout: 20000 }, async (t) => {
      const { folder, file } = place(t);
      put(join(folder, name));
      const said = [];
      for (const n of [1, 2]) assert.equal(new Spool(file).keep("message.in", { n }), true);
      for (let times = 0; times < 5; times++) await new Spool(file, 0).drain(sayAllBut(1, said));
      assert.deepEqual([said, new Spool(file).isWaiting], [[2], false]);
      assert.equal(readFileSync(`${file}.aside`, "utf8"), line(1));
      assert.equal(readdirSync(folder).filter((each) => each.includes(".aside-")).length, 1, "it is kept");
    });
  }
}

test("lines that are no request are left out", async (t) => {
  const { folder, file } = place(t);
  const said = [];
  writeFileSync(file, `null\n5\n[]\n{"method": 5}\n"x"\n${line(1)}`);
  await new Spool(file).drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said, readdirSync(folder)], [[1], []]);
});
