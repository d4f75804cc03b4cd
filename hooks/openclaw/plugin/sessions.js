// What is known of each of the host's sessions: who speaks there, what is held, and whether its conversation begins.
const MOST_SESSIONS = 1000;

export class Sessions {
  #known = new Map(); // key -> session

  /** Return a session, made where there is none; the one that began first goes where there are very many. */
  at(key) {
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MOST_SESSIONS) this.#known.delete(this.#known.keys().next().value);
    const made = { held: [], kept: null, untold: [], turn: 0, isOwner: undefined, heard: false, prompt: "", topic: "", isFresh: true, isOutside: false, place: null, places: new Map(), runs: new Set(), gathered: null };
    this.#known.set(key, made);
    return made;
  }

  /** Return a session if anything was said in it. */
  known(key) {
    return this.#known.get(key);
  }

  /** Return the messages that are held, of all sessions. */
  allHeld() {
    return [...this.#known.values()].flatMap((each) => each.held);
  }

  /** Return the held message with an id, the first one of the session where none is named. */
  held(key, id) {
    const heldIn = (each) => this.#known.get(each)?.held ?? [];
    return id ? [...heldIn(key), ...heldIn("")].find((each) => each.is(String(id))) : heldIn(key)[0];
  }

  /** Return the session whose message a tool's call answers; 2026.7 names a conversation of its own there. */
  answeredBy({ sessionKey, messageChannel, requesterSenderId }) {
    const known = this.#known.get(sessionKey ?? "");
    const isMeant = (each) => each.place?.channel === messageChannel && each.sender === String(requesterSenderId);
    return known?.kept ? known : [...this.#known.values()].findLast(isMeant);
  }
}
