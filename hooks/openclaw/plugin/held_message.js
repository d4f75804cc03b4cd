// A message waits a little for the host's own word on it: whether its owner sent it, and whether he only passes it on.
const MARK_MS = 8_000; // the host says what is forwarded before it begins a turn; on a busy machine that took 2.8 s
const PROOF_MS = 250; // then whose it is comes with the stored message

export class HeldMessage {
  isOwner;
  #message;
  #isForwarded = false;
  #timer;
  #done;

  /** Hold a message; `done` is given it once, with all that is known of it. */
  constructor(message, isOwner, done) {
    this.#message = message;
    this.isOwner = isOwner;
    this.#done = done;
    this.#timer = setTimeout(() => this.release(), MARK_MS);
  }

  is(id) {
    return this.#message.id === id;
  }

  mark(isForwarded) {
    this.#isForwarded ||= isForwarded;
    clearTimeout(this.#timer);
    if (this.#done) this.#timer = setTimeout(() => this.release(), PROOF_MS);
  }

  prove(isOwner) {
    this.isOwner = isOwner;
    this.release();
  }

  release() {
    clearTimeout(this.#timer);
    const done = this.#done;
    this.#done = null;
    const proved = this.isOwner === undefined ? {} : { proved: this.isOwner ? "operator" : "other" };
    done?.({ ...this.#message, ...proved, ...(this.#isForwarded ? { external: true } : {}) });
  }
}
