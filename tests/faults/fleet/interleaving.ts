import type { FleetStore } from "@levelset/fleet";

/** Store calls at which another actor can be scheduled. */
const STEPS = ["load", "loadAll", "loadTree", "list", "commit"] as const;

/** Works on a store; blocked before each store call until it is scheduled. */
class Actor {
  readonly #arrivals: (() => void)[] = [];
  #release: (() => void) | undefined;
  #isOver = false;

  /** The store as seen by this actor. */
  gated(store: FleetStore): FleetStore {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const call = (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
        const isStep = STEPS.some((step) => step === name);
        return isStep ? async (...args: readonly unknown[]) => (await this.#scheduled(), await call(...args)) : call;
      },
    });
  }

  over(): void {
    this.#isOver = true;
    this.#arrive();
  }

  /** Resolves to true when the actor is blocked, and to false when it is done. */
  async arrived(): Promise<boolean> {
    while (!this.#isOver && this.#release === undefined) {
      await new Promise<void>((resolve) => this.#arrivals.push(resolve));
    }
    return !this.#isOver;
  }

  go(): void {
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  #scheduled(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      this.#arrive();
    });
  }

  #arrive(): void {
    for (const arrival of this.#arrivals.splice(0)) arrival();
  }
}

/** One operation on a store. */
export type Work = (store: FleetStore) => Promise<void>;

/**
 * Runs several operations concurrently, in the order of store calls given by `choices`: each selects one of the
 * blocked actors, modulo the count. Without a choice the first one continues. Returns the number of alternatives at
 * each step.
 */
export async function runInterleaved(
  store: FleetStore,
  works: readonly Work[],
  choices: readonly number[],
): Promise<readonly number[]> {
  const actors = works.map(() => new Actor());
  const done = works.map(async (work, index) => {
    const actor = actors[index];
    try {
      await work(actor?.gated(store) ?? store);
    } finally {
      actor?.over();
    }
  });
  const widths: number[] = [];
  for (;;) {
    const waits = await Promise.all(actors.map((actor) => actor.arrived()));
    const waiting = actors.filter((_, index) => waits[index]);
    if (waiting.length === 0) break;
    waiting[(choices[widths.length] ?? 0) % waiting.length]?.go();
    widths.push(waiting.length);
  }
  await Promise.all(done);
  return widths;
}

/** Calls `run` with every possible interleaving. Returns the number of interleavings. */
export async function forEachInterleaving(
  run: (choices: readonly number[]) => Promise<readonly number[]>,
): Promise<number> {
  let choices: number[] = [];
  for (let count = 1; ; count++) {
    const widths = await run(choices);
    const taken = widths.map((_, step) => choices[step] ?? 0);
    const step = widths.findLastIndex((width, index) => (taken[index] ?? 0) + 1 < width);
    if (step === -1) return count;
    choices = [...taken.slice(0, step), (taken[step] ?? 0) + 1];
  }
}
