import { findCondition, observedGenerationOf, READY } from "@levelset/core";
import type { Condition, KubeObject } from "@levelset/core";
import { formatId, idOf } from "../history/index.ts";
import type { Violation } from "../violation/index.ts";

interface ObjectWithConditions extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Finds an object at rest whose Ready is True, and is about an older generation than the latest. */
export function findStaleReady(objects: readonly ObjectWithConditions[]): readonly Violation[] {
  for (const object of objects) {
    const { generation, deletionTimestamp } = object.metadata;
    const ready = findCondition(object.status?.conditions, READY);
    if (generation === undefined || deletionTimestamp !== undefined || ready?.status !== "True") continue;
    const observed = Math.min(observedGenerationOf(object) ?? generation, ready.observedGeneration ?? generation);
    if (observed >= generation) continue;
    const id = formatId(idOf(object));
    return [
      {
        rule: "ready-beside-other-world",
        object: id,
        message: `${id} is Ready at rest with observed generation ${observed} of ${generation}.`,
        expected: "Ready is reported again for each generation.",
      },
    ];
  }
  return [];
}
