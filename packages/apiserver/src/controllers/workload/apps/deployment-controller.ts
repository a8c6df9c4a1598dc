import {
  controllerOf,
  controllerReference,
  Deployment as DeploymentKind,
  isAlreadyExists,
  ReplicaSet as ReplicaSetKind,
} from "@levelset/core";
import { deepEqual, formatTimestamp } from "@levelset/core/internal";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { parseStoreKey } from "../../owner-index.ts";
import { getWorkloadCondition } from "../workload-condition.ts";
import {
  progressingCondition,
  deploymentStatus,
  hasDeadline,
  isComplete,
  msUntilDeadline,
  statusWhileScaling,
  setDeploymentCondition,
} from "./deployment-status.ts";
import type { NewReplicaSetState } from "./deployment-status.ts";
import {
  adoptionCandidateKeys,
  affectedOwnerKeys,
  claimObjects,
  listOwnedBy,
  parsedSelectorOf,
} from "../controller-ref.ts";
import { compareByCreationTime, isPodFinished, POD_KIND } from "../pod/pod.ts";
import {
  DESIRED_REPLICAS_ANNOTATION,
  groupReplicaSets,
  POD_TEMPLATE_HASH_LABEL,
  equalsIgnoringHash,
  isScalingEvent,
  surgeAndUnavailableOf,
  MAX_REPLICAS_ANNOTATION,
  newReplicaSetReplicas,
  REVISION_ANNOTATION,
  REVISION_HISTORY_ANNOTATION,
  deploymentRevisionOf,
  rollingUpdateSizes,
  sizesAfterScaling,
  replicasOf,
  desiredReplicasOf,
} from "./deployment-rollout.ts";
import type { Deployment, DeploymentReplicaSets, ReplicaSet, ReplicaSetSizes } from "./deployment-rollout.ts";
import { computeHash } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

const COMPONENT = "deployment-controller";
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
/** Maximum length of the revision history annotation of a replica set. */
const HISTORY_MAX = 100;
/** Annotations that are not copied from a deployment to its replica sets. */
const OWN_ANNOTATIONS: readonly string[] = [
  LAST_APPLIED,
  REVISION_ANNOTATION,
  DESIRED_REPLICAS_ANNOTATION,
  MAX_REPLICAS_ANNOTATION,
  REVISION_HISTORY_ANNOTATION,
];

/** Rolls out deployments through replica sets. */
export class DeploymentController implements BuiltinController {
  readonly name = "deployment controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys(change: RecordChange): Iterable<string> {
    yield* affectedOwnerKeys(DeploymentKind, change);
    if (change.key.resource === "replicasets.apps") {
      yield* adoptionCandidateKeys(this.#context, DeploymentKind, change, ({ spec }) =>
        parsedSelectorOf(spec.selector),
      );
    }
    // The Recreate strategy waits for the termination of pods.
    if (change.key.resource === "pods" && change.previous !== undefined) {
      const set = controllerOf(change.previous.object);
      const key = set?.kind === "ReplicaSet" ? this.#context.index.storeKeyOf(set.uid) : undefined;
      const record = key === undefined ? undefined : this.#context.client.registry.store.get(key);
      if (record !== undefined)
        yield* affectedOwnerKeys(DeploymentKind, { key: record.key, current: record, previous: undefined });
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { client } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const deployment = client.get(DeploymentKind, namespace, name);
    if (deployment === undefined) return undefined;
    const sets = await claimObjects(
      this.#context,
      deployment,
      ReplicaSetKind,
      parsedSelectorOf(deployment.spec.selector),
    );
    const generations = groupReplicaSets(deployment, sets);
    if (deployment.metadata.deletionTimestamp !== undefined)
      return this.#report(deployment, generations, statusWhileScaling);
    const marked = await this.#markPause(deployment);
    if (marked !== undefined) return undefined;
    if (deployment.spec.paused === true) return this.#rescale(deployment, generations);
    if (isScalingEvent(deployment, sets)) return this.#rescale(deployment, generations);
    const isRecreate = deployment.spec.strategy?.type === "Recreate";
    return isRecreate ? this.#recreate(deployment, generations) : this.#roll(deployment, generations);
  }

  /** Records that a rollout is paused or resumed. Returns the updated deployment, or undefined if unchanged. */
  async #markPause(deployment: Deployment): Promise<Deployment | undefined> {
    if (!hasDeadline(deployment)) return undefined;
    const { paused = false } = deployment.spec;
    const current = getWorkloadCondition(deployment.status?.conditions, "Progressing");
    const isMarked = current?.reason === "DeploymentPaused";
    if (current?.reason === "ProgressDeadlineExceeded" || paused === isMarked || (current === undefined && !paused))
      return undefined;
    const update = paused
      ? { type: "Progressing", status: "Unknown", reason: "DeploymentPaused", message: "Deployment is paused" }
      : { type: "Progressing", status: "Unknown", reason: "DeploymentResumed", message: "Deployment is resumed" };
    const now = this.#now();
    return this.#context.client.updateStatus(DeploymentKind, deployment, (old) => ({
      ...old.status,
      conditions: setDeploymentCondition(old.status?.conditions ?? [], update, now),
    }));
  }

  async #rescale(deployment: Deployment, generations: DeploymentReplicaSets): Promise<number | undefined> {
    const annotated = await this.#annotate(deployment, generations);
    const after = await this.#resize(deployment, annotated, sizesAfterScaling(deployment, annotated), true);
    if (deployment.spec.paused === true) await this.#cleanupDeployment(deployment, after);
    return this.#report(deployment, after, statusWhileScaling);
  }

  async #roll(deployment: Deployment, generations: DeploymentReplicaSets): Promise<number | undefined> {
    const ready = await this.#begin(deployment, generations);
    if (ready === undefined) return undefined;
    const sizes = rollingUpdateSizes(deployment, ready);
    const after = await this.#resize(deployment, ready, sizes, false);
    if (sizes.size === 0 && isComplete(deployment, deployment.status ?? {}))
      await this.#cleanupDeployment(deployment, after);
    return this.#report(deployment, after, deploymentStatus);
  }

  /** Deletes all old pods before it creates new ones. */
  async #recreate(deployment: Deployment, generations: DeploymentReplicaSets): Promise<number | undefined> {
    const { oldReplicaSets } = generations;
    const shrunk = new Map(oldReplicaSets.filter((set) => replicasOf(set) > 0).map((set) => [set.metadata.name, 0]));
    if (shrunk.size > 0) {
      return this.#report(deployment, await this.#resize(deployment, generations, shrunk, false), deploymentStatus);
    }
    const left = oldReplicaSets
      .flatMap((set) => listOwnedBy(this.#context, set, POD_KIND))
      .filter((pod) => !isPodFinished(pod));
    if (left.length > 0) return this.#report(deployment, generations, deploymentStatus);
    const ready = await this.#begin(deployment, generations);
    if (ready?.newReplicaSet === undefined) return undefined;
    const desired = desiredReplicasOf(deployment);
    const grown = new Map(
      replicasOf(ready.newReplicaSet) === desired ? [] : [[ready.newReplicaSet.metadata.name, desired]],
    );
    const after = await this.#resize(deployment, ready, grown, false);
    if (isComplete(deployment, deployment.status ?? {})) await this.#cleanupDeployment(deployment, after);
    return this.#report(deployment, after, deploymentStatus);
  }

  /** Ensures the replica set of the current template. Returns undefined if the sync must be retried. */
  async #begin(deployment: Deployment, generations: DeploymentReplicaSets): Promise<DeploymentReplicaSets | undefined> {
    if (generations.newReplicaSet !== undefined) {
      const annotated = await this.#annotate(deployment, generations);
      const name = annotated.newReplicaSet?.metadata.name ?? "";
      const isNew = getWorkloadCondition(deployment.status?.conditions, "Progressing") === undefined;
      await this.#progress(deployment, annotated, isNew ? { kind: "found", name } : { kind: "none" });
      return annotated;
    }
    const created = await this.#create(deployment, generations);
    if (created === undefined) return undefined;
    const next = { ...generations, newReplicaSet: created };
    await this.#progress(deployment, next, { kind: "created", name: created.metadata.name });
    return next;
  }

  async #create(deployment: Deployment, generations: DeploymentReplicaSets): Promise<ReplicaSet | undefined> {
    const { client } = this.#context;
    const { template, selector, minReadySeconds } = deployment.spec;
    const { name, namespace = "" } = deployment.metadata;
    const hash = computeHash(template, deployment.status?.collisionCount);
    const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH_LABEL]: hash };
    const size = newReplicaSetReplicas(deployment, generations);
    const setName = `${name.slice(0, 242)}-${hash}`;
    try {
      const set = await client.create(ReplicaSetKind, namespace, {
        metadata: {
          name: setName,
          namespace,
          labels,
          annotations: annotationsOf(deployment, undefined, nextRevision(generations.oldReplicaSets)),
          ownerReferences: [controllerReference(deployment)],
        },
        spec: {
          replicas: size,
          ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
          selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH_LABEL]: hash } },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
      });
      if (size > 0) await this.#recordScalingEvent(deployment, setName, 0, size);
      return set;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return this.#collided(deployment, setName);
  }

  /** Handles a name collision: returns the existing replica set if it matches, else increments the collision count. */
  async #collided(deployment: Deployment, name: string): Promise<ReplicaSet | undefined> {
    const { client } = this.#context;
    const taken = client.get(ReplicaSetKind, deployment.metadata.namespace ?? "", name);
    const isOurs = taken !== undefined && controllerOf(taken)?.uid === deployment.metadata.uid;
    if (isOurs && equalsIgnoringHash(taken, deployment.spec.template)) return taken;
    await client.updateStatus(DeploymentKind, deployment, (old) => ({
      ...old.status,
      collisionCount: (old.status?.collisionCount ?? 0) + 1,
    }));
    return undefined;
  }

  /** Copies annotations to the current replica set and sets the highest revision. */
  async #annotate(deployment: Deployment, generations: DeploymentReplicaSets): Promise<DeploymentReplicaSets> {
    const { newReplicaSet, oldReplicaSets } = generations;
    if (newReplicaSet === undefined) return generations;
    const revision = Math.max(deploymentRevisionOf(newReplicaSet), nextRevision(oldReplicaSets));
    const annotations = annotationsOf(deployment, newReplicaSet, revision);
    const { minReadySeconds = 0 } = deployment.spec;
    if (
      deepEqual(annotations, newReplicaSet.metadata.annotations) &&
      (newReplicaSet.spec?.minReadySeconds ?? 0) === minReadySeconds
    ) {
      return generations;
    }
    const changed = await this.#context.client.update(ReplicaSetKind, newReplicaSet, (set) => ({
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, ...(minReadySeconds === 0 ? {} : { minReadySeconds }) },
    }));
    return { oldReplicaSets, newReplicaSet: changed };
  }

  /** Sets the revision annotation of the deployment and the Progressing condition. */
  async #progress(
    deployment: Deployment,
    { newReplicaSet }: DeploymentReplicaSets,
    progress: NewReplicaSetState,
  ): Promise<void> {
    const revision = String(newReplicaSet === undefined ? 0 : deploymentRevisionOf(newReplicaSet));
    const isNews = progress.kind !== "none" && hasDeadline(deployment);
    if (deployment.metadata.annotations?.[REVISION_ANNOTATION] === revision && !isNews) return;
    const now = this.#now();
    // A change of annotations alone would increment the generation.
    await this.#context.client.updateViaStatus(DeploymentKind, deployment, (old) => ({
      ...old,
      metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, [REVISION_ANNOTATION]: revision } },
      status: {
        ...old.status,
        ...(isNews ? { conditions: progressingCondition(old.status?.conditions ?? [], progress, now) } : {}),
      },
    }));
  }

  async #resize(
    deployment: Deployment,
    generations: DeploymentReplicaSets,
    sizes: ReplicaSetSizes,
    isScaling: boolean,
  ): Promise<DeploymentReplicaSets> {
    const resized = async (set: ReplicaSet): Promise<ReplicaSet> => {
      const size = sizes.get(set.metadata.name);
      const annotations = { ...set.metadata.annotations, ...limitAnnotations(deployment) };
      const isSame = size === undefined || size === replicasOf(set);
      if (isSame && (!isScaling || replicasOf(set) === 0 || deepEqual(annotations, set.metadata.annotations)))
        return set;
      const changed = await this.#context.client.update(ReplicaSetKind, set, (old) => ({
        ...old,
        metadata: { ...old.metadata, annotations: { ...old.metadata.annotations, ...limitAnnotations(deployment) } },
        spec: { ...old.spec, replicas: size ?? replicasOf(old) },
      }));
      if (size !== undefined && !isSame)
        await this.#recordScalingEvent(deployment, set.metadata.name, replicasOf(set), size);
      return changed ?? set;
    };
    const old: ReplicaSet[] = [];
    for (const set of generations.oldReplicaSets) old.push(await resized(set));
    const { newReplicaSet } = generations;
    return {
      oldReplicaSets: old,
      newReplicaSet: newReplicaSet === undefined ? undefined : await resized(newReplicaSet),
    };
  }

  /** Deletes old replica sets without pods beyond revisionHistoryLimit. */
  async #cleanupDeployment(deployment: Deployment, { oldReplicaSets }: DeploymentReplicaSets): Promise<void> {
    const limit = deployment.spec.revisionHistoryLimit ?? 10;
    const idle = oldReplicaSets.filter((set) => set.metadata.deletionTimestamp === undefined && replicasOf(set) === 0);
    const surplus = idle
      .toSorted((a, b) => deploymentRevisionOf(a) - deploymentRevisionOf(b) || compareByCreationTime(a, b))
      .slice(0, Math.max(0, idle.length - limit));
    for (const set of surplus) {
      const isBusy =
        (set.status?.replicas ?? 0) > 0 || (set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0);
      if (!isBusy) await this.#context.client.delete(ReplicaSetKind, set);
    }
  }

  /** Writes a changed status. Returns the delay until the progress deadline. */
  async #report(
    seen: Deployment,
    generations: DeploymentReplicaSets,
    status: typeof deploymentStatus,
  ): Promise<number | undefined> {
    const { client } = this.#context;
    const { namespace = "", name, uid, generation } = seen.metadata;
    const latest = client.get(DeploymentKind, namespace, name);
    // A newer generation is synced separately.
    if (latest?.metadata.uid !== uid || latest.metadata.generation !== generation) return undefined;
    const now = this.#now();
    const next = status(latest, generations, now);
    if (!deepEqual(latest.status, next))
      await client.updateStatus(DeploymentKind, latest, (old) => status(old, generations, now));
    if (!hasDeadline(latest) || latest.spec.paused === true) return undefined;
    const left = msUntilDeadline(latest, getWorkloadCondition(next.conditions, "Progressing"), now);
    return left === undefined ? undefined : Math.max(left, 1);
  }

  #recordScalingEvent(deployment: Deployment, name: string, from: number, to: number): Promise<void> {
    const message = `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}`;
    return this.#context.recorder.record(COMPONENT, deployment, {
      type: "Normal",
      reason: "ScalingReplicaSet",
      message,
    });
  }

  #now(): string {
    return formatTimestamp(this.#context.clock.now());
  }
}

function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(deploymentRevisionOf)) + 1;
}

function limitAnnotations(deployment: Deployment): Readonly<Record<string, string>> {
  const desired = desiredReplicasOf(deployment);
  return {
    [DESIRED_REPLICAS_ANNOTATION]: String(desired),
    [MAX_REPLICAS_ANNOTATION]: String(desired + surgeAndUnavailableOf(deployment).surge),
  };
}

/** Returns the annotations of a replica set: its own, those of the deployment, and the replica counts. */
function annotationsOf(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
): Readonly<Record<string, string>> {
  const passed = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !OWN_ANNOTATIONS.includes(key),
  );
  const limits = set === undefined ? limitAnnotations(deployment) : {};
  const annotations = { ...set?.metadata.annotations, ...Object.fromEntries(passed), ...limits };
  return { ...annotations, ...historyOf(set, revision), [REVISION_ANNOTATION]: String(revision) };
}

function historyOf(set: ReplicaSet | undefined, revision: number): Readonly<Record<string, string>> {
  if (set === undefined || deploymentRevisionOf(set) === 0 || deploymentRevisionOf(set) === revision) return {};
  const before = set.metadata.annotations?.[REVISION_HISTORY_ANNOTATION];
  const history = [...(before === undefined ? [] : before.split(",")), String(deploymentRevisionOf(set))];
  return { [REVISION_HISTORY_ANNOTATION]: history.slice(-HISTORY_MAX).join(",") };
}
