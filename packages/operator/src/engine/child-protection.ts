import { addFinalizerPatch, childFinalizerName, removeFinalizerPatch } from "@levelset/core/internal";
import { hasFinalizer, isDeleting, isNotFound, objectKeyOf, kindId } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, ObjectKey } from "@levelset/core";
import type { ObjectContention } from "../apply/index.ts";
import { disownChild } from "./orphaning.ts";
import type { StepPlan } from "./step/step-plan.ts";
import { describeRef, refOf } from "./step/object-ref.ts";
import { combineResults, ok, wait } from "./step/result.ts";
import type { AnyResult } from "./step/result.ts";
import type { RunDependencies } from "./run-dependencies.ts";
import type { Step } from "./step/step.ts";

/**
 * Protects children from deletion while their owner exists. Protected children carry the child finalizer of the owner,
 * so the API server defers their deletion, and the engine reports it. When the owner is deleted, each step removes the
 * finalizer from its children after its cleanup.
 */
export class ChildProtection<K extends AnyCustomKind> {
  readonly #finalizer: string;
  readonly #steps: readonly Step<K>[];
  readonly #owns: readonly Kind[];
  readonly #object: KubeObject;
  readonly #tools: RunDependencies;
  readonly #isOrphaning: boolean;

  constructor(plan: StepPlan<K>, object: KubeObject, tools: RunDependencies, isOrphaning: boolean) {
    this.#steps = plan.steps;
    this.#owns = plan.owns;
    this.#finalizer = childFinalizerName(plan.kind);
    this.#object = object;
    this.#tools = tools;
    this.#isOrphaning = isOrphaning;
  }

  /** Adds the finalizer to every protected child of a step. Returns `wait` while one of them is being deleted. */
  async addFinalizers(
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
      const contention = contentionOf(kind, objectKeyOf(child));
      const patch = addFinalizerPatch(child, this.#finalizer);
      if (patch.length === 0) contention.seen();
      else if (contention.hold() === undefined) {
        const after = await this.#tools.client.jsonPatch(kind, objectKeyOf(child), patch, { signal });
        contention.wrote(child, after);
      }
    }
    return combineResults(results);
  }

  /**
   * Removes the finalizer from the protected children of a step, and from children of its kinds that no step protects
   * now.
   */
  async removeFinalizers(step: Step<K>, signal: AbortSignal): Promise<AnyResult> {
    for (const [kind, child] of this.#children(step)) {
      const isOfOther = this.#steps.some((other) => other !== step && protects(other, kind, child));
      if (!isOfOther || protects(step, kind, child)) await this.#releaseChild(kind, child, signal);
    }
    return ok();
  }

  /** Removes the finalizer from children that an earlier version of the operator protected. Runs after all cleanups. */
  async releaseRest(signal: AbortSignal): Promise<AnyResult> {
    for (const kind of this.#owns) {
      const { reader } = this.#tools;
      // Removes only a finalizer of our own, so the owner label of a stripped child is proof enough.
      for (const child of [...reader.owned(kind, this.#object), ...reader.stripped(kind, this.#object)])
        await this.#releaseChild(kind, child, signal);
    }
    return ok();
  }

  async #releaseChild(kind: Kind, child: KubeObject, signal: AbortSignal): Promise<void> {
    if (this.#isOrphaning) {
      const { client } = this.#tools;
      return disownChild({ client, signal }, kind, child, { owner: this.#object, finalizer: this.#finalizer });
    }
    const patch = removeFinalizerPatch(child, this.#finalizer);
    if (patch.length === 0) return;
    try {
      await this.#tools.client.jsonPatch(kind, objectKeyOf(child), patch, { signal });
    } catch (error) {
      // The child is already deleted.
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
    return wait(`${what} is being deleted but is still needed; its finalizer stays until this object is deleted too`, {
      severity: "Error",
      reason: "ChildDeleted",
      on: [refOf(child)],
    });
  }
}

/** Returns whether a step protects this child of the object. */
function protects<K extends AnyCustomKind>(step: Step<K>, kind: Kind, child: KubeObject): boolean {
  const isOfKind = step.protects?.some((each) => kindId(each) === kindId(kind)) ?? false;
  return isOfKind && (step.isProtected?.(child) ?? true);
}
