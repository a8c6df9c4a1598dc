import {
  controllerReference,
  isAlreadyExists,
  kindId,
  PersistentVolumeClaim,
  StatefulSet as StatefulSetKind,
} from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { KubeObject, ObjectOf } from "@levelset/core";
import type { BuiltinController } from "../../controller.ts";
import type { RecordChange } from "../../change-feed.ts";
import { parseStoreKey } from "../../owner-index.ts";
import { adoptionCandidateKeys, affectedOwnerKeys, claimObjects, parsedSelectorOf } from "../controller-ref.ts";
import { msUntilAvailable, POD_KIND } from "../pod/pod.ts";
import type { Pod } from "../pod/pod.ts";
import { truncateHistory, REVISION_LABEL, ensureRevisions, templateOfRevision } from "./revision.ts";
import type { Revision } from "./revision.ts";
import { ordinalOf, ordinalsOf, planStatefulSet, revisionOfPod, statefulSetStatus } from "./stateful-set.ts";
import type { StatefulSet, StatefulSetSnapshot } from "./stateful-set.ts";
import { podFromTemplate } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

type Claim = ObjectOf<typeof PersistentVolumeClaim>;

const COMPONENT = "statefulset-controller";

/** Maintains ordered pods, each with its own volume claims. */
export class StatefulSetController implements BuiltinController {
  readonly name = "stateful set controller";
  readonly #context: WorkloadContext;

  constructor(context: WorkloadContext) {
    this.#context = context;
  }

  *affectedKeys(change: RecordChange): Iterable<string> {
    yield* affectedOwnerKeys(StatefulSetKind, change);
    if (change.key.resource === kindId(POD_KIND)) {
      yield* adoptionCandidateKeys(this.#context, StatefulSetKind, change, ({ spec }) =>
        parsedSelectorOf(spec.selector),
      );
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { client, clock } = this.#context;
    const { namespace, name } = parseStoreKey(key);
    const set = client.get(StatefulSetKind, namespace, name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const revisions = await ensureRevisions(this.#context, set);
    const update = revisions.at(-1)?.metadata.name ?? "";
    const known = set.status?.currentRevision ?? "";
    const current = revisions.some((revision) => revision.metadata.name === known) ? known : update;
    const view: StatefulSetSnapshot = { set, pods: await this.#pods(set), current, update, now: clock.now() };
    for (const step of planStatefulSet(view)) {
      if (step.kind === "create")
        await this.#create(
          set,
          step.ordinal,
          revisions.find((revision) => revision.metadata.name === step.revision),
        );
      else await this.#remove(set, step.pod);
    }
    const after = { ...view, pods: await this.#pods(set) };
    await this.#keepClaims(set, after.pods);
    await this.#report(after);
    await truncateHistory(
      this.#context,
      revisions,
      new Set([current, ...after.pods.map(revisionOfPod)]),
      set.spec.revisionHistoryLimit ?? 10,
    );
    return nextCheck(after);
  }

  async #pods(set: StatefulSet): Promise<readonly Pod[]> {
    const pods = await claimObjects(this.#context, set, POD_KIND, parsedSelectorOf(set.spec.selector));
    return pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  }

  async #create(set: StatefulSet, ordinal: number, revision: Revision | undefined): Promise<void> {
    const { client, recorder } = this.#context;
    const { namespace = "", name } = set.metadata;
    const podName = `${name}-${ordinal}`;
    for (const template of set.spec.volumeClaimTemplates ?? []) await this.#claim(set, template, podName);
    const template = revision === undefined ? set.spec.template : templateOfRevision(revision);
    const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? "");
    const volumes = [
      ...(template.spec?.volumes ?? []).filter((volume) => !claims.includes(volume.name)),
      ...claims.map((claim) => ({ name: claim, persistentVolumeClaim: { claimName: `${claim}-${podName}` } })),
    ];
    const details = {
      name: podName,
      labels: {
        "statefulset.kubernetes.io/pod-name": podName,
        "apps.kubernetes.io/pod-index": String(ordinal),
        [REVISION_LABEL]: revision?.metadata.name ?? "",
      },
      spec: {
        hostname: podName,
        ...(set.spec.serviceName === "" ? {} : { subdomain: set.spec.serviceName }),
        ...(volumes.length === 0 ? {} : { volumes }),
      },
    };
    await client.create(POD_KIND, namespace, podFromTemplate(set, template, details));
    const message = `create Pod ${podName} in StatefulSet ${name} successful`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulCreate", message });
  }

  async #claim(
    set: StatefulSet,
    template: NonNullable<StatefulSet["spec"]["volumeClaimTemplates"]>[number],
    pod: string,
  ): Promise<void> {
    const { namespace = "" } = set.metadata;
    const name = `${template.metadata?.name ?? ""}-${pod}`;
    if (this.#context.client.get(PersistentVolumeClaim, namespace, name) !== undefined) return;
    const { annotations } = template.metadata ?? {};
    const labels = { ...template.metadata?.labels, ...set.spec.selector.matchLabels };
    try {
      await this.#context.client.create(PersistentVolumeClaim, namespace, {
        metadata: { name, namespace, labels, ...(annotations === undefined ? {} : { annotations }) },
        spec: template.spec,
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /**
   * Sets owner references on claims according to the retention policy: to the set, or to a pod that is no longer
   * needed.
   */
  async #keepClaims(set: StatefulSet, pods: readonly Pod[]): Promise<void> {
    const { whenDeleted = "Retain", whenScaled = "Retain" } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
    if (whenDeleted === "Retain" && whenScaled === "Retain") return;
    const desired = new Set(ordinalsOf(set));
    for (const pod of pods) {
      const isSurplus = !desired.has(ordinalOf(set, pod) ?? -1);
      const owner = isSurplus && whenScaled === "Delete" ? pod : whenDeleted === "Delete" ? set : undefined;
      for (const template of set.spec.volumeClaimTemplates ?? []) {
        const name = `${template.metadata?.name ?? ""}-${pod.metadata.name}`;
        const claim = this.#context.client.get(PersistentVolumeClaim, set.metadata.namespace ?? "", name);
        if (claim !== undefined) await this.#own(claim, owner);
      }
    }
  }

  async #own(claim: Claim, owner: KubeObject | undefined): Promise<void> {
    const ownerReferences = owner === undefined ? undefined : [controllerReference(owner)];
    if (deepEqual(claim.metadata.ownerReferences, ownerReferences)) return;
    await this.#context.client.update(PersistentVolumeClaim, claim, (old) => {
      const { ownerReferences: _old, ...metadata } = old.metadata;
      return { ...old, metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) } };
    });
  }

  async #remove(set: StatefulSet, pod: Pod): Promise<void> {
    const { client, recorder } = this.#context;
    await client.delete(POD_KIND, pod);
    const message = `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  async #report(view: StatefulSetSnapshot): Promise<void> {
    const next = statefulSetStatus(view);
    if (deepEqual(view.set.status, next)) return;
    await this.#context.client.updateStatus(StatefulSetKind, view.set, (old) => ({ ...next, ...conditionsOf(old) }));
  }
}

function conditionsOf({ status }: StatefulSet): Readonly<Record<string, unknown>> {
  return status?.conditions === undefined ? {} : { conditions: status.conditions };
}

function nextCheck({ set, pods, now }: StatefulSetSnapshot): number | undefined {
  const waits = pods
    .map((pod) => msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) ?? 0)
    .filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
