import { backoffMs, BACKOFFS, KeyedMutex } from "@levelset/core/internal";
import type { Clock, Logger, Random } from "@levelset/core";
import type { ChangeSet, FleetStore, IdempotentResponse } from "../store/index.ts";
import { FleetError } from "./fleet-error.ts";

/** The decision on the data just read. */
export type MutationDecision<T> =
  | {
      readonly kind: "commit";
      readonly change: ChangeSet;
      readonly result: T;
      /** The parent of the changed resource: after a conflict, the next attempt also locks it. */
      readonly parentId?: string | undefined;
    }
  /** There is no change to commit. */
  | { readonly kind: "unchanged"; readonly result: T };

/**
 * The result of a mutation: committed, or already committed with the same idempotency key, with its stored response.
 */
export type MutationResult<T> =
  | { readonly kind: "done"; readonly result: T }
  | { readonly kind: "replayed"; readonly answer: IdempotentResponse };

/** Identifies a request that is executed once, however often it is sent. */
export interface IdempotencyKey {
  /** Hash of caller, request line and key. */
  readonly key: string;
  /** Hash of the body. */
  readonly request: string;
}

/** A mutation. */
export interface Mutation<T> {
  /** The ID of the changed resource. Mutations with the same lock key are serialised. */
  readonly lockKey: string;
  /** Named in the error if the name is in use. */
  readonly subject: string;
  readonly idempotency?: IdempotencyKey | undefined;
  /** Reads and decides. Called again after a conflict, so it must not rely on data from an earlier call. */
  readonly decide: () => Promise<MutationDecision<T>>;
}

/** Runs mutations: read, decide, commit; restarts after a conflict. */
export class Mutations {
  readonly #store: Pick<FleetStore, "commit" | "idempotentResponse">;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #logger: Logger;
  readonly #attemptsMax: number;
  readonly #prepare: () => Promise<void>;
  readonly #mutex = new KeyedMutex();

  constructor(options: {
    readonly store: Pick<FleetStore, "commit" | "idempotentResponse">;
    readonly clock: Clock;
    readonly random: Random;
    readonly logger: Logger;
    readonly attemptsMax: number;
    /** Prepares data that every decision needs. */
    readonly prepare: () => Promise<void>;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#logger = options.logger;
    this.#attemptsMax = options.attemptsMax;
    this.#prepare = options.prepare;
  }

  async run<T>(mutation: Mutation<T>): Promise<MutationResult<T>> {
    const known = await this.#known(mutation.idempotency);
    if (known !== undefined) return known;
    return this.#mutex.run(mutation.lockKey, () => this.#attempts(mutation));
  }

  async #attempts<T>(mutation: Mutation<T>): Promise<MutationResult<T>> {
    let parentId: string | undefined;
    for (let attempt = 1; attempt <= this.#attemptsMax; attempt++) {
      // Locks are acquired from child to parent only, to avoid deadlocks.
      const tried = await this.#mutex.run(parentId, () => this.#attempt(mutation));
      if (tried.kind !== "conflict") return tried;
      parentId = tried.parentId === mutation.lockKey ? undefined : tried.parentId;
      await this.#clock.sleep(backoffMs(attempt, BACKOFFS.fleetConflict, this.#random));
    }
    this.#logger.warn("change failed after too many conflicts", {
      subject: mutation.subject,
      attempts: this.#attemptsMax,
    });
    throw new FleetError("busy", `${mutation.subject}: too many concurrent changes; try again`);
  }

  async #attempt<T>(
    mutation: Mutation<T>,
  ): Promise<MutationResult<T> | { readonly kind: "conflict"; readonly parentId: string | undefined }> {
    await this.#prepare();
    const decision = await mutation.decide();
    if (decision.kind === "unchanged") return { kind: "done", result: decision.result };
    const committed = await this.#store.commit(decision.change);
    switch (committed.kind) {
      case "committed":
        return { kind: "done", result: decision.result };
      case "conflict":
        return { kind: "conflict", parentId: decision.parentId };
      case "duplicate": {
        // A concurrent request with the same key may have committed first.
        const known = await this.#known(mutation.idempotency);
        if (known !== undefined) return known;
        if (committed.what === "answer") return { kind: "conflict", parentId: decision.parentId };
        throw new FleetError("exists", `${mutation.subject} already exists`);
      }
      default:
        return committed satisfies never;
    }
  }

  async #known(
    once: IdempotencyKey | undefined,
  ): Promise<{ readonly kind: "replayed"; readonly answer: IdempotentResponse } | undefined> {
    if (once === undefined) return undefined;
    const response = await this.#store.idempotentResponse(once.key);
    if (response === undefined) return undefined;
    if (response.request === once.request) return { kind: "replayed", answer: response };
    const message = "this idempotency key was used for another request";
    throw new FleetError("unprocessable", message, [{ field: "Idempotency-Key", message }]);
  }
}
