// When and how the host saves memories before it compacts a conversation: in clawgit's words, or in these without the service.
const SYSTEM = "This turn is for memory only; the user does not see it. If there is nothing to write down, answer NO_REPLY and nothing else.";
const ASK_MS = 10_000; // nobody waits for it

export class FlushPlan {
  #line;
  #day = "";
  #said = {};

  constructor(line) {
    this.#line = line;
  }

  /** Ask the service for its words, once a day. */
  refresh() {
    const day = new Date().toDateString();
    if (this.#day === day) return;
    this.#day = day;
    const asked = this.#line.ask("flush.plan", { tokens: 0 }, ASK_MS);
    asked.then((said) => (this.#said = said)).catch(() => (this.#day = ""));
  }

  at(nowMs = Date.now()) {
    const now = new Date(nowMs);
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((each) => String(each).padStart(2, "0")).join("-");
    const isOfDay = this.#said.path?.includes(day);
    const path = isOfDay ? this.#said.path : `memory/${day}.md`;
    return {
      softThresholdTokens: 4000,
      forceFlushTranscriptBytes: 2 * 1024 * 1024,
      reserveTokensFloor: 20_000,
      relativePath: path,
      prompt: isOfDay ? this.#said.turn : turnFor(path),
      systemPrompt: this.#said.system ?? SYSTEM,
    };
  }
}

function turnFor(path) {
  return `The conversation is about to be compacted. Write what should last into ${path}. If that file exists, APPEND to it. If there is nothing to write down, answer NO_REPLY and nothing else.`;
}
