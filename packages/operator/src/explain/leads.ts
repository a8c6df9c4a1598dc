import { isDeleting } from "@levelset/core";
import type { KubeObject } from "@levelset/core";
import { refOf } from "../step/index.ts";
import type { ObjectRef } from "../step/index.ts";
import { refId } from "./facts.ts";
import type { ReadObject, Seen } from "./facts.ts";
import { isHolding } from "./finalizers.ts";
import { podNeeds } from "./pod-needs.ts";
import { standingOf } from "./standing.ts";

/** An object that may explain another. */
export interface Lead {
  readonly ref: ObjectRef;
  /** The type of the condition that it explains, where that is known. */
  readonly condition?: string;
  /** It explains something only if it is not ready itself. */
  readonly isGuess?: true;
}

/** Where to look for the reasons of an object. */
export interface Leads {
  readonly leads: readonly Lead[];
  /** How many more there would be. */
  readonly left: number;
}

/** How many objects are followed from one, and how many guesses. */
const LEADS_MAX = 5;
const GUESSES_MAX = 10;

/**
 * The objects that explain why one is not ready: those that its last run waited for, and those of its children that are not ready
 * either, or that keep it from being deleted, and what a pod cannot start without. None for an object that is ready.
 */
export function leadsOf(seen: Seen): Leads {
  if (standingOf(seen).state === "ready") return { leads: [], left: 0 };
  const named = waitedFor(seen);
  const known = new Set(named.map(({ ref }) => refId(ref)));
  const owned = blamedChildren(seen)
    .map(({ object }): Lead => ({ ref: refOf(object) }))
    .filter(({ ref }) => !known.has(refId(ref)));
  const all = [...named, ...owned];
  const guesses = podNeeds(seen.object).map((ref): Lead => ({ ref, isGuess: true }));
  return {
    leads: [...all.slice(0, LEADS_MAX), ...guesses.slice(0, GUESSES_MAX)],
    left: Math.max(0, all.length - LEADS_MAX),
  };
}

/** What the last run of this very spec waited for or found wrong. A record of an older spec says nothing about this one. */
export function waitedFor({ object, run }: Pick<Seen, "object" | "run">): readonly Lead[] {
  if (run === undefined || (run.generation !== undefined && run.generation !== object.metadata.generation)) return [];
  const leads = new Map<string, Lead>();
  for (const { on = [], condition } of run.steps) {
    for (const ref of on) if (!leads.has(refId(ref))) leads.set(refId(ref), { ref, condition });
  }
  leads.delete(refId(refOf(object)));
  return [...leads.values()];
}

function blamedChildren({ object, children }: Seen): readonly ReadObject[] {
  if (isDeleting(object)) return children.filter((child) => isHolding(child.object, object));
  if (object.kind === "Deployment") return rollout(children);
  return children.filter((child) => standingOf(child).state !== "ready").toSorted(worstFirst);
}

/** A rollout hangs on its newest ReplicaSet; once that is ready, on older ones that are still there. */
function rollout(sets: readonly ReadObject[]): readonly ReadObject[] {
  const [newest, ...older] = sets.toSorted((a, b) => revisionOf(b.object) - revisionOf(a.object));
  if (newest !== undefined && standingOf(newest).state !== "ready") return [newest];
  return older.filter(({ object }) => replicasOf(object) > 0);
}

function revisionOf(set: KubeObject): number {
  return Number(set.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

function replicasOf(set: KubeObject & { readonly status?: { readonly replicas?: number } }): number {
  return set.status?.replicas ?? 0;
}

const BADNESS = ["failed", "deleting", "progressing"];

function worstFirst(a: ReadObject, b: ReadObject): number {
  const byState = BADNESS.indexOf(standingOf(a).state) - BADNESS.indexOf(standingOf(b).state);
  return byState === 0 ? a.object.metadata.name.localeCompare(b.object.metadata.name, "en") : byState;
}
