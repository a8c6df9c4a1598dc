import { controllerReference, ControllerRevision, deepEqual, isAlreadyExists } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { ownedBy } from "./owned.ts";
import { hashOf } from "./template.ts";
import type { Template } from "./template.ts";
import type { WorkloadWorld } from "./world.ts";

/** A template that a workload has or had, as the server keeps it. */
export type Revision = ObjectOf<typeof ControllerRevision>;

/** The label by which pods say which revision they are of. */
export const REVISION_LABEL: string = "controller-revision-hash";

/** A workload whose templates are kept. */
export interface Revised extends KubeObject {
  readonly spec: { readonly template: Template };
}

/** What makes the present template the newest of a workload's revisions. */
export type RevisionPlan =
  | { readonly kind: "create"; readonly revision: number }
  | {
      readonly kind: "keep";
      readonly kept: Revision;
      /** The number that it gets: a template that is in use again is the newest again. */
      readonly revision: number;
    };

/** Oldest first, in the order of upstream's SortControllerRevisions (pkg/controller/history). */
export function sortRevisions(revisions: readonly Revision[]): readonly Revision[] {
  const time = ({ metadata }: Revision): number => Date.parse(metadata.creationTimestamp ?? "");
  return revisions.toSorted(
    (a, b) =>
      Number(a.revision) - Number(b.revision) || time(a) - time(b) || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
}

/**
 * Decides about the revision of a template. Of several equal revisions the newest one counts, so that no two of them overtake each
 * other in turn: see getStatefulSetRevisions (pkg/controller/statefulset) and constructHistory (pkg/controller/daemon).
 */
export function planRevision(sorted: readonly Revision[], data: unknown): RevisionPlan {
  const next = Number(sorted.at(-1)?.revision ?? 0) + 1;
  const kept = sorted.findLast((revision) => deepEqual(revision.data, data));
  if (kept === undefined) return { kind: "create", revision: next };
  return { kind: "keep", kept, revision: kept === sorted.at(-1) ? Number(kept.revision) : next };
}

/** The revisions of a workload, oldest first; the last one is that of its present template, made if it is new. */
export async function revisionsOf(world: WorkloadWorld, owner: Revised): Promise<readonly Revision[]> {
  const known = sortRevisions(ownedBy(world, owner, ControllerRevision));
  const data = dataOf(owner.spec.template);
  const plan = planRevision(known, data);
  if (plan.kind === "create") return [...known, await create(world, owner, data, plan.revision)];
  const { kept, revision } = plan;
  if (Number(kept.revision) === revision) return known;
  const raised = await world.actor.change(ControllerRevision, kept, (old) => ({ ...old, revision }));
  return [...known.filter((each) => each !== kept), raised ?? kept];
}

/** The revisions that hold the same template as the last one. */
export function duplicatesOf(revisions: readonly Revision[]): readonly Revision[] {
  const last = revisions.at(-1);
  return revisions.slice(0, -1).filter((revision) => deepEqual(revision.data, last?.data));
}

async function create(world: WorkloadWorld, owner: Revised, data: unknown, revision: number): Promise<Revision> {
  const { namespace = "", name, labels = {} } = owner.metadata;
  for (let collisions = 0; ; collisions++) {
    const hash = hashOf(data, collisions);
    try {
      return await world.actor.create(ControllerRevision, namespace, {
        metadata: {
          name: `${name.slice(0, 223)}-${hash}`,
          namespace,
          labels: { ...labels, ...owner.spec.template.metadata?.labels, "controller.kubernetes.io/hash": hash },
          ownerReferences: [controllerReference(owner)],
        },
        data: data as NonNullable<Revision["data"]>, // plain data
        revision,
      });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** What `kubectl rollout undo` sends as a patch to come back to a revision. */
function dataOf(template: Template): unknown {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

/** The template of a revision. */
export function templateOf(revision: Revision): Template {
  // As `dataOf` made it.
  const { spec } = revision.data as unknown as { readonly spec: { readonly template: Template & { $patch?: string } } };
  const { $patch: _patch, ...template } = spec.template;
  return template;
}

/** Deletes the oldest revisions beyond `limit` that nothing uses. */
export async function forgetRevisions(
  world: WorkloadWorld,
  revisions: readonly Revision[],
  used: ReadonlySet<string>,
  limit: number,
): Promise<void> {
  const idle = revisions.slice(0, -1).filter(({ metadata }) => !used.has(metadata.name));
  for (const revision of idle.slice(0, Math.max(0, idle.length - limit))) {
    await world.actor.remove(ControllerRevision, revision);
  }
}
