import { randomInt } from "@levelset/core";
import type { Clock, Logger, Random } from "@levelset/core";
import { KeyLanes } from "../broker/index.ts";
import type { ChangeSet, FleetStore, KeptAnswer } from "../store/index.ts";
import { FleetError } from "./fleet-error.ts";

/** What was decided on what was just read. */
export type Decision<T> =
  | {
      readonly kind: "commit";
      readonly change: ChangeSet;
      readonly result: T;
      /** The parent of what is changed: when others get in the way, the next attempt waits for its turn there too. */
      readonly parentId?: string | undefined;
    }
  /** There is nothing to change. */
  | { readonly kind: "settled"; readonly result: T };

/** What became of a mutation: it is done, now or before; or it was done under the same key, and this was the answer. */
export type Done<T> =
  | { readonly kind: "done"; readonly result: T }
  | { readonly kind: "replayed"; readonly answer: KeptAnswer };

/** A request that is done once, however often it is sent. */
export interface OnceKey {
  /** Who sent it to where, and the key, hashed. */
  readonly key: string;
  /** A hash of the body. */
  readonly request: string;
}

/** One mutation. */
export interface Mutation<T> {
  /** The id of what is changed. Mutations of one lane wait for each other. */
  readonly lane: string;
  /** Named in the error when the name is taken. */
  readonly subject: string;
  readonly once?: OnceKey | undefined;
  /** Reads and decides. Called again after a conflict, so that it must not rely on what an earlier call has read. */
  readonly decide: () => Promise<Decision<T>>;
}

/** The longest pause between two attempts. */
const PAUSE_MAX_MS = 200;

/** Runs mutations: read, decide, commit, and from the start when somebody else was faster. */
export class Mutations {
  readonly #store: Pick<FleetStore, "commit" | "answer">;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #attemptsMax: number;
  readonly #prepare: () => Promise<void>;
  readonly #lanes = new KeyLanes();

  constructor(options: {
    readonly store: Pick<FleetStore, "commit" | "answer">;
    readonly clock: Clock;
    readonly random: Random;
    readonly logger: Logger;
    readonly attemptsMax: number;
    /** What every decision needs besides what it reads. */
    readonly prepare: () => Promise<void>;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#logger = options.logger;
    this.#attemptsMax = options.attemptsMax;
    this.#prepare = options.prepare;
  }

  async run<T>(mutation: Mutation<T>): Promise<Done<T>> {
    const known = await this.#known(mutation.once);
    if (known !== undefined) return known;
    return this.#lanes.run(mutation.lane, () => this.#attempts(mutation));
  }

  async #attempts<T>(mutation: Mutation<T>): Promise<Done<T>> {
    let parentId: string | undefined;
    for (let attempt = 1; attempt <= this.#attemptsMax; attempt++) {
      // Lanes are entered from child to parent only, so that nobody waits in a circle.
      const tried = await this.#lanes.run(parentId, () => this.#attempt(mutation));
      if (tried.kind !== "conflict") return tried;
      parentId = tried.parentId === mutation.lane ? undefined : tried.parentId;
      await this.#clock.sleep(randomInt(this.#random, 0, Math.min(2 ** attempt, PAUSE_MAX_MS)));
    }
    this.#logger.warn("change given up after conflicts", { subject: mutation.subject, attempts: this.#attemptsMax });
    throw new FleetError("busy", `${mutation.subject}: too many others are changing it; try again`);
  }

  async #attempt<T>(
    mutation: Mutation<T>,
  ): Promise<Done<T> | { readonly kind: "conflict"; readonly parentId: string | undefined }> {
    await this.#prepare();
    const decision = await mutation.decide();
    if (decision.kind === "settled") return { kind: "done", result: decision.result };
    const committed = await this.#store.commit(decision.change);
    switch (committed.kind) {
      case "committed":
        return { kind: "done", result: decision.result };
      case "conflict":
        return { kind: "conflict", parentId: decision.parentId };
      case "taken": {
        // The same request may have come twice at the same time, and the other one was first.
        const known = await this.#known(mutation.once);
        if (known !== undefined) return known;
        if (committed.what === "answer") return { kind: "conflict", parentId: decision.parentId };
        throw new FleetError("exists", `${mutation.subject} already exists`);
      }
      default:
        return committed satisfies never;
    }
  }

  async #known(
    once: OnceKey | undefined,
  ): Promise<{ readonly kind: "replayed"; readonly answer: KeptAnswer } | undefined> {
    if (once === undefined) return undefined;
    const answer = await this.#store.answer(once.key);
    if (answer === undefined) return undefined;
    if (answer.request === once.request) return { kind: "replayed", answer };
    const message = "this key was used for another request";
    throw new FleetError("unprocessable", message, [{ field: "Idempotency-Key", message }]);
  }
}
