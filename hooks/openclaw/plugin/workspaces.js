// Several workspaces of one host: what happens in an agent's session is told to its own workspace's memory, and to no other.
import { unclassified } from "./memory_files.js";

export class Workspaces {
  #every;

  /** Take the hooks of each workspace; what names no agent is the first one's. */
  constructor(every) {
    this.#every = every;
  }

  handlers() {
    const own = new Map(this.#every.map((each) => [each, each.handlers()]));
    const names = Object.keys(own.get(this.#every[0]));
    const of = (name) => (event, ctx) => own.get(this.#serving(ctx, event))?.[name](event, ctx);
    const all = () => Promise.all([...own.values()].map((each) => each.gateway_stop({}, {})));
    return { ...Object.fromEntries(names.map((name) => [name, of(name)])), gateway_stop: all };
  }

  get preprocessed() {
    return (event) => this.#serving({}, event)?.preprocessed(event);
  }

  get bootstrapped() {
    return (event) => this.#serving(event?.context, event)?.bootstrapped(event);
  }

  classified(params) {
    return this.#serving(params)?.classified(params) ?? unclassified(params);
  }

  tools(ctx) {
    return this.#serving(ctx)?.tools(ctx) ?? null;
  }

  flushPlan(nowMs) {
    return this.#every[0].flushPlan(nowMs);
  }

  #serving(ctx, event) {
    const where = { ...ctx, sessionKey: ctx?.sessionKey ?? event?.sessionKey };
    return this.#every.find((each) => each.serves(where));
  }
}
