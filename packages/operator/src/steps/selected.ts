import { compareCodeUnits } from "@levelset/core/internal";
import { formatKey, objectKeyOf } from "@levelset/core";
import { formatLabelSelector, SelectorError } from "@levelset/core/schema";
import type { AnyCustomKind, Kind, KubeObject, ObjectOf } from "@levelset/core";
import type { LabelSelector } from "@levelset/core/schema";
import { describeRef, labelSelectorOf, ok, refOf, terminal } from "../engine/index.ts";
import type { LabelQuery, Req, Result } from "../engine/index.ts";

/** Objects that a query selects, and the query in kubectl notation. */
export interface Selected<O> {
  /** Sorted by namespace and name. */
  readonly objects: readonly O[];
  readonly text: string;
}

/** Maximum number of objects that a message names. */
const NAMED_MAX = 5;

/**
 * Selects objects by the labels that an object declares. Terminal if these are empty or invalid: only another spec
 * helps.
 */
export function selected<C extends Kind>(
  req: Pick<Req<AnyCustomKind, never>, "select">,
  step: string,
  kind: C,
  query: LabelQuery | undefined,
): Result<Selected<ObjectOf<C>>> {
  let selector: LabelSelector;
  try {
    selector = labelSelectorOf(query);
  } catch (error) {
    if (error instanceof SelectorError) return terminal(`step ${step}: ${error.message}`);
    throw error;
  }
  if (query === undefined || selector.kind === "nothing") {
    return terminal(`step ${step}: the object has no labels to select a ${kind.kind}`);
  }
  const found = req
    .select(kind, query)
    .toSorted((a, b) => compareCodeUnits(formatKey(objectKeyOf(a)), formatKey(objectKeyOf(b))));
  return ok({ objects: found, text: formatLabelSelector(selector) });
}

/** Formats objects for messages: the first few, and the number of others. */
export function describeObjects(objects: readonly KubeObject[]): string {
  const isSpread = new Set(objects.map(({ metadata }) => metadata.namespace)).size > 1;
  const named = objects.slice(0, NAMED_MAX).map((object) => {
    const { namespace } = object.metadata;
    return describeRef(refOf(object)) + (isSpread && namespace !== undefined ? ` in ${namespace}` : "");
  });
  const more = objects.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
