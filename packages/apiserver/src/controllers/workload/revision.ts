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

/** The revisions of a workload, oldest first; the last one is that of its present template, made if it is new. */
export async function revisionsOf(world: WorkloadWorld, owner: Revised): Promise<readonly Revision[]> {
  const { actor } = world;
  const known = ownedBy(world, owner, ControllerRevision).toSorted((a, b) => Number(a.revision) - Number(b.revision));
  const data = dataOf(owner.spec.template);
  const newest = Number(known.at(-1)?.revision ?? 0);
  const same = known.find((revision) => deepEqual(revision.data, data));
  if (same !== undefined) {
    if (Number(same.revision) === newest) return known;
    // A template that is in use again is the newest again.
    const raised = await actor.change(ControllerRevision, same, (old) => ({ ...old, revision: newest + 1 }));
    return [...known.filter((revision) => revision !== same), raised ?? same];
  }
  return [...known, await create(world, owner, data, newest + 1)];
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
