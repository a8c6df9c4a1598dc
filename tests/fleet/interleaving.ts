import type { FleetStore } from "@levelset/fleet";

/** The calls of a store between which others may come. */
const STEPS = ["load", "loadAll", "family", "list", "commit"] as const;

/** Somebody who works on a store, held before each of its calls until it is its turn. */
class Actor {
  readonly #arrivals: (() => void)[] = [];
  #release: (() => void) | undefined;
  #isOver = false;

  /** The store as this actor has it. */
  gated(store: FleetStore): FleetStore {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        const call = (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
        const isStep = STEPS.some((step) => step === name);
        return isStep ? async (...args: readonly unknown[]) => (await this.#turn(), await call(...args)) : call;
      },
    });
  }

  over(): void {
    this.#isOver = true;
    this.#arrive();
  }

  /** Resolves when it waits for its turn, with true, or is done, with false. */
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

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#release = resolve;
      this.#arrive();
    });
  }

  #arrive(): void {
    for (const arrival of this.#arrivals.splice(0)) arrival();
  }
}

/** One thing to do with a store. */
export type Work = (store: FleetStore) => Promise<void>;

/**
 * Does several things at the same time, in the order of store calls that `choices` gives: each says whose turn it is among those that wait,
 * counted around. Without a choice the first of them goes on. Answers with how many could have been chosen at each step.
 */
export async function interleaved(
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

/** Calls `run` with every choice there is, one after the other. Answers with how many there were. */
export async function everyOrder(run: (choices: readonly number[]) => Promise<readonly number[]>): Promise<number> {
  let choices: number[] = [];
  for (let count = 1; ; count++) {
    const widths = await run(choices);
    const taken = widths.map((_, step) => choices[step] ?? 0);
    const step = widths.findLastIndex((width, index) => (taken[index] ?? 0) + 1 < width);
    if (step === -1) return count;
    choices = [...taken.slice(0, step), (taken[step] ?? 0) + 1];
  }
}
