import {
  addFinalizerPatch,
  childFinalizerName,
  hasFinalizer,
  isDeleting,
  isNotFound,
  keyOf,
  kindId,
  removeFinalizerPatch,
} from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { ObjectContention } from "../apply/index.ts";
import type { Plan } from "./plan.ts";
import { describeRef, refOf } from "./object-ref.ts";
import { combine, ok, wait } from "./result.ts";
import type { AnyResult } from "./result.ts";
import type { RunTools } from "./run-tools.ts";
import type { Step } from "./step.ts";

/**
 * Holds children that must not vanish under their owner. While the owner exists they carry its child finalizer, so that a deletion
 * of one by another client is held and reported. When the owner is deleted, each step releases its own children after its cleanup.
 */
export class Protection<K extends AnyCustomKind> {
  readonly #finalizer: string;
  readonly #steps: readonly Step<K>[];
  readonly #owns: readonly Kind[];
  readonly #object: KubeObject;
  readonly #tools: RunTools;

  constructor(plan: Plan<K>, object: KubeObject, tools: RunTools) {
    this.#steps = plan.steps;
    this.#owns = plan.owns;
    this.#finalizer = childFinalizerName(plan.kind);
    this.#object = object;
    this.#tools = tools;
  }

  /** Sees to it that every protected child of a step is held. Not ok while one of them is being deleted. */
  async hold(
    step: Step<K>,
    signal: AbortSignal,
    contentionOf: (kind: Kind, key: ObjectKey) => ObjectContention,
  ): Promise<AnyResult> {
    const results: AnyResult[] = [];
    for (const [kind, child] of this.#children(step)) {
      if (!protects(step, kind, child)) continue;
      if (isDeleting(child)) {
        if (hasFinalizer(child, this.#finalizer)) results.push(this.#deleted(child));
        continue;
      }
      const contention = contentionOf(kind, keyOf(child));
      const patch = addFinalizerPatch(child, this.#finalizer);
      if (patch.length === 0) contention.seen();
      else if (contention.hold() === undefined) {
        const after = await this.#tools.client.jsonPatch(kind, keyOf(child), patch, { signal });
        contention.wrote(child, after);
      }
    }
    return combine(results);
  }

  /** Releases the protected children of a step, and those of its kinds that no step protects any more. */
  async release(step: Step<K>, signal: AbortSignal): Promise<AnyResult> {
    for (const [kind, child] of this.#children(step)) {
      const isOfOther = this.#steps.some((other) => other !== step && protects(other, kind, child));
      if (!isOfOther || protects(step, kind, child)) await this.#releaseChild(kind, child, signal);
    }
    return ok();
  }

  /** Releases every child that still carries the finalizer after all cleanups: one that an earlier release of the operator protected. */
  async releaseRest(signal: AbortSignal): Promise<AnyResult> {
    for (const kind of this.#owns) {
      for (const child of this.#tools.reader.owned(kind, this.#object)) await this.#releaseChild(kind, child, signal);
    }
    return ok();
  }

  async #releaseChild(kind: Kind, child: KubeObject, signal: AbortSignal): Promise<void> {
    const patch = removeFinalizerPatch(child, this.#finalizer);
    if (patch.length === 0) return;
    try {
      await this.#tools.client.jsonPatch(kind, keyOf(child), patch, { signal });
    } catch (error) {
      // Gone already: nothing to release.
      if (!isNotFound(error)) throw error;
    }
  }

  #children(step: Step<K>): readonly (readonly [Kind, KubeObject])[] {
    return (step.protects ?? []).flatMap((kind) =>
      this.#tools.reader.owned(kind, this.#object).map((child) => [kind, child] as const),
    );
  }

  #deleted(child: KubeObject): AnyResult {
    const what = describeRef({ kind: child.kind, name: child.metadata.name });
    return wait(`${what} is being deleted though it is needed; it is held until this object is deleted too`, {
      severity: "Error",
      reason: "ChildDeleted",
      on: [refOf(child)],
    });
  }
}

/** Whether a step protects this child of the object. */
function protects<K extends AnyCustomKind>(step: Step<K>, kind: Kind, child: KubeObject): boolean {
  const isOfKind = step.protects?.some((each) => kindId(each) === kindId(kind)) ?? false;
  return isOfKind && (step.isProtected?.(child) ?? true);
}
