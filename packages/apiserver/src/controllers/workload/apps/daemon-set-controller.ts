import { ControllerRevision, DaemonSet as DaemonSetKind, kindId, Node as NodeKind } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { formatStoreKey, parseStoreKey } from "../../owner-index.ts";
import { DAEMON_TOLERATIONS, daemonSetStatus, planDaemonSet } from "./daemon-set.ts";
import type { DaemonSet, DaemonSetSnapshot } from "./daemon-set.ts";
import { adoptionCandidateKeys, affectedOwnerKeys, claimObjects, parsedSelectorOf } from "../controller-ref.ts";
import { msUntilAvailable, POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { duplicatesOf, truncateHistory, REVISION_LABEL, ensureRevisions } from "./revision.ts";
import type { Revision } from "./revision.ts";
import { podFitsNode } from "../pod/scheduler.ts";
import { revisionOfPod } from "./stateful-set.ts";
import { podFromTemplate } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

const COMPONENT = "daemonset-controller";

/** Runs one pod of a daemon set on every eligible node. */
export class DaemonSetController implements BuiltinController {
  readonly name = "daemon set controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys(change: RecordChange): Iterable<string> {
    yield* affectedOwnerKeys(DaemonSetKind, change);
    const { client } = this.#context;
    if (change.key.resource === kindId(POD_KIND)) {
      yield* adoptionCandidateKeys(this.#context, DaemonSetKind, change, ({ spec }) => parsedSelectorOf(spec.selector));
    }
    if (change.key.resource !== kindId(NodeKind)) return;
    for (const { metadata } of client.list(DaemonSetKind)) {
      yield formatStoreKey({
        resource: kindId(DaemonSetKind),
        namespace: metadata.namespace ?? "",
        name: metadata.name,
      });
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { client, clock } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const set = client.get(DaemonSetKind, namespace, name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const revisions = await this.#revisions(set);
    const update = revisions.at(-1)?.metadata.name ?? "";
    const nodes = client.list(NodeKind).filter((node) => podFitsNode(daemonPod(set), node));
    const view: DaemonSetSnapshot = { set, pods: await this.#pods(set), nodes, update, now: clock.now() };
    const plan = planDaemonSet(view);
    for (const pod of plan.remove) await this.#remove(set, pod);
    for (const node of plan.create) await this.#create(set, node, update);
    const after = { ...view, pods: await this.#pods(set) };
    const status = daemonSetStatus(after);
    if (!deepEqual(set.status, status)) await client.updateStatus(DaemonSetKind, set, () => status);
    await truncateHistory(
      this.#context,
      revisions,
      new Set(after.pods.map(revisionOfPod)),
      set.spec.revisionHistoryLimit ?? 10,
    );
    const waits = after.pods
      .map((pod) => msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, view.now) ?? 0)
      .filter((ms) => ms > 0);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /**
   * Returns the revisions of a set without duplicates of the current template. Pods of duplicates are relabelled to the
   * remaining revision.
   */
  async #revisions(set: DaemonSet): Promise<readonly Revision[]> {
    const { client } = this.#context;
    const revisions = await ensureRevisions(this.#context, set);
    const duplicates = duplicatesOf(revisions);
    if (duplicates.length === 0) return revisions;
    const kept = revisions.at(-1)?.metadata.name ?? "";
    const gone = new Set(duplicates.map(({ metadata }) => metadata.name));
    // Pods first: pods without a revision would be replaced.
    for (const pod of await this.#pods(set)) {
      if (gone.has(revisionOfPod(pod))) await client.update(POD_KIND, pod, (old) => withRevision(old, kept));
    }
    for (const revision of duplicates) await client.delete(ControllerRevision, revision);
    return revisions.filter((revision) => !duplicates.includes(revision));
  }

  #pods(set: DaemonSet): Promise<readonly Pod[]> {
    return claimObjects(this.#context, set, POD_KIND, parsedSelectorOf(set.spec.selector));
  }

  async #create(set: DaemonSet, node: string, revision: string): Promise<void> {
    const { client, recorder } = this.#context;
    const generation = set.metadata.annotations?.["deprecated.daemonset.template.generation"];
    const labels = {
      [REVISION_LABEL]: revision,
      ...(generation === undefined ? {} : { "pod-template-generation": generation }),
    };
    const details = { labels, spec: placed(set, node) };
    const pod = await client.create(
      POD_KIND,
      set.metadata.namespace ?? "",
      podFromTemplate(set, set.spec.template, details),
    );
    const message = `Created pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulCreate", message });
  }

  async #remove(set: DaemonSet, pod: Pod): Promise<void> {
    const { client, recorder } = this.#context;
    await client.delete(POD_KIND, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulDelete", message });
  }
}

function withRevision(pod: Pod, revision: string): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [REVISION_LABEL]: revision } } };
}

/** Returns the parts of a daemon pod that decide scheduling. */
function daemonPod(set: DaemonSet): Pod {
  const { spec } = set.spec.template;
  // Only the spec is read.
  return { metadata: set.metadata, spec: { ...spec, tolerations: tolerations(set) } } as unknown as Pod;
}

function tolerations(set: DaemonSet): readonly unknown[] {
  return [...(set.spec.template.spec?.tolerations ?? []), ...DAEMON_TOLERATIONS];
}

function placed(set: DaemonSet, node: string): Readonly<Record<string, unknown>> {
  const { affinity } = set.spec.template.spec ?? {};
  const matchFields = [{ key: "metadata.name", operator: "In", values: [node] }];
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } };
  return { affinity: { ...affinity, nodeAffinity }, tolerations: tolerations(set) };
}
