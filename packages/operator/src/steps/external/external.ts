import { DeclarationError } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import type { AnyCustomKind, StatusOf } from "@levelset/core";
import { isHeldBack, ok, requeueAfter, step, wait } from "../../engine/index.ts";
import type { Reference, Req, Result, OutputStep, Step } from "../../engine/index.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import type { KeptFields } from "../kept-status.ts";
import type { OnNamespaceTermination } from "../namespace-termination.ts";
import { externalCall } from "./external-call.ts";
import { READ_NAMESPACE, skippable } from "./skippable-cleanup.ts";

/** Observed state of an external resource. `value` is what the step needs to know of it: an id, an address. */
export type ExternalState<Value> =
  /** It does not exist. */
  | { readonly state: "absent" }
  /** It exists, but differs from the spec. */
  | { readonly state: "outdated"; readonly value: Value }
  /** It is busy with an operation, `doing`, and gets no requests meanwhile. */
  | { readonly state: "progressing"; readonly value: Value; readonly doing?: string }
  /** It matches the spec. */
  | { readonly state: "current"; readonly value: Value };

/** State of a resource after its deletion was requested. */
export type DeletionState = "deleted" | "deleting";

/**
 * Result of a call: its value, or a result that is not ok where the default does not fit (`terminal("quota is used
 * up")`).
 */
export type ExternalResult<Answer> = Promise<Answer | Result<never>>;

type Remove<K extends AnyCustomKind> = (req: Req<K, never>) => ExternalResult<DeletionState>;

/** Options of {@link external}. */
export interface ExternalOptions<K extends AnyCustomKind, Value, Uses extends readonly OutputStep<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** Objects that the calls read with `req.get`, such as the Secret with the password. */
  readonly reads?: readonly Reference<K>[];
  /** Status fields that persist until the object is gone, also while it is being deleted: ids that `delete` needs. */
  readonly preserveStatus?: readonly (keyof StatusOf<K> & string)[];
  /**
   * Reads the resource and changes nothing. Must find it by a stable key, the object's uid or name, not by an id in the
   * status alone.
   */
  readonly observe: (req: Req<K, Uses[number]>) => ExternalResult<ExternalState<Value>>;
  /**
   * Creates or updates the resource, and returns its new state. May be called again for work that is already done, so
   * it must be idempotent: create under a client-side key, update declaratively.
   */
  readonly apply: (
    req: Req<K, Uses[number]>,
    seen: Extract<ExternalState<Value>, { readonly state: "absent" | "outdated" }>,
  ) => ExternalResult<ExternalState<Value>>;
  /**
   * Requests the deletion of the resource when the object is deleted, and returns whether it is gone. Called until it
   * is, also if the resource never existed. Steps have no outputs then. Without it the resource outlives the object.
   */
  readonly delete?: Remove<K>;
  /** Writes information from the resource to the status, whenever it was observed. */
  readonly status?: (req: Req<K, Uses[number]>, value: Value) => void;
  /**
   * Fields that `status` writes and that keep their value while the resource cannot be observed. They are dropped when
   * it is absent, or when the object is deleted. Default: none, the status has only what the run has found.
   */
  readonly keep?: KeptFields<K>;
  /** Delay before an unfinished resource is observed again. Default: five seconds. */
  readonly pollMs?: number;
  /**
   * Interval between observations of a settled resource, which has no watch. Default: only when an object in the
   * cluster changes.
   */
  readonly driftMs?: number;
  /** Timeout of one call. Default: thirty seconds. */
  readonly timeoutMs?: number;
  /**
   * Whether to skip `delete`, with a Warning, or to block the deletion if it fails because the namespace is being deleted
   * and an object of `reads` is gone, such as the Secret with the password. Default: skip.
   */
  readonly onNamespaceTermination?: OnNamespaceTermination;
  /** Time limit of the cleanup, counted from the deletion of the object: see `deadlineMs` of a step. */
  readonly deadlineMs?: number;
}

const POLL_MS = 5_000;
const TIMEOUT_MS = 30_000;

/**
 * Reconciles an external resource with the calls of its API: observe, apply only if it differs, wait while it is busy.
 * Ready only after the service has reported that the resource matches the current spec.
 *
 * The operator may crash between any two calls, and before an id is stored in the status. The service must therefore
 * find the resource by a key that is known beforehand, such as `req.object.metadata.uid`; a create whose response was
 * lost is then found or repeated, and never duplicated. The object has a finalizer before the first call, so that no
 * resource is left behind when it is deleted.
 */
export function external<
  K extends AnyCustomKind,
  Value,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: ExternalOptions<K, Value, Uses>): Step<K, Value> {
  const { condition, uses, reads, preserveStatus, observe, apply, delete: remove, status, keep } = options;
  const { pollMs = POLL_MS, timeoutMs = TIMEOUT_MS, driftMs, deadlineMs, onNamespaceTermination = "skip" } = options;
  checkDurations(name, { pollMs, timeoutMs, driftMs });

  const note = (req: Req<K, Uses[number]>, seen: ExternalState<Value>): void => {
    dropKept(req, keep);
    if (seen.state !== "absent") status?.(req, seen.value);
  };
  const reached = async (req: Req<K, Uses[number]>): Promise<Result<Value>> => {
    const seen = await externalCall({ verb: "observe", step: name }, req, timeoutMs, observe);
    if (driftMs !== undefined) req.requeueAfter(driftMs);
    if ("kind" in seen) return seen;
    note(req, seen);
    if (seen.state !== "absent" && seen.state !== "outdated") return resultOf(seen, pollMs);
    const applied = await externalCall({ verb: "apply", step: name }, req, timeoutMs, (within) => apply(within, seen));
    if ("kind" in applied) return applied;
    note(req, applied);
    return resultOf(applied, pollMs);
  };
  const gone = async (req: Req<K, never>, remove: Remove<K>): Promise<Result<undefined>> => {
    const remains = await externalCall({ verb: "delete", step: name }, req, timeoutMs, remove);
    if (remains === "deleted") return ok();
    return remains === "deleting" ? requeueAfter("being deleted", pollMs) : remains;
  };
  const canSkip = onNamespaceTermination === "skip" && reads !== undefined && reads.length > 0;

  return step<K, Value, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...(reads === undefined ? {} : { reads }),
    ...keepPhases<K>(name, options, preserveStatus),
    do: (req) => unlessHeldBack(() => reached(req)),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(remove === undefined
      ? {}
      : {
          cleanup: (req) =>
            unlessHeldBack(() => (canSkip ? skippable(req, name, reads, () => gone(req, remove)) : gone(req, remove))),
        }),
    ...(remove !== undefined && canSkip ? { rbac: [READ_NAMESPACE] } : {}),
  });
}

/** Returns a result that waits if a call is held back: it is neither a failure nor worth a retry. */
async function unlessHeldBack<Out>(run: () => Promise<Result<Out>>): Promise<Result<Out>> {
  try {
    return await run();
  } catch (error) {
    if (isHeldBack(error)) return wait(error.message);
    throw error;
  }
}

function resultOf<Value>(seen: ExternalState<Value>, pollMs: number): Result<Value> {
  switch (seen.state) {
    case "current":
      return ok(seen.value);
    case "progressing":
      return requeueAfter(seen.doing ?? "in progress", pollMs);
    case "absent":
    case "outdated":
      return requeueAfter("requested, not available yet", pollMs);
    default:
      return unreachable(seen);
  }
}

function checkDurations(name: string, durations: Readonly<Record<string, number | undefined>>): void {
  for (const [option, ms] of Object.entries(durations)) {
    if (ms === undefined || (Number.isFinite(ms) && ms > 0)) continue;
    throw new DeclarationError(`step ${name}: ${option} must be a number of milliseconds above 0, not ${ms}`);
  }
}
