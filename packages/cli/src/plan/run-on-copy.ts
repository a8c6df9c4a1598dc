import { createLogger } from "@levelset/core";
import type { Clock, Logger } from "@levelset/core";
import { LinkedAbortController, toError } from "@levelset/core/internal";
import { seededRandom, untilIdle } from "@levelset/core/testing";
import type { VirtualClock } from "@levelset/core/testing";
import type { ManagedOperator, ManagerOptions, ObjectRef } from "@levelset/operator";
import { runOperators } from "@levelset/operator/internal";
import type { ClusterCopy } from "./copy/index.ts";
import { HeldBackCalls } from "./held-back-calls.ts";
import { MissingRights } from "./missing-rights.ts";
import { ObservedOperators } from "./observed-operators.ts";
import type { RunFailure } from "./observed-operators.ts";
import { StoreChanges } from "./store-changes.ts";
import type { StoreChange } from "./store-changes.ts";
import { untilRest } from "./until-rest.ts";

/** Options of {@link runOnCopy}. */
export interface RunOnCopyOptions {
  /** Namespaces of operators that do not declare their own. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly unhandledRejections?: ManagerOptions["unhandledRejections"] | undefined;
  /** The clock of the copy. */
  readonly clock: VirtualClock;
  /** The clock of this process. */
  readonly real: Clock;
  readonly signal: AbortSignal;
}

/** What operators did on a copy. */
export interface CopyRun {
  readonly changes: readonly StoreChange[];
  readonly heldBack: HeldBackCalls;
  /** Failures in the latest run of each object. */
  readonly failures: readonly RunFailure[];
  /** Why the operators ended by themselves; undefined if they did not. */
  readonly crash: Error | undefined;
  /** Errors that callbacks of the operators threw outside of runs, without duplicates. */
  readonly errors: readonly string[];
  /** Rules that the operators need and do not declare. */
  readonly missingRights: readonly string[];
  readonly isAtRest: boolean;
  /** Number of objects whose runs did not end. */
  readonly unfinished: number;
  /** What the latest run of each object waits for, by `refId`. */
  readonly waits: ReadonlyMap<string, readonly ObjectRef[]>;
}

/**
 * Runs operators on a copy under a virtual clock until they rest. The copy comes to rest first, so that only the changes
 * of the operators are returned. Calls of `external` steps are held back.
 */
export async function runOnCopy(
  operators: readonly ManagedOperator[],
  copy: ClusterCopy,
  options: RunOnCopyOptions,
): Promise<CopyRun> {
  const { clock, real, signal } = options;
  await settled(copy);
  using changes = new StoreChanges(copy.store);
  const observed = new ObservedOperators(operators);
  const heldBack = new HeldBackCalls();
  const { logger, errors } = errorLog();
  using stop = new LinkedAbortController([signal]);
  let crash: Error | undefined;
  const { namespaces, unhandledRejections } = options;
  const rights = new MissingRights(operators, namespaces);
  const running = runOperators(
    observed.operators,
    { fetch: rights.checked(copy.server.fetch), clock, random: seededRandom(2), logger, signal: stop.signal },
    {
      externalInterceptor: heldBack,
      ...(namespaces === undefined ? {} : { namespaces }),
      ...(unhandledRejections === undefined ? {} : { unhandledRejections }),
    },
  ).catch((error: unknown) => {
    crash = toError(error);
  });
  const isSynced = synced(observed);
  const system = {
    clock,
    writes: () => changes.count,
    isBusy: () => crash === undefined && (!isSynced() || observed.unfinished > 0),
  };
  const isAtRest = await untilRest(system, real, signal);
  const unfinished = crash === undefined ? observed.unfinished : 0;
  const unlisted = crash === undefined && !isSynced() ? ["did not start: a watched kind cannot be listed"] : [];
  stop.abort();
  await running;
  signal.throwIfAborted();
  const { failures, waits } = observed;
  const { messages: missingRights } = rights;
  const all = [...errors, ...unlisted];
  return {
    changes: changes.changes,
    heldBack,
    failures,
    crash,
    errors: all,
    missingRights,
    isAtRest,
    unfinished,
    waits,
  };
}

/** Waits until the controllers of the copy itself do not write, for at most as long as one might loop. */
async function settled({ store }: ClusterCopy): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < SETTLED.roundsMax && quiet < SETTLED.quietRounds; round++) {
    const { revision } = store;
    await untilIdle();
    quiet = store.revision === revision ? quiet + 1 : 0;
  }
}

const SETTLED = { roundsMax: 10_000, quietRounds: 3 } as const;

/** Returns a function that reports whether all kinds are listed. */
function synced(observed: ObservedOperators): () => boolean {
  let state: "waiting" | "asked" | "synced" = "waiting";
  return () => {
    if (state === "waiting" && observed.areStarted) {
      state = "asked";
      void observed.synced.then(() => (state = "synced"));
    }
    return state === "synced";
  };
}

/** Returns a logger that collects the messages of errors. */
function errorLog(): { readonly logger: Logger; readonly errors: ReadonlySet<string> } {
  const errors = new Set<string>();
  const logger = createLogger(({ level, message, fields }) => {
    // Defects of steps are in the records of their runs.
    if (level !== "error" || message === "step failed with a programming error") return;
    const { err } = fields;
    errors.add(err === undefined ? message : `${message}: ${toError(err).message}`);
  });
  return { logger, errors };
}
