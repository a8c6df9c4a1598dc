import { StatusError } from "@levelset/core";
import type { Kind } from "@levelset/core";
import type { InformerHealth } from "./informer.ts";

/** Why the objects of a kind cannot be listed or watched. */
export interface WatchFailure {
  /** Names the verb, the resource and the cause: `cannot list widgets.example.com: forbidden (needs list and watch)`. */
  readonly message: string;
  /** Whether the server refuses it, so that only other rights or another kind help. Otherwise a retry may. */
  readonly isRefused: boolean;
  /** Equal for failures of the same sort, also where the server words them differently each time. */
  readonly sort: string;
}

/** Where a copy of a collection is. */
export type WatchPhase =
  /** The first list, or a new one that was asked for, is under way. */
  | { readonly kind: "starting" }
  /** The copy follows the server. */
  | { readonly kind: "watching" }
  | { readonly kind: "failing"; readonly failure: WatchFailure };

/** Failures in a row that a copy which was complete once survives: connections break, servers restart. */
const INTERRUPTIONS_MAX = 2;

/** Reasons of a server that time alone does not change. */
const REFUSED: Readonly<Record<string, string>> = {
  Forbidden: "forbidden",
  Unauthorized: "unauthorized",
  MethodNotAllowed: "the server does not support it",
  NotFound: "the server does not serve it",
};

/** Where the informer of a kind is. */
export function watchPhase(kind: Pick<Kind, "plural" | "group">, health: InformerHealth): WatchPhase {
  const { isSynced, isRefreshing, failure, failures } = health;
  // A complete copy is not given up for a lost connection: the server that cannot be reached takes no writes either.
  const isLost = isSynced && failure instanceof StatusError && failures > INTERRUPTIONS_MAX;
  if (failure !== undefined && (!isSynced || isLost)) {
    const verb = health.resourceVersion === undefined ? "list" : "watch";
    return { kind: "failing", failure: watchFailure(kind, verb, failure) };
  }
  return { kind: isSynced && !isRefreshing ? "watching" : "starting" };
}

/** That a list was not answered for a long time. */
export function noAnswer(kind: Pick<Kind, "plural" | "group">): WatchFailure {
  return { message: `cannot list ${resourceOf(kind)}: no answer yet (${RIGHTS})`, isRefused: false, sort: "NoAnswer" };
}

const RIGHTS = "needs list and watch";

/** Why a list or watch of a kind failed. */
export function watchFailure(kind: Pick<Kind, "plural" | "group">, verb: "list" | "watch", error: Error): WatchFailure {
  const reason = error instanceof StatusError ? error.reason : error.name;
  const refusal = REFUSED[reason];
  const cause = refusal ?? (error instanceof StatusError ? `${reason}: ${error.message}` : error.message);
  return {
    message: `cannot ${verb} ${resourceOf(kind)}: ${cause} (${RIGHTS})`,
    isRefused: refusal !== undefined,
    sort: `${verb} ${reason}`,
  };
}

/** `widgets.example.com`, as in the rules of a role. */
function resourceOf({ plural, group }: Pick<Kind, "plural" | "group">): string {
  return group === "" ? plural : `${plural}.${group}`;
}
