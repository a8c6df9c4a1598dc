import {
  controllerOf,
  controllerReference,
  deepEqual,
  Deployment as DeploymentKind,
  isAlreadyExists,
  ReplicaSet as ReplicaSetKind,
  timestamp,
} from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { parseStoreKey } from "../owner-index.ts";
import { conditionOf } from "./condition.ts";
import {
  begun,
  deploymentStatus,
  hasDeadline,
  isComplete,
  msUntilDeadline,
  scaledStatus,
  setCondition,
} from "./deployment-status.ts";
import type { Progress } from "./deployment-status.ts";
import { adopters, affectedOwners, claimed, ownedBy, selectorOf } from "./owned.ts";
import { byAge, isFinished, PodResource } from "./pod.ts";
import {
  DESIRED,
  generationsOf,
  HASH_LABEL,
  hasTemplate,
  isScaled,
  limitsOf,
  MAXIMUM,
  presentSize,
  REVISION,
  REVISION_HISTORY,
  revisionOf,
  rollingSizes,
  scaledSizes,
  sizeOf,
  wantedOf,
} from "./rollout.ts";
import type { Deployment, Generations, ReplicaSet, Sizes } from "./rollout.ts";
import { hashOf } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

const COMPONENT = "deployment-controller";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Most revisions that a replica set remembers. */
const HISTORY_MAX = 100;
/** Annotations of a deployment that its replica sets do not get. */
const OWN_ANNOTATIONS: readonly string[] = [LAST_APPLIED, REVISION, DESIRED, MAXIMUM, REVISION_HISTORY];

/** Rolls deployments out: from template to replica sets, a few pods at a time. */
export class DeploymentController implements Controller {
  readonly name = "deployment controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected(change: Change): Iterable<string> {
    yield* affectedOwners(DeploymentKind, change);
    if (change.key.resource === "replicasets.apps") {
      yield* adopters(this.#world, DeploymentKind, change, ({ spec }) => selectorOf(spec.selector));
    }
    // The end of a pod may be what a replacement waits for.
    if (change.key.resource === "pods" && change.before !== undefined) {
      const set = controllerOf(change.before.object);
      const key = set?.kind === "ReplicaSet" ? this.#world.index.keyOf(set.uid) : undefined;
      const record = key === undefined ? undefined : this.#world.actor.registry.store.get(key);
      if (record !== undefined)
        yield* affectedOwners(DeploymentKind, { key: record.key, now: record, before: undefined });
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const deployment = actor.get(DeploymentKind, namespace, name);
    if (deployment === undefined) return undefined;
    const sets = await claimed(this.#world, deployment, ReplicaSetKind, selectorOf(deployment.spec.selector));
    const generations = generationsOf(deployment, sets);
    if (deployment.metadata.deletionTimestamp !== undefined) return this.#report(deployment, generations, scaledStatus);
    const marked = await this.#markPause(deployment);
    if (marked !== undefined) return undefined;
    if (deployment.spec.paused === true) return this.#rescale(deployment, generations);
    if (isScaled(deployment, sets)) return this.#rescale(deployment, generations);
    const isRecreate = deployment.spec.strategy?.type === "Recreate";
    return isRecreate ? this.#recreate(deployment, generations) : this.#roll(deployment, generations);
  }

  /** Notes that a rollout is paused, or goes on; answers the deployment if that was news. */
  async #markPause(deployment: Deployment): Promise<Deployment | undefined> {
    if (!hasDeadline(deployment)) return undefined;
    const { paused = false } = deployment.spec;
    const current = conditionOf(deployment.status?.conditions, "Progressing");
    const isMarked = current?.reason === "DeploymentPaused";
    if (current?.reason === "ProgressDeadlineExceeded" || paused === isMarked || (current === undefined && !paused))
      return undefined;
    const said = paused
      ? { type: "Progressing", status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" }
      : { type: "Progressing", status: "Unknown", reason: "DeploymentResumed", message: "Deployment is resumed" };
    const now = this.#now();
    return this.#world.actor.changeStatus(DeploymentKind, deployment, (old) => ({
      ...old.status,
      conditions: setCondition(old.status?.conditions ?? [], said, now),
    }));
  }

  async #rescale(deployment: Deployment, generations: Generations): Promise<number | undefined> {
    const annotated = await this.#annotate(deployment, generations);
    const after = await this.#resize(deployment, annotated, scaledSizes(deployment, annotated), true);
    if (deployment.spec.paused === true) await this.#forgetOld(deployment, after);
    return this.#report(deployment, after, scaledStatus);
  }

  async #roll(deployment: Deployment, generations: Generations): Promise<number | undefined> {
    const ready = await this.#begin(deployment, generations);
    if (ready === undefined) return undefined;
    const sizes = rollingSizes(deployment, ready);
    const after = await this.#resize(deployment, ready, sizes, false);
    if (sizes.size === 0 && isComplete(deployment, deployment.status ?? {})) await this.#forgetOld(deployment, after);
    return this.#report(deployment, after, deploymentStatus);
  }

  /** Old pods go first, altogether; then the new ones come. */
  async #recreate(deployment: Deployment, generations: Generations): Promise<number | undefined> {
    const { old } = generations;
    const shrunk = new Map(old.filter((set) => sizeOf(set) > 0).map((set) => [set.metadata.name, 0]));
    if (shrunk.size > 0) {
      return this.#report(deployment, await this.#resize(deployment, generations, shrunk, false), deploymentStatus);
    }
    const left = old.flatMap((set) => ownedBy(this.#world, set, PodResource)).filter((pod) => !isFinished(pod));
    if (left.length > 0) return this.#report(deployment, generations, deploymentStatus);
    const ready = await this.#begin(deployment, generations);
    if (ready?.present === undefined) return undefined;
    const wanted = wantedOf(deployment);
    const grown = new Map(sizeOf(ready.present) === wanted ? [] : [[ready.present.metadata.name, wanted]]);
    const after = await this.#resize(deployment, ready, grown, false);
    if (isComplete(deployment, deployment.status ?? {})) await this.#forgetOld(deployment, after);
    return this.#report(deployment, after, deploymentStatus);
  }

  /** Makes sure of the replica set of the present template; undefined where that has to be tried again. */
  async #begin(deployment: Deployment, generations: Generations): Promise<Generations | undefined> {
    if (generations.present !== undefined) {
      const annotated = await this.#annotate(deployment, generations);
      const name = annotated.present?.metadata.name ?? "";
      const isNew = conditionOf(deployment.status?.conditions, "Progressing") === undefined;
      await this.#progress(deployment, annotated, isNew ? { kind: "found", name } : { kind: "none" });
      return annotated;
    }
    const created = await this.#create(deployment, generations);
    if (created === undefined) return undefined;
    const next = { ...generations, present: created };
    await this.#progress(deployment, next, { kind: "created", name: created.metadata.name });
    return next;
  }

  async #create(deployment: Deployment, generations: Generations): Promise<ReplicaSet | undefined> {
    const { actor } = this.#world;
    const { template, selector, minReadySeconds } = deployment.spec;
    const { name, namespace = "" } = deployment.metadata;
    const hash = hashOf(template, deployment.status?.collisionCount);
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const size = presentSize(deployment, generations);
    const setName = `${name.slice(0, 242)}-${hash}`;
    try {
      const set = await actor.create(ReplicaSetKind, namespace, {
        metadata: {
          name: setName,
          namespace,
          labels,
          annotations: annotationsOf(deployment, undefined, nextRevision(generations.old)),
          ownerReferences: [controllerReference(deployment)],
        },
        spec: {
          replicas: size,
          ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
          selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
      });
      if (size > 0) await this.#tell(deployment, setName, 0, size);
      return set;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return this.#collided(deployment, setName);
  }

  /** The name is taken: by what we want, or by something else, and then another hash is tried. */
  async #collided(deployment: Deployment, name: string): Promise<ReplicaSet | undefined> {
    const { actor } = this.#world;
    const taken = actor.get(ReplicaSetKind, deployment.metadata.namespace ?? "", name);
    const isOurs = taken !== undefined && controllerOf(taken)?.uid === deployment.metadata.uid;
    if (isOurs && hasTemplate(taken, deployment.spec.template)) return taken;
    await actor.changeStatus(DeploymentKind, deployment, (old) => ({
      ...old.status,
      collisionCount: (old.status?.collisionCount ?? 0) + 1,
    }));
    return undefined;
  }

  /** The present replica set carries the annotations of its deployment, and the highest revision. */
  async #annotate(deployment: Deployment, generations: Generations): Promise<Generations> {
    const { present, old } = generations;
    if (present === undefined) return generations;
    const revision = Math.max(revisionOf(present), nextRevision(old));
    const annotations = annotationsOf(deployment, present, revision);
    const { minReadySeconds = 0 } = deployment.spec;
    if (
      deepEqual(annotations, present.metadata.annotations) &&
      (present.spec?.minReadySeconds ?? 0) === minReadySeconds
    ) {
      return generations;
    }
    const changed = await this.#world.actor.change(ReplicaSetKind, present, (set) => ({
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, ...(minReadySeconds === 0 ? {} : { minReadySeconds }) },
    }));
    return { old, present: changed };
  }

  /** The deployment shows the revision of its present replica set, and that a rollout has begun. */
  async #progress(deployment: Deployment, { present }: Generations, progress: Progress): Promise<void> {
    const revision = String(present === undefined ? 0 : revisionOf(present));
    const isNews = progress.kind !== "none" && hasDeadline(deployment);
    if (deployment.metadata.annotations?.[REVISION] === revision && !isNews) return;
    const now = this.#now();
    // A change of annotations alone would count as a new generation.
    await this.#world.actor.changeThroughStatus(DeploymentKind, deployment, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [REVISION]: revision } },
      status: {
        ...old.status,
        ...(isNews ? { conditions: begun(old.status?.conditions ?? [], progress, now) } : {}),
      },
    }));
  }

  async #resize(
    deployment: Deployment,
    generations: Generations,
    sizes: Sizes,
    isScaling: boolean,
  ): Promise<Generations> {
    const resized = async (set: ReplicaSet): Promise<ReplicaSet> => {
      const size = sizes.get(set.metadata.name);
      const annotations = { ...set.metadata.annotations, ...limitAnnotations(deployment) };
      const isSame = size === undefined || size === sizeOf(set);
      if (isSame && (!isScaling || sizeOf(set) === 0 || deepEqual(annotations, set.metadata.annotations))) return set;
      const changed = await this.#world.actor.change(ReplicaSetKind, set, (old) => ({
        ...old,
        metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...limitAnnotations(deployment) } },
        spec: { ...old.spec, replicas: size ?? sizeOf(old) },
      }));
      if (size !== undefined && !isSame) await this.#tell(deployment, set.metadata.name, sizeOf(set), size);
      return changed ?? set;
    };
    const old: ReplicaSet[] = [];
    for (const set of generations.old) old.push(await resized(set));
    const { present } = generations;
    return { old, present: present === undefined ? undefined : await resized(present) };
  }

  /** Old replica sets without pods are kept for rollbacks, but only so many. */
  async #forgetOld(deployment: Deployment, { old }: Generations): Promise<void> {
    const limit = deployment.spec.revisionHistoryLimit ?? 10;
    const idle = old.filter((set) => set.metadata.deletionTimestamp === undefined && sizeOf(set) === 0);
    const surplus = idle
      .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byAge(a, b))
      .slice(0, Math.max(0, idle.length - limit));
    for (const set of surplus) {
      const isBusy =
        (set.status?.replicas ?? 0) > 0 || (set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0);
      if (!isBusy) await this.#world.actor.remove(ReplicaSetKind, set);
    }
  }

  /** Writes what is news; answers when the deadline for progress is. */
  async #report(
    seen: Deployment,
    generations: Generations,
    status: typeof deploymentStatus,
  ): Promise<number | undefined> {
    const { actor } = this.#world;
    const { namespace = "", name, uid, generation } = seen.metadata;
    const latest = actor.get(DeploymentKind, namespace, name);
    // A change meanwhile is looked at by itself.
    if (latest?.metadata.uid !== uid || latest.metadata.generation !== generation) return undefined;
    const now = this.#now();
    const next = status(latest, generations, now);
    if (!deepEqual(latest.status, next))
      await actor.changeStatus(DeploymentKind, latest, (old) => status(old, generations, now));
    if (!hasDeadline(latest) || latest.spec.paused === true) return undefined;
    const left = msUntilDeadline(latest, conditionOf(next.conditions, "Progressing"), now);
    return left === undefined ? undefined : Math.max(left, 1);
  }

  #tell(deployment: Deployment, name: string, from: number, to: number): Promise<void> {
    const message = `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}`;
    return this.#world.recorder.record(COMPONENT, deployment, { type: "Normal", reason: "ScalingReplicaSet", message });
  }

  #now(): string {
    return timestamp(this.#world.clock.now());
  }
}

function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

function limitAnnotations(deployment: Deployment): Readonly<Record<string, string>> {
  const wanted = wantedOf(deployment);
  return { [DESIRED]: String(wanted), [MAXIMUM]: String(wanted + limitsOf(deployment).surge) };
}

/** What a replica set has noted, what its deployment passes on, and where both stand. */
function annotationsOf(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
): Readonly<Record<string, string>> {
  const passed = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !OWN_ANNOTATIONS.includes(key),
  );
  const limits = set === undefined ? limitAnnotations(deployment) : {};
  const kept = { ...set?.metadata.annotations, ...Object.fromEntries(passed), ...limits };
  return { ...kept, ...historyOf(set, revision), [REVISION]: String(revision) };
}

function historyOf(set: ReplicaSet | undefined, revision: number): Readonly<Record<string, string>> {
  if (set === undefined || revisionOf(set) === 0 || revisionOf(set) === revision) return {};
  const before = set.metadata.annotations?.[REVISION_HISTORY];
  const history = [...(before === undefined ? [] : before.split(",")), String(revisionOf(set))];
  return { [REVISION_HISTORY]: history.slice(-HISTORY_MAX).join(",") };
}
