import { generationState, readinessOf, unreachable } from "@levelset/core";
import type { AnyCustomKind, DaemonSet, Deployment, KubeObject, NewOf, ObjectOf, StatefulSet } from "@levelset/core";
import { describeRef, ok, refOf, step, terminal, wait } from "../step/index.ts";
import type { Req, Result, Source, Step } from "../step/index.ts";
import { applyChild } from "./apply-child.ts";
import { childKinds } from "./child-kinds.ts";
import { removeChildren } from "./remove-children.ts";

/** The kinds that keep pods running. */
export type WorkloadKind = typeof Deployment | typeof StatefulSet | typeof DaemonSet;

/** What `workload` takes. */
export interface WorkloadOptions<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  Uses extends readonly Source<unknown>[],
  Desired extends NewOf<W> | undefined,
> {
  readonly condition?: string;
  readonly uses?: Uses;
  /** `Deployment`, `StatefulSet` or `DaemonSet`. */
  readonly kind: W;
  /** Whether the workload must not vanish while the object exists, because its pods or their data would be lost. Default: false. */
  readonly protect?: boolean;
  /**
   * The workload as it should be, fields of others left out; undefined when there should be none. Leave out `replicas` where an
   * autoscaler sets them. Must be a function of the object and of what it reads: it is asked in every run.
   */
  readonly desired: (req: Req<K, Uses[number]>) => Desired;
  /** Writes what is known of the workload into the status, ready or not, whenever its own status speaks of its present spec. */
  readonly status?: (req: Req<K, Uses[number]>, workload: ObjectOf<W>) => void;
}

/**
 * Keeps a workload of the object as desired, as `child` does, and waits until it is rolled out: its controller has looked at the present
 * spec, all replicas are of the present template, ready and available, and none is left over. No replicas at all is ready if that
 * is what was asked for. A rollout that exceeded its progress deadline needs a person: Error, reason ProgressDeadlineExceeded;
 * it is noticed by itself when the workload recovers.
 *
 * A status of an older spec counts for nothing, so a workload that was just changed is never ready. Under a new name the old
 * workload is removed once the new one is ready.
 */
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: WorkloadOptions<K, W, Uses, NewOf<W>>): Step<K, ObjectOf<W>>;
/** The same for a workload that is not always desired: the value handed over is undefined while there is none. */
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: WorkloadOptions<K, W, Uses, NewOf<W> | undefined>): Step<K, ObjectOf<W> | undefined>;
export function workload<
  K extends AnyCustomKind,
  W extends WorkloadKind,
  const Uses extends readonly Source<unknown>[] = readonly [],
>(kind: K, name: string, options: WorkloadOptions<K, W, Uses, NewOf<W> | undefined>): Step<K, ObjectOf<W> | undefined> {
  const { condition, uses, kind: childKind, protect = false, desired, status } = options;

  const reached = async (req: Req<K, Uses[number]>): Promise<Result<ObjectOf<W> | undefined>> => {
    const manifest = desired(req);
    if (manifest === undefined) return removeChildren(req, childKind, name);
    const hold = { step: name, owned: true, protect, adopt: false };
    const applied = await applyChild(req, childKind, manifest, hold);
    if (applied.kind === "refused") return applied.result;
    if (generationState(applied.object) === "current") status?.(req, applied.object);
    const ready = workloadReady(applied.object);
    if (ready.kind !== "ok") return ready;
    const rest = await removeChildren(req, childKind, name, [applied.object]);
    return rest.kind === "ok" ? ready : rest;
  };

  return step<K, ObjectOf<W> | undefined, Uses>(kind, name, {
    ...(condition === undefined ? {} : { condition }),
    ...(uses === undefined ? {} : { uses }),
    ...childKinds<K>(name, childKind, protect),
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
