// How many characters OpenClaw has for one more file in its prompt. It cuts a longer one in its middle.
const OF_ALL = 60_000;
const OF_A_FILE = 20_000;
const OF_A_FILE_BEFORE_2026_7 = 12_000;

/** Return the room for a file behind others, by the host's settings for an agent, or by what its version does without. */
export function roomFor(bootstrapFiles, { cfg, agentId }, version) {
  const isLimit = (each) => Number.isFinite(each) && each >= 1;
  const limit = (key, usual) => [ownOf(cfg, agentId)?.[key], cfg?.agents?.defaults?.[key]].find(isLimit) ?? usual;
  const most = Math.floor(limit("bootstrapMaxChars", usualOf(version)));
  let left = Math.floor(limit("bootstrapTotalMaxChars", OF_ALL));
  for (const { missing, path, content } of bootstrapFiles) {
    left -= missing ? `[MISSING] Expected at: ${path}`.length : Math.min(most, (content ?? "").trimEnd().length);
  }
  return Math.max(0, Math.min(most, left));
}

function ownOf(cfg, agentId) {
  const { entries, list } = cfg?.agents ?? {};
  return entries?.[agentId] ?? (Array.isArray(list) ? list.find((each) => each?.id === agentId) : undefined);
}

function usualOf(version) {
  const [, year, month] = /^v?(\d+)\.(\d+)/.exec(version ?? "")?.map(Number) ?? [];
  const isNew = year > 2026 || (year === 2026 && month >= 7);
  return isNew ? OF_A_FILE : OF_A_FILE_BEFORE_2026_7;
}
