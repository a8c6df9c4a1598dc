import { deepEqual, matchLabels, ReplicaSet, timestamp, toError } from "@levelset/core";
import type { KubeObject, LabelSelector, LabelSelectorObject, ReplicationController } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { parseStoreKey } from "../owner-index.ts";
import { withCondition } from "./condition.ts";
import type { StatusCondition } from "./condition.ts";
import { adopters, affectedOwners, claimed, selectorOf } from "./owned.ts";
import { PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { countReplicas, planReplicas, positive } from "./replicas.ts";
import { podFrom } from "./template.ts";
import type { Template } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

/** What ReplicaSets and ReplicationControllers have in common. */
interface ReplicaOwner extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly template?: Template;
  };
  readonly status?: { readonly conditions?: readonly StatusCondition[] };
}

/** Most pods that one look at a set creates; the next look follows at once. */
const CREATE_MAX = 500;

/** Keeps the number of pods of ReplicaSets, or of ReplicationControllers. */
export class ReplicaSetController implements Controller {
  readonly name: string;
  readonly #world: WorkloadWorld;
  readonly #kind: typeof ReplicaSet | typeof ReplicationController;
  readonly #component: string;

  constructor(world: WorkloadWorld, kind: typeof ReplicaSet | typeof ReplicationController) {
    this.#world = world;
    this.#kind = kind;
    this.#component = kind === ReplicaSet ? "replicaset-controller" : "replication-controller";
    this.name = this.#component;
  }

  *affected(change: Change): Iterable<string> {
    yield* affectedOwners(this.#kind, change);
    if (change.key.resource === "pods") yield* adopters(this.#world, this.#kind, change, (set) => this.#selector(set));
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor, clock } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const set: ReplicaOwner | undefined = actor.get(this.#kind, namespace, name);
    if (set === undefined) return undefined;
    const pods = await claimed(this.#world, set, PodResource, this.#selector(set));
    const failure = set.metadata.deletionTimestamp === undefined ? await this.#scale(set, pods) : undefined;
    const latest = actor.get(this.#kind, namespace, name);
    if (latest?.metadata.uid !== set.metadata.uid) return undefined;
    const after = await claimed(this.#world, set, PodResource, this.#selector(set));
    const counts = countReplicas(after, set.spec?.minReadySeconds ?? 0, clock.now());
    await this.#report(set, after, counts, failure);
    if (failure !== undefined) throw failure;
    return counts.nextAvailableMs;
  }

  #selector(set: ReplicaOwner): LabelSelector {
    const selector: unknown = set.spec !== undefined && "selector" in set.spec ? set.spec.selector : undefined;
    if (this.#kind === ReplicaSet) return selectorOf(selector as LabelSelectorObject); // by its schema
    return selectorOf({ matchLabels: selector as Readonly<Record<string, string>> }); // by its schema
  }

  /** Answers what kept it from creating a pod. */
  async #scale(set: ReplicaOwner, pods: readonly Pod[]): Promise<Error | undefined> {
    const { actor, recorder } = this.#world;
    const plan = planReplicas(pods, set.spec?.replicas ?? 1);
    for (const pod of plan.remove) {
      await actor.remove(PodResource, pod);
      const message = `Deleted pod: ${pod.metadata.name}`;
      await recorder.record(this.#component, set, { type: "Normal", reason: "SuccessfulDelete", message });
    }
    try {
      for (let created = 0; created < Math.min(plan.create, CREATE_MAX); created++) {
        const pod = await actor.create(PodResource, set.metadata.namespace ?? "", podFrom(set, set.spec?.template));
        const message = `Created pod: ${pod.metadata.name}`;
        await recorder.record(this.#component, set, { type: "Normal", reason: "SuccessfulCreate", message });
      }
      return undefined;
    } catch (thrown) {
      const error = toError(thrown);
      const message = `Error creating: ${error.message}`;
      await recorder.record(this.#component, set, { type: "Warning", reason: "FailedCreate", message });
      return error;
    }
  }

  async #report(
    set: ReplicaOwner,
    pods: readonly Pod[],
    counts: ReturnType<typeof countReplicas>,
    failure: Error | undefined,
  ): Promise<void> {
    const { actor, clock } = this.#world;
    const labels = selectorOf({ matchLabels: set.spec?.template?.metadata?.labels ?? {} });
    const labelled = pods.filter((pod) => matchLabels(labels, pod.metadata.labels));
    const now = timestamp(clock.now());
    const next = (old: ReplicaOwner): unknown => ({
      replicas: counts.replicas,
      ...positive("fullyLabeledReplicas", countReplicas(labelled, 0, clock.now()).replicas),
      ...positive("readyReplicas", counts.ready),
      ...positive("availableReplicas", counts.available),
      ...(this.#kind === ReplicaSet ? { terminatingReplicas: counts.terminating } : {}),
      observedGeneration: set.metadata.generation,
      ...conditionsOf(old.status?.conditions, failure, now),
    });
    if (deepEqual(set.status, next(set))) return;
    await actor.changeStatus(this.#kind, set as never, (old) => next(old));
  }
}

function conditionsOf(
  before: readonly StatusCondition[] | undefined,
  failure: Error | undefined,
  now: string,
): { readonly conditions?: readonly StatusCondition[] } {
  const others = (before ?? []).filter(({ type }) => type !== "ReplicaFailure");
  if (failure === undefined) return others.length === 0 ? {} : { conditions: others };
  const said = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: failure.message };
  return { conditions: withCondition(before, said, now) };
}
