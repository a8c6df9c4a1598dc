import {
  addFinalizerPatch,
  childFinalizerName,
  hasFinalizer,
  isDeleting,
  isNotFound,
  keyOf,
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
 * Holds children that must not vanish under their owner. While the owner lives they carry its child finalizer, so that whoever
 * deletes one is waited for and reported; when the owner is deleted it lets go of them, and they go with it.
 */
export class Protection<K extends AnyCustomKind> {
  readonly #finalizer: string;
  readonly #object: KubeObject;
  readonly #tools: RunTools;

  constructor(plan: Plan<K>, object: KubeObject, tools: RunTools) {
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

  /** Lets go of the protected children of a step. */
  async release(step: Step<K>, signal: AbortSignal): Promise<AnyResult> {
    for (const [kind, child] of this.#children(step)) {
      const patch = removeFinalizerPatch(child, this.#finalizer);
      if (patch.length === 0) continue;
      try {
        await this.#tools.client.jsonPatch(kind, keyOf(child), patch, { signal });
      } catch (error) {
        // Gone already: nothing to let go of.
        if (!isNotFound(error)) throw error;
      }
    }
    return ok();
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
