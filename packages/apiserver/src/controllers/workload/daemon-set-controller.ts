import { ControllerRevision, DaemonSet as DaemonSetKind, deepEqual, kindId, Node as NodeKind } from "@levelset/core";
import type { Controller } from "../controller.ts";
import type { Change } from "../feed.ts";
import { formatStoreKey, parseStoreKey } from "../owner-index.ts";
import { DAEMON_TOLERATIONS, daemonSetStatus, planDaemonSet } from "./daemon-set.ts";
import type { DaemonSet, DaemonView } from "./daemon-set.ts";
import { adopters, affectedOwners, claimed, selectorOf } from "./owned.ts";
import { msUntilAvailable, PodResource } from "./pod.ts";
import type { Pod } from "./pod.ts";
import { duplicatesOf, forgetRevisions, REVISION_LABEL, revisionsOf } from "./revision.ts";
import type { Revision } from "./revision.ts";
import { fits } from "./scheduler.ts";
import { revisionName } from "./stateful-set.ts";
import { podFrom } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

const COMPONENT = "daemonset-controller";

/** Keeps one pod on every node that a daemon set is meant for. */
export class DaemonSetController implements Controller {
  readonly name = "daemon set controller";
  readonly #world: WorkloadWorld;

  constructor(world: WorkloadWorld) {
    this.#world = world;
  }

  *affected(change: Change): Iterable<string> {
    yield* affectedOwners(DaemonSetKind, change);
    const { actor } = this.#world;
    if (change.key.resource === kindId(PodResource)) {
      yield* adopters(this.#world, DaemonSetKind, change, ({ spec }) => selectorOf(spec.selector));
    }
    if (change.key.resource !== kindId(NodeKind)) return;
    for (const { metadata } of actor.list(DaemonSetKind)) {
      yield formatStoreKey({
        resource: kindId(DaemonSetKind),
        namespace: metadata.namespace ?? "",
        name: metadata.name,
      });
    }
  }

  async sync(key: string): Promise<number | undefined> {
    const { actor, clock } = this.#world;
    const { namespace, name } = parseStoreKey(key);
    const set = actor.get(DaemonSetKind, namespace, name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const revisions = await this.#revisions(set);
    const update = revisions.at(-1)?.metadata.name ?? "";
    const nodes = actor.list(NodeKind).filter((node) => fits(daemonPod(set), node));
    const view: DaemonView = { set, pods: await this.#pods(set), nodes, update, now: clock.now() };
    const plan = planDaemonSet(view);
    for (const pod of plan.remove) await this.#remove(set, pod);
    for (const node of plan.create) await this.#create(set, node, update);
    const after = { ...view, pods: await this.#pods(set) };
    const status = daemonSetStatus(after);
    if (!deepEqual(set.status, status)) await actor.changeStatus(DaemonSetKind, set, () => status);
    await forgetRevisions(
      this.#world,
      revisions,
      new Set(after.pods.map(revisionName)),
      set.spec.revisionHistoryLimit ?? 10,
    );
    const waits = after.pods
      .map((pod) => msUntilAvailable(pod, set.spec.minReadySeconds ?? 0, view.now) ?? 0)
      .filter((ms) => ms > 0);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** The revisions of a set without duplicates of the present template, whose pods move to the revision that stays. */
  async #revisions(set: DaemonSet): Promise<readonly Revision[]> {
    const { actor } = this.#world;
    const revisions = await revisionsOf(this.#world, set);
    const duplicates = duplicatesOf(revisions);
    if (duplicates.length === 0) return revisions;
    const kept = revisions.at(-1)?.metadata.name ?? "";
    const gone = new Set(duplicates.map(({ metadata }) => metadata.name));
    // First the pods: without their revision they would be replaced.
    for (const pod of await this.#pods(set)) {
      if (gone.has(revisionName(pod))) await actor.change(PodResource, pod, (old) => withRevision(old, kept));
    }
    for (const revision of duplicates) await actor.remove(ControllerRevision, revision);
    return revisions.filter((revision) => !duplicates.includes(revision));
  }

  #pods(set: DaemonSet): Promise<readonly Pod[]> {
    return claimed(this.#world, set, PodResource, selectorOf(set.spec.selector));
  }

  async #create(set: DaemonSet, node: string, revision: string): Promise<void> {
    const { actor, recorder } = this.#world;
    const generation = set.metadata.annotations?.["deprecated.daemonset.template.generation"];
    const labels = {
      [REVISION_LABEL]: revision,
      ...(generation === undefined ? {} : { "pod-template-generation": generation }),
    };
    const details = { labels, spec: placed(set, node) };
    const pod = await actor.create(PodResource, set.metadata.namespace ?? "", podFrom(set, set.spec.template, details));
    const message = `Created pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulCreate", message });
  }

  async #remove(set: DaemonSet, pod: Pod): Promise<void> {
    const { actor, recorder } = this.#world;
    await actor.remove(PodResource, pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    await recorder.record(COMPONENT, set, { type: "Normal", reason: "SuccessfulDelete", message });
  }
}

function withRevision(pod: Pod, revision: string): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [REVISION_LABEL]: revision } } };
}

/** The parts of a daemon's pod that decide where it may run. */
function daemonPod(set: DaemonSet): Pod {
  const { spec } = set.spec.template;
  // Only its spec is looked at.
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
