import { generationState, readinessOf } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import type { AnyCustomKind, DaemonSet, Deployment, KubeObject, NewOf, ObjectOf, StatefulSet } from "@levelset/core";
import { describeRef, ok, refOf, step, terminal, wait } from "../../engine/index.ts";
import type { Req, Result, OutputStep, Step } from "../../engine/index.ts";
import { dropKept, keepPhases } from "../kept-status.ts";
import type { KeptFields } from "../kept-status.ts";
import { applyChild } from "./apply-child.ts";
import { childKinds } from "./child-kinds.ts";
import { deleteChildren } from "./delete-children.ts";

/** Kinds that run pods permanently. */
export type WorkloadKind = typeof Deployment | typeof StatefulSet | typeof DaemonSet;

/** Options of {@link workload}. */
export interface WorkloadStepOptions<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  Uses extends readonly OutputStep<unknown>[],
  Desired extends NewOf<W> | undefined,
> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** `Deployment`, `StatefulSet` or `DaemonSet`. */
  readonly kind: W;
  /**
   * True if the workload must not be deleted while the object exists, because its pods or their data would be lost.
   * Default: false.
   */
  readonly protect?: boolean;
  /**
   * Returns the desired workload without fields of other managers; undefined if there should be none. Leave out
   * `replicas` if an autoscaler sets them. Must be a pure function of the object and the values that it reads: it is
   * called in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => Desired;
  /**
   * Writes information from the workload to the status, ready or not, whenever its own status is of its current spec.
   */
  readonly status?: (req: Req<K, Uses[number]>, workload: ObjectOf<W>) => void;
  /**
   * Fields that `status` writes and that keep their value in runs that do not call it, such as an outage. They are
   * dropped when `desired` returns undefined, or when the object is deleted. Default: none, the status has only what
   * the run has found.
   */
  readonly keep?: KeptFields<K>;
}

/**
 * Reconciles a workload of the object, as `child` does, and waits until it is rolled out: its controller has observed
 * the current spec, all replicas have the current template, are ready and available, and none is left over. Zero
 * replicas are ready if that is desired. A rollout that exceeded its progress deadline needs a person: Error, reason
 * ProgressDeadlineExceeded; the step recovers by itself when the workload does.
 *
 * A status of an older spec is ignored, so a workload that was just changed is never ready. Under a new name the old
 * workload is deleted once the new one is ready.
 */
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(kind: K, name: string, options: WorkloadStepOptions<K, W, Uses, NewOf<W>>): Step<K, ObjectOf<W>>;
/** The same for a workload that is not always desired: the output is undefined while there is none. */
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: WorkloadStepOptions<K, W, Uses, NewOf<W> | undefined>,
): Step<K, ObjectOf<W> | undefined>;
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly OutputStep<unknown>[] = readonly [],
>(
  kind: K,
  name: string,
  options: WorkloadStepOptions<K, W, Uses, NewOf<W> | undefined>,
): Step<K, ObjectOf<W> | undefined> {
  const { condition, uses, kind: childKind, protect = false, desired, status, keep } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<W> | undefined>> => {
    const manifest = desired(req);
    if (manifest === undefined) {
      dropKept(req, keep);
      return deleteChildren(req, childKind, name);
    }
    const hold = { step: name, owned: true, protect, adopt: false };
    const applied = await applyChild(req, childKind, manifest, hold);
    if (applied.kind === "refused") return applied.result;
    if (generationState(applied.object) === "current") {
      dropKept(req, keep);
      status?.(req, applied.object);
    }
    const ready = workloadReady(applied.object);
    if (ready.kind !== "ok") return ready;
    const rest = await deleteChildren(req, childKind, name, [applied.object]);
    return rest.kind === "ok" ? ready : rest;
  };

  return step<K, ObjectOf<W> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, childKind, protect),
    ...keepPhases<K>(name, options),
    do: reached,
  });
}

function workloadReady<O extends KubeObject>(workload: O): Result<O> {
  const readiness = readinessOf(workload);
  const on = [refOf(workload)];
  const message = `${describeRef(refOf(workload))}: ${readiness.message}`;
  switch (readiness.kind) {
    case "ready":
      return ok(workload);
    case "progressing":
    case "deleting":
      return wait(message, { on });
    case "failed":
      return terminal(message, { reason: readiness.reason, on });
    default:
      return unreachable(readiness);
  }
}
