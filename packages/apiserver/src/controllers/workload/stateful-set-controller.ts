import {
  controllerReference,
  deepEqual,
  isAlreadyExists,
  kindId,
  PersistentVolumeClaim,
  StatefulSet as StatefulSetKind,
} from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { parseStoreKey } from "../owner-index.ts";
import { adopters, affectedOwners, claimed, selectorOf } from "./owned.ts";
import { msUntilAvailable, PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { forgetRevisions, REVISION_LABEL, revisionsOf, templateOf } from "./revision.ts";
import type { Revision } from "./revision.ts";
import { ordinalOf, ordinalsOf, planStatefulSet, revisionName, statefulSetStatus } from "./stateful-set.ts";
import type { StatefulSet, StatefulView } from "./stateful-set.ts";
import { podFrom } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

type Claim = ObjectOf<typeof PersistentVolumeClaim>;

const COMPONENT = "statefulset-controller";

/** Keeps numbered pods, each with claims of its own, one after the other. */
export class StatefulSetController implements Controller {
  readonly name = "stateful set controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected(change: Change): Iterable<string> {
    yield* affectedOwners(StatefulSetKind, change);
    if (change.key.resource === kindId(PodResource)) {
      yield* adopters(this.#world, StatefulSetKind, change, ({ spec }) => selectorOf(spec.selector));
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor, clock } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const set = actor.get(StatefulSetKind, namespace, name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const revisions = await revisionsOf(this.#world, set);
    const update = revisions.at(-1)?.metadata.name ?? "";
    const known = set.status?.currentRevision ?? "";
    const current = revisions.some((revision) => revision.metadata.name === known) ? known : update;
    const view: StatefulView = { set, pods: await this.#pods(set), current, update, now: clock.now() };
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
    await forgetRevisions(
      this.#world,
      revisions,
      new Set([current, ...after.pods.map(revisionName)]),
      set.spec.revisionHistoryLimit ?? 10,
    );
    return nextLook(after);
  }

  async #pods(set: StatefulSet): Promise<readonly Pod[]> {
    const pods = await claimed(this.#world, set, PodResource, selectorOf(set.spec.selector));
    return pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  }

  async #create(set: StatefulSet, ordinal: number, revision: Revision | undefined): Promise<void> {
    const { actor, recorder } = this.#world;
    const { namespace = "", name } = set.metadata;
    const podName = `${name}-${ordinal}`;
    for (const template of set.spec.volumeClaimTemplates ?? []) await this.#claim(set, template, podName);
    const template = revision === undefined ? set.spec.template : templateOf(revision);
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
    await actor.create(PodResource, namespace, podFrom(set, template, details));
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
    if (this.#world.actor.get(PersistentVolumeClaim, namespace, name) !== undefined) return;
    const { annotations } = template.metadata ?? {};
    const labels = { ...template.metadata?.labels, ...set.spec.selector.matchLabels };
    try {
      await this.#world.actor.create(PersistentVolumeClaim, namespace, {
        metadata: { name, namespace, labels, ...(annotations === undefined ? {} : { annotations }) },
        spec: template.spec,
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Claims belong to the set, or to a pod that is not wanted any more, where the retention policy says that they go with it. */
  async #keepClaims(set: StatefulSet, pods: readonly Pod[]): Promise<void> {
    const { whenDeleted = "Retain", whenScaled = "Retain" } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
    if (whenDeleted === "Retain" && whenScaled === "Retain") return;
    const wanted = new Set(ordinalsOf(set));
    for (const pod of pods) {
      const isSurplus = !wanted.has(ordinalOf(set, pod) ?? -1);
      const owner = isSurplus && whenScaled === "Delete" ? pod : whenDeleted === "Delete" ? set : undefined;
      for (const template of set.spec.volumeClaimTemplates ?? []) {
        const name = `${template.metadata?.name ?? ""}-${pod.metadata.name}`;
        const claim = this.#world.actor.get(PersistentVolumeClaim, set.metadata.namespace ?? "", name);
        if (claim !== undefined) await this.#own(claim, owner);
      }
    }
  }

  async #own(claim: Claim, owner: KubeObject | undefined): Promise<void> {
    const ownerReferences = owner === undefined ? undefined : [controllerReference(owner)];
    if (deepEqual(claim.metadata.ownerReferences, ownerReferences)) return;
    await this.#world.actor.change(PersistentVolumeClaim, claim, (old) => {
      const { ownerReferences: _old, ...metadata } = old.metadata;
      return { ...old, metadata: { ...metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) } };
    });
  }

  async #remove(set: StatefulSet, pod: Pod): Promise<void> {
    const { actor, recorder } = this.#world;
    await actor.remove(PodResource, pod);
    const message = `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulDelete", message });
  }

  async #report(view: StatefulView): Promise<void> {
    const next = statefulSetStatus(view);
    if (deepEqual(view.set.status, next)) return;
    await this.#world.actor.changeStatus(StatefulSetKind, view.set, (old) => ({ ...next, ...conditionsOf(old) }));
  }
}

function conditionsOf({ status }: StatefulSet): Readonly<Record<string, unknown>> {
  return status?.conditions === undefined ? {} : { conditions: status.conditions };
}

function nextLook({ set, pods, now }: StatefulView): number | undefined {
  const waits = pods
    .map((pod) => msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, now) ?? 0)
    .filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
