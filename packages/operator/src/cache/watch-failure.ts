import { StatusError } from "@levelset/core";
import type { Kind, StatusReason } from "@levelset/core";
import type { ReflectorHealth } from "../watch/index.ts";

/** Why the objects of a kind cannot be listed or watched. */
export interface WatchFailure {
  /** Verb, resource and cause: `cannot list widgets.example.com: forbidden (needs list and watch)`. */
  readonly message: string;
  /** True if the server rejects the request, so that RBAC or the kind must change. False if a retry may succeed. */
  readonly isRefused: boolean;
  readonly cause: WatchFailureCause;
}

/** What failed. Equal for failures of the same sort, even if their messages differ. */
export type WatchFailureCause =
  /** A list has had no response for a long time. */
  | { readonly kind: "noAnswer" }
  /** `reason` is the reason of the server, or the name of the error if it did not respond. */
  | { readonly kind: "failed"; readonly verb: "list" | "watch"; readonly reason: string };

/** The phase of an informer. */
export type WatchPhase =
  /** The first list or a requested relist is in progress. */
  | { readonly kind: "starting" }
  /** The list is complete and the watch is running. */
  | { readonly kind: "watching" }
  | { readonly kind: "failing"; readonly failure: WatchFailure };

/** Number of consecutive failures that do not affect a synced informer: connections break, servers restart. */
const INTERRUPTIONS_MAX = 2;

/** Status reasons that a retry does not fix. */
const REFUSED: Readonly<Partial<Record<StatusReason, string>>> = {
  Forbidden: "forbidden",
  Unauthorized: "unauthorized",
  MethodNotAllowed: "the server does not support it",
  NotFound: "the server does not serve it",
};

/** Returns the phase of the informer of a kind. */
export function watchPhase(kind: Pick<Kind, "plural" | "group">, health: ReflectorHealth): WatchPhase {
  const { isSynced, isRefreshing, failure, failures } = health;
  // A synced cache stays readable after a lost connection: an unreachable server accepts no writes either.
  const isLost = isSynced && failure instanceof StatusError && failures > INTERRUPTIONS_MAX;
  if (failure !== undefined && (!isSynced || isLost)) {
    const verb = health.resourceVersion === undefined ? "list" : "watch";
    return { kind: "failing", failure: watchFailure(kind, verb, failure) };
  }
  return { kind: isSynced && !isRefreshing ? "watching" : "starting" };
}

/** Returns the failure of a list that has had no response for a long time. */
export function noAnswer(kind: Pick<Kind, "plural" | "group">): WatchFailure {
  const message = `cannot list ${resourceOf(kind)}: no answer yet (${RIGHTS})`;
  return { message, isRefused: false, cause: { kind: "noAnswer" } };
}

const RIGHTS = "needs list and watch";

/** Returns why a list or watch of a kind failed. */
export function watchFailure(kind: Pick<Kind, "plural" | "group">, verb: "list" | "watch", error: Error): WatchFailure {
  const reason = error instanceof StatusError ? error.reason : undefined;
  const refusal = reason === undefined ? undefined : REFUSED[reason];
  const why = refusal ?? (reason === undefined ? error.message : `${reason}: ${error.message}`);
  return {
    message: `cannot ${verb} ${resourceOf(kind)}: ${why} (${RIGHTS})`,
    isRefused: refusal !== undefined,
    cause: { kind: "failed", verb, reason: reason ?? error.name },
  };
}

/** Returns `widgets.example.com`: the resource with its API group. */
function resourceOf({ plural, group }: Pick<Kind, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}
