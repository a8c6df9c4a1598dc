import { deepEqual, formatTimestamp, toError } from "@levelset/core/internal";
import { matchesLabelSelector } from "@levelset/core/schema";
import { ReplicaSet } from "@levelset/core";
import type { KubeObject, ReplicationController } from "@levelset/core";
import type { LabelSelector, LabelSelectorObject } from "@levelset/core/schema";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { parseStoreKey } from "../../owner-index.ts";
import { setWorkloadCondition } from "../workload-condition.ts";
import type { WorkloadCondition } from "../workload-condition.ts";
import { adoptionCandidateKeys, affectedOwnerKeys, claimObjects, parsedSelectorOf } from "../controller-ref.ts";
import { POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { countReplicas, planReplicas, omitZero } from "./replicas.ts";
import { podFromTemplate } from "../pod/pod-from-template.ts";
import type { PodTemplateFields } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

/** Common fields of ReplicaSets and ReplicationControllers. */
interface ReplicaOwner extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly template?: PodTemplateFields;
  };
  readonly status?: { readonly conditions?: readonly WorkloadCondition[] };
}

/**
 * Maximum number of pods created per sync (`BurstReplicas` in `pkg/controller/replicaset/replica_set.go`, Kubernetes
 * 1.36).
 */
const CREATE_MAX = 500;

/** Maintains the number of pods of ReplicaSets or ReplicationControllers. */
export class ReplicaSetController implements BuiltinController {
  readonly name: string;
  readonly #context: WorkloadContext;
  readonly #kind: typeof ReplicaSet | typeof ReplicationController;
  readonly #component: string;

  constructor(context: WorkloadContext, kind: typeof ReplicaSet | typeof ReplicationController) {
    this.#context = context;
    this.#kind = kind;
    this.#component = kind === ReplicaSet ? "replicaset-controller" : "replication-controller";
    this.name = this.#component;
  }

  *affectedKeys(change: RecordChange): Iterable<string> {
    yield* affectedOwnerKeys(this.#kind, change);
    if (change.key.resource === "pods")
      yield* adoptionCandidateKeys(this.#context, this.#kind, change, (set) => this.#selector(set));
  }

  async sync(key: string): Promise<number | undefined> {
    const { client, clock } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const set: ReplicaOwner | undefined = client.get(this.#kind, namespace, name);
    if (set === undefined) return undefined;
    const pods = await claimObjects(this.#context, set, POD_KIND, this.#selector(set));
    const failure = set.metadata.deletionTimestamp === undefined ? await this.#scale(set, pods) : undefined;
    const latest = client.get(this.#kind, namespace, name);
    if (latest?.metadata.uid !== set.metadata.uid) return undefined;
    const after = await claimObjects(this.#context, set, POD_KIND, this.#selector(set));
    const counts = countReplicas(after, set.spec?.minReadySeconds ?? 0, clock.now());
    await this.#report(set, after, counts, failure);
    if (failure !== undefined) throw failure;
    return counts.nextAvailableMs;
  }

  #selector(set: ReplicaOwner): LabelSelector {
    const selector: unknown = set.spec !== undefined && "selector" in set.spec ? set.spec.selector : undefined;
    if (this.#kind === ReplicaSet) return parsedSelectorOf(selector as LabelSelectorObject); // by its schema
    return parsedSelectorOf({ matchLabels: selector as Readonly<Record<string, string>> }); // by its schema
  }

  /** Creates and deletes pods. Returns the error that prevented the creation of a pod, or undefined. */
  async #scale(set: ReplicaOwner, pods: readonly Pod[]): Promise<Error | undefined> {
    const { client, recorder } = this.#context;
    const plan = planReplicas(pods, set.spec?.replicas ?? 1);
    for (const pod of plan.remove) {
      await client.delete(POD_KIND, pod);
      const message = `Deleted pod: ${pod.metadata.name}`;
      await recorder.record(this.#component, set, { type: "Normal", reason: "SuccessfulDelete", message });
    }
    try {
      for (let created = 0; created < Math.min(plan.create, CREATE_MAX); created++) {
        const pod = await client.create(
          POD_KIND,
          set.metadata.namespace ?? "",
          podFromTemplate(set, set.spec?.template),
        );
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
    const { client, clock } = this.#context;
    const labels = parsedSelectorOf({ matchLabels: set.spec?.template?.metadata?.labels ?? {} });
    const labelled = pods.filter((pod) => matchesLabelSelector(labels, pod.metadata.labels));
    const now = formatTimestamp(clock.now());
    const next = (old: ReplicaOwner): unknown => ({
      replicas: counts.replicas,
      ...omitZero("fullyLabeledReplicas", countReplicas(labelled, 0, clock.now()).replicas),
      ...omitZero("readyReplicas", counts.ready),
      ...omitZero("availableReplicas", counts.available),
      ...(this.#kind === ReplicaSet ? { terminatingReplicas: counts.terminating } : {}),
      observedGeneration: set.metadata.generation,
      ...conditionsOf(old.status?.conditions, failure, now),
    });
    if (deepEqual(set.status, next(set))) return;
    await client.updateStatus(this.#kind, set as never, (old) => next(old));
  }
}

/**
 * Returns the conditions of a set. While creations fail, the first failure stays: its message has the random name of a
 * pod (kubernetes: pkg/controller/replicaset/replica_set_utils.go, calculateStatus).
 */
function conditionsOf(
  before: readonly WorkloadCondition[] | undefined,
  failure: Error | undefined,
  now: string,
): { readonly conditions?: readonly WorkloadCondition[] } {
  const others = (before ?? []).filter(({ type }) => type !== "ReplicaFailure");
  if (failure === undefined) return others.length === 0 ? {} : { conditions: others };
  if (others.length < (before?.length ?? 0)) return { conditions: before ?? [] };
  const update = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: failure.message };
  return { conditions: setWorkloadCondition(before, update, now) };
}
