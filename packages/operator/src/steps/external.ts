import { DeclarationError, unreachable } from "@levelset/core";
import type { AnyCustomKind, StatusOf } from "@levelset/core";
import { ok, requeueAfter, step } from "../step/index.ts";
import type { Reference, Req, Result, Source, Step } from "../step/index.ts";
import { externalCall } from "./external-call.ts";

/** What is seen of a thing outside of the cluster. `value` is whatever the step wants to know of it: an id, an address. */
export type Seen<Value> =
  /** There is none. */
  | { readonly state: "absent" }
  /** It is there, but not what the spec asks for. */
  | { readonly state: "outdated"; readonly value: Value }
  /** It is busy with something, `doing`; nothing is asked of it meanwhile. */
  | { readonly state: "working"; readonly value: Value; readonly doing?: string }
  /** It is what the spec asks for. */
  | { readonly state: "current"; readonly value: Value };

/** What is left of a thing after its deletion was asked for. */
export type Remains = "gone" | "going";

/** An answer of a call: what it is for, or a result that is not ok where the usual one does not fit (`terminal("quota is used up")`). */
export type ExternalAnswer<Answer> = Promise<Answer | Result<never>>;

type Remove<K extends AnyCustomKind> = (req: Req<K, never>) => ExternalAnswer<Remains>;

/** What `external` takes. */
export interface ExternalOptions<K extends AnyCustomKind, Value, Uses extends readonly Source<unknown>[]> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** Objects that the calls read with `req.get`, such as the Secret with the password. */
  readonly reads?: readonly Reference<K>[];
  /** Status fields that `status` writes and that live on while nothing is known: ids. */
  readonly keeps?: readonly (keyof StatusOf<K> & string)[];
  /** Looks at the thing, and changes nothing. Finds it by what never changes, the object's uid or name, not by an id in the status alone. */
  readonly observe: (req: Req<K, Uses[number]>) => ExternalAnswer<Seen<Value>>;
  /**
   * Makes or changes the thing, and answers with what it is then. May be called again for what it has done already, so it must be
   * idempotent: create under a key that the service accepts once, change by stating what should be.
   */
  readonly apply: (
    req: Req<K, Uses[number]>,
    seen: Extract<Seen<Value>, { readonly state: "absent" | "outdated" }>,
  ) => ExternalAnswer<Seen<Value>>;
  /**
   * Asks for the thing's deletion when the object is deleted, and says whether it is gone. Called until it is, also if there never was
   * one. No step hands over anything then. Without it the thing outlives the object.
   */
  readonly delete?: Remove<K>;
  /** Writes what is known of the thing into the status, whenever it was seen. */
  readonly status?: (req: Req<K, Uses[number]>, value: Value) => void;
  /** How long to wait before looking again at something that is not finished. Default: five seconds. */
  readonly pollMs?: number;
  /** How often to look at a finished thing, because nothing tells of its changes. Default: only when something in the cluster changes. */
  readonly driftMs?: number;
  /** What one call may take. Default: thirty seconds. */
  readonly timeoutMs?: number;
}

const POLL_MS = 5_000;
const TIMEOUT_MS = 30_000;

/**
 * Keeps a thing outside of the cluster as the spec asks, through the calls of its API: look, change only what differs, wait while it is
 * busy. Ready only after the service said that the thing is what the present spec asks for.
 *
 * The operator may die between any two calls, and before an id reaches the status. So the service must be able to find the thing by
 * something that is known beforehand, such as `req.object.metadata.uid`; then a create whose answer was lost is found or repeated, and
 * never doubled. The object has a finalizer before the first call, so nothing is left behind when it is deleted.
 */
export function external<K extends AnyCustomKind, Value, const Uses extends readonly Source<unknown>[] = readonly []>(
  kind: K,
  name: string,
  options: ExternalOptions<K, Value, Uses>,
): Step<K, Value> {
  const { condition, uses, reads, keeps, observe, apply, delete: remove, status } = options;
  const { pollMs = POLL_MS, timeoutMs = TIMEOUT_MS, driftMs } = options;
  checkDurations(name, { pollMs, timeoutMs, driftMs });

  const note = (req: Req<K, Uses[number]>, seen: Seen<Value>): void => {
    if (seen.state !== "absent") status?.(req, seen.value);
  };
  const reached = async (req: Req<K, Uses[number]>): Promise<Result<Value>> => {
    if (driftMs !== undefined) req.lookAgain(driftMs);
    const seen = await externalCall("observe", req, timeoutMs, observe);
    if ("kind" in seen) return seen;
    note(req, seen);
    if (seen.state !== "absent" && seen.state !== "outdated") return resultOf(seen, pollMs);
    const applied = await externalCall("apply", req, timeoutMs, (within) => apply(within, seen));
    if ("kind" in applied) return applied;
    note(req, applied);
    return resultOf(applied, pollMs);
  };
  const gone = async (req: Req<K, never>, remove: Remove<K>): Promise<Result<undefined>> => {
    const remains = await externalCall("delete", req, timeoutMs, remove);
    if (remains === "gone") return ok();
    return remains === "going" ? requeueAfter("being deleted", pollMs) : remains;
  };

  return step<K, Value, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...(reads === undefined ? {} : { reads }),
    ...(keeps === undefined ? {} : { keeps }),
    do: reached,
    ...(remove === undefined ? {} : { cleanup: (req) => gone(req, remove) }),
  });
}

function resultOf<Value>(seen: Seen<Value>, pollMs: number): Result<Value> {
  switch (seen.state) {
    case "current":
      return ok(seen.value);
    case "working":
      return requeueAfter(seen.doing ?? "in progress", pollMs);
    case "absent":
    case "outdated":
      return requeueAfter("asked for, and not there yet", pollMs);
    default:
      return unreachable(seen);
  }
}

function checkDurations(name: string, durations: Readonly<Record<string, number | undefined>>): void {
  for (const [option, ms] of Object.entries(durations)) {
    if (ms === undefined || (Number.isFinite(ms) && ms > 0)) continue;
    throw new DeclarationError(`step ${name}: ${option} is a number of milliseconds above 0, not ${ms}`);
  }
}
