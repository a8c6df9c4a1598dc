import { controllerReference, ControllerRevision, isAlreadyExists } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { listOwnedBy } from "../controller-ref.ts";
import { computeHash } from "../pod/pod-from-template.ts";
import type { PodTemplateFields } from "../pod/pod-from-template.ts";
import type { WorkloadContext } from "../workload-context.ts";

/** A stored controller revision. */
export type Revision = ObjectOf<typeof ControllerRevision>;

/** Label of pods with the name of the revision. */
export const REVISION_LABEL: string = "controller-revision-hash";

/** A workload with controller revisions. */
export interface RevisionOwner extends KubeObject {
  readonly spec: { readonly template: PodTemplateFields };
}

/** Change that makes the current template the newest revision of a workload. */
export type RevisionPlan =
  | { readonly kind: "create"; readonly revision: number }
  | {
      readonly kind: "keep";
      readonly kept: Revision;
      /** Its number. A template that is in use again gets the highest one. */
      readonly revision: number;
    };

/**
 * Sorts oldest first, in the order of SortControllerRevisions (`pkg/controller/history/controller_history.go`,
 * Kubernetes 1.36).
 */
export function sortRevisions(revisions: readonly Revision[]): readonly Revision[] {
  const time = ({ metadata }: Revision): number => Date.parse(metadata.creationTimestamp ?? "");
  return revisions.toSorted(
    (a, b) =>
      Number(a.revision) - Number(b.revision) || time(a) - time(b) || (a.metadata.name < b.metadata.name ? -1 : 1),
  );
}

/**
 * Decides about the revision of a template. Among equal revisions the newest is used, so that two of them cannot
 * alternate: see getStatefulSetRevisions (`pkg/controller/statefulset`) and constructHistory (`pkg/controller/daemon`),
 * Kubernetes 1.36.
 */
export function planRevision(sorted: readonly Revision[], data: unknown): RevisionPlan {
  const next = Number(sorted.at(-1)?.revision ?? 0) + 1;
  const kept = sorted.findLast((revision) => deepEqual(revision.data, data));
  if (kept === undefined) return { kind: "create", revision: next };
  return { kind: "keep", kept, revision: kept === sorted.at(-1) ? Number(kept.revision) : next };
}

/**
 * Returns the revisions of a workload, oldest first. The last one is that of the current template, created if
 * necessary.
 */
export async function ensureRevisions(context: WorkloadContext, owner: RevisionOwner): Promise<readonly Revision[]> {
  const known = sortRevisions(listOwnedBy(context, owner, ControllerRevision));
  const data = dataOf(owner.spec.template);
  const plan = planRevision(known, data);
  if (plan.kind === "create") return [...known, await create(context, owner, data, plan.revision)];
  const { kept, revision } = plan;
  if (Number(kept.revision) === revision) return known;
  const raised = await context.client.update(ControllerRevision, kept, (old) => ({ ...old, revision }));
  return [...known.filter((each) => each !== kept), raised ?? kept];
}

/** Returns the revisions with the same template as the last one. */
export function duplicatesOf(revisions: readonly Revision[]): readonly Revision[] {
  const last = revisions.at(-1);
  return revisions.slice(0, -1).filter((revision) => deepEqual(revision.data, last?.data));
}

async function create(
  context: WorkloadContext,
  owner: RevisionOwner,
  data: unknown,
  revision: number,
): Promise<Revision> {
  const { namespace = "", name, labels = {} } = owner.metadata;
  for (let collisions = 0; ; collisions++) {
    const hash = computeHash(data, collisions);
    try {
      return await context.client.create(ControllerRevision, namespace, {
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

/** Returns the data of a revision: the patch that `kubectl rollout undo` applies. */
function dataOf(template: PodTemplateFields): unknown {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

/** Returns the template of a revision. */
export function templateOfRevision(revision: Revision): PodTemplateFields {
  // Written by `dataOf`.
  const { spec } = revision.data as unknown as {
    readonly spec: { readonly template: PodTemplateFields & { $patch?: string } };
  };
  const { $patch: _patch, ...template } = spec.template;
  return template;
}

/** Deletes the oldest unused revisions beyond `limit`. */
export async function truncateHistory(
  context: WorkloadContext,
  revisions: readonly Revision[],
  used: ReadonlySet<string>,
  limit: number,
): Promise<void> {
  const idle = revisions.slice(0, -1).filter(({ metadata }) => !used.has(metadata.name));
  for (const revision of idle.slice(0, Math.max(0, idle.length - limit))) {
    await context.client.delete(ControllerRevision, revision);
  }
}
