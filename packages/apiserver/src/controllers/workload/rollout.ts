import type { Deployment as DeploymentKind, ObjectOf, ReplicaSet as ReplicaSetKind } from "@levelset/core";
import { deepEqual } from "@levelset/core";
import { rollingLimits } from "./fraction.ts";
import { byAge } from "./pod.ts";

/** A deployment as the server keeps it. */
export type Deployment = ObjectOf<typeof DeploymentKind>;

/** A replica set as the server keeps it. */
export type ReplicaSet = ObjectOf<typeof ReplicaSetKind>;

/** Names the template of a replica set among those of its deployment. */
export const HASH_LABEL: string = "pod-template-hash";
/** Counts the templates of a deployment. */
export const REVISION: string = "deployment.kubernetes.io/revision";
/** The revisions that a replica set had before it came into use again. */
export const REVISION_HISTORY: string = "deployment.kubernetes.io/revision-history";
/** How many pods the deployment wanted when it last changed this replica set. */
export const DESIRED: string = "deployment.kubernetes.io/desired-replicas";
/** How many pods it allowed at most. */
export const MAXIMUM: string = "deployment.kubernetes.io/max-replicas";

/** The replica sets of a deployment: the one of its present template, if there is one, and the others, oldest first. */
export interface Generations {
  readonly present: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** New sizes of replica sets, by name. */
export type Sizes = ReadonlyMap<string, number>;

/** How many pods a replica set is told to have. */
export function sizeOf(set: ReplicaSet | undefined): number {
  return set?.spec?.replicas ?? 0;
}

/** How many pods a deployment wants. */
export function wantedOf(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

/** How many pods beyond, and short of, the wanted number a deployment may have. */
export function limitsOf(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { strategy } = deployment.spec;
  if (strategy?.type === "Recreate") return { surge: 0, unavailable: 0 };
  const { maxSurge = "25%", maxUnavailable = "25%" } = strategy?.rollingUpdate ?? {};
  const wanted = wantedOf(deployment);
  const { surge, unavailable } = rollingLimits(maxSurge, maxUnavailable, wanted);
  return { surge, unavailable: Math.min(unavailable, wanted) };
}

/** Tells apart the replica set of the present template; of several the oldest. */
export function generationsOf(deployment: Deployment, sets: readonly ReplicaSet[]): Generations {
  const sorted = sets.toSorted(byAge);
  const present = sorted.find((set) => hasTemplate(set, deployment.spec.template));
  return { present, old: sorted.filter((set) => set !== present) };
}

/** Whether a replica set has this template, its hash label apart. */
export function hasTemplate(set: ReplicaSet, template: Deployment["spec"]["template"]): boolean {
  return deepEqual(withoutHash(set.spec?.template), withoutHash(template));
}

type AnyTemplate = { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } } | undefined;

function withoutHash(template: AnyTemplate): unknown {
  const { [HASH_LABEL]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

/** The revision of a replica set; 0 where it has none. */
export function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[REVISION] ?? 0) || 0;
}

/** Whether the wanted number of a deployment has changed since its replica sets last heard of it. */
export function isScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[DESIRED];
    return sizeOf(set) > 0 && desired !== undefined && Number(desired) !== wantedOf(deployment);
  });
}

/** The size with which the replica set of a new template begins, or to which it may grow now. */
export function presentSize(deployment: Deployment, { present, old }: Generations): number {
  const wanted = wantedOf(deployment);
  const size = sizeOf(present);
  if (deployment.spec.strategy?.type === "Recreate") return wanted;
  if (size >= wanted) return wanted;
  const total = old.reduce((sum, set) => sum + sizeOf(set), size);
  const room = wanted + limitsOf(deployment).surge - total;
  return room <= 0 ? size : Math.min(size + room, wanted);
}

/** The next step of a rolling update: first the present replica set grows, then the old ones shrink. */
export function rollingSizes(deployment: Deployment, generations: Generations): Sizes {
  const { present, old } = generations;
  if (present === undefined) return new Map();
  const grown = presentSize(deployment, generations);
  if (grown !== sizeOf(present)) return new Map([[present.metadata.name, grown]]);
  return shrunkSizes(deployment, present, old);
}

/** Old replica sets give way: pods that are not available first, then as many as may be missing. */
function shrunkSizes(deployment: Deployment, present: ReplicaSet, old: readonly ReplicaSet[]): Sizes {
  const minimum = wantedOf(deployment) - limitsOf(deployment).unavailable;
  const total = old.reduce((sum, set) => sum + sizeOf(set), sizeOf(present));
  const unavailableNew = sizeOf(present) - availableOf(present);
  let mayGo = total - minimum - unavailableNew;
  const sizes = new Map(old.map((set) => [set.metadata.name, sizeOf(set)]));
  for (const set of old) {
    if (mayGo <= 0) break;
    const unhealthy = Math.max(0, Math.min(mayGo, sizeOf(set) - availableOf(set)));
    sizes.set(set.metadata.name, sizeOf(set) - unhealthy);
    mayGo -= unhealthy;
  }
  if (total - minimum - unavailableNew <= 0) return new Map();
  const available = old.reduce((sum, set) => sum + availableOf(set), availableOf(present));
  let spare = available - minimum;
  for (const set of old) {
    const size = sizes.get(set.metadata.name) ?? 0;
    const gone = Math.max(0, Math.min(size, spare));
    sizes.set(set.metadata.name, size - gone);
    spare -= gone;
  }
  return new Map([...sizes].filter(([name, size]) => size !== sizeOf(old.find((set) => set.metadata.name === name))));
}

function availableOf(set: ReplicaSet): number {
  return set.status?.availableReplicas ?? 0;
}

/** The sizes after the wanted number has changed, or while the deployment is paused: every active set gets its share. */
export function scaledSizes(deployment: Deployment, { present, old }: Generations): Sizes {
  const wanted = wantedOf(deployment);
  const all = present === undefined ? old : [...old, present];
  const active = all.filter((set) => sizeOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? present ?? all.at(-1));
  if (only !== undefined) return sizeOf(only) === wanted ? new Map() : new Map([[only.metadata.name, wanted]]);
  if (active.length === 0) return new Map();
  if (present !== undefined && isSaturated(deployment, present)) {
    return new Map(old.filter((set) => sizeOf(set) > 0).map((set) => [set.metadata.name, 0]));
  }
  if (deployment.spec.strategy?.type === "Recreate") return new Map();
  return proportionalSizes(deployment, active);
}

function isSaturated(deployment: Deployment, present: ReplicaSet): boolean {
  const wanted = wantedOf(deployment);
  return (
    sizeOf(present) === wanted &&
    Number(present.metadata.annotations?.[DESIRED]) === wanted &&
    availableOf(present) === wanted
  );
}

function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[]): Sizes {
  const wanted = wantedOf(deployment);
  const allowed = wanted > 0 ? wanted + limitsOf(deployment).surge : 0;
  const change = allowed - active.reduce((sum, set) => sum + sizeOf(set), 0);
  if (change === 0) return new Map(active.map((set) => [set.metadata.name, sizeOf(set)]));
  // Of equal sets, newer ones grow first and older ones shrink first.
  const newest = change > 0 ? 1 : -1;
  const sorted = active.toSorted((a, b) => sizeOf(b) - sizeOf(a) || newest * byAge(b, a));
  let given = 0;
  const sizes = new Map<string, number>();
  for (const set of sorted) {
    const share = shareOf(set, deployment, allowed);
    const left = change - given;
    const part = change > 0 ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left));
    sizes.set(set.metadata.name, sizeOf(set) + part);
    given += part;
  }
  const [largest] = sorted;
  if (largest !== undefined) {
    const { name } = largest.metadata;
    sizes.set(name, Math.max(0, (sizes.get(name) ?? 0) + change - given));
  }
  return sizes;
}

/** How much a set would grow or shrink if all kept their share of the maximum. */
function shareOf(set: ReplicaSet, deployment: Deployment, allowed: number): number {
  if (wantedOf(deployment) === 0) return -sizeOf(set);
  const before = Number(set.metadata.annotations?.[MAXIMUM]) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((sizeOf(set) * allowed) / before) - sizeOf(set);
}
