import { isDeleting } from "@levelset/core";
import { compareCodeUnits } from "@levelset/core/internal";
import type { KubeObject } from "@levelset/core";
import { refOf } from "../engine/index.ts";
import type { ObjectRef } from "../engine/index.ts";
import { objectRefId } from "./explain-input.ts";
import type { LoadedObject, FoundObject } from "./explain-input.ts";
import { groupKindOf } from "./group-kind.ts";
import { blocksDeletion } from "./finalizers.ts";
import { podDependencies } from "./pod-dependencies.ts";
import { nodeStatusOf } from "./node-status.ts";

/** An object that may explain another. */
export interface CauseCandidate {
  readonly ref: ObjectRef;
  /** The type of the condition that it explains, if known. */
  readonly condition?: string;
  /** The candidate counts only if it is not ready itself. */
  readonly isGuess?: true;
}

/** Candidates for the cause of an object's state. */
export interface CauseCandidates {
  readonly leads: readonly CauseCandidate[];
  /** Number of omitted candidates. */
  readonly omitted: number;
}

/** Maximum number of candidates per object, and of guesses. */
const LEADS_MAX = 5;
const GUESSES_MAX = 10;

/**
 * Returns the objects that may explain why an object is not ready: objects that its last run waited for, children that
 * are not ready or block its deletion, and dependencies of a pod. Returns none for a ready object.
 */
export function findCauseCandidates(seen: FoundObject): CauseCandidates {
  if (nodeStatusOf(seen).state === "ready") return { leads: [], omitted: 0 };
  const named = lastRunCandidates(seen);
  const known = new Set(named.map(({ ref }) => objectRefId(ref)));
  const owned = blamedChildren(seen)
    .map(({ object }): CauseCandidate => ({ ref: refOf(object) }))
    .filter(({ ref }) => !known.has(objectRefId(ref)));
  const all = [...named, ...owned];
  const guesses = podDependencies(seen.object).map((ref): CauseCandidate => ({ ref, isGuess: true }));
  return {
    leads: [...all.slice(0, LEADS_MAX), ...guesses.slice(0, GUESSES_MAX)],
    omitted: Math.max(0, all.length - LEADS_MAX),
  };
}

/**
 * Returns the objects that the last run of the current generation waited for or reported. Runs of older generations are
 * ignored.
 */
export function lastRunCandidates({ object, run }: Pick<FoundObject, "object" | "run">): readonly CauseCandidate[] {
  if (run === undefined || (run.generation !== undefined && run.generation !== object.metadata.generation)) return [];
  const leads = new Map<string, CauseCandidate>();
  for (const { on = [], condition } of run.steps) {
    for (const ref of on) if (!leads.has(objectRefId(ref))) leads.set(objectRefId(ref), { ref, condition });
  }
  leads.delete(objectRefId(refOf(object)));
  return [...leads.values()];
}

function blamedChildren({ object, children }: FoundObject): readonly LoadedObject[] {
  if (isDeleting(object)) return children.filter((child) => blocksDeletion(child.object, object));
  if (groupKindOf(object) === "Deployment.apps") return rollout(children);
  return children.filter((child) => nodeStatusOf(child).state !== "ready").toSorted(worstFirst);
}

/** Returns the ReplicaSets that block a rollout: the newest one, or older ones once the newest is ready. */
function rollout(sets: readonly LoadedObject[]): readonly LoadedObject[] {
  const [newest, ...older] = sets.toSorted((a, b) => revisionOf(b.object) - revisionOf(a.object));
  if (newest !== undefined && nodeStatusOf(newest).state !== "ready") return [newest];
  return older.filter(({ object }) => replicasOf(object) > 0);
}

function revisionOf(set: KubeObject): number {
  return Number(set.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

function replicasOf(set: KubeObject & { readonly status?: { readonly replicas?: number } }): number {
  return set.status?.replicas ?? 0;
}

const WORST_FIRST = ["failed", "deleting", "progressing"];

function worstFirst(a: LoadedObject, b: LoadedObject): number {
  const byState = WORST_FIRST.indexOf(nodeStatusOf(a).state) - WORST_FIRST.indexOf(nodeStatusOf(b).state);
  return byState === 0 ? compareCodeUnits(a.object.metadata.name, b.object.metadata.name) : byState;
}
