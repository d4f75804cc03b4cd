import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Spool } from "../../../hooks/openclaw/plugin/spool.js";

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
  writeFileSync(`${file}.${gone}-1`, `${line(1)}{"half`);
  writeFileSync(`${file}.${process.ppid}-1`, line(9));
  const said = [];
  await new Spool(file).drain(async (_method, { n }) => said.push(n));
  assert.deepEqual([said, readdirSync(folder)], [[1], [`spool.jsonl.${process.ppid}-1`]]);
});
