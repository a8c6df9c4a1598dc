import { compareTexts, formatKey, formatLabelSelector, keyOf, SelectorError } from "@levelset/core";
import type { AnyCustomKind, Kind, KubeObject, LabelSelector, ObjectOf } from "@levelset/core";
import { describeRef, labelSelectorOf, ok, refOf, terminal } from "../step/index.ts";
import type { LabelQuery, Req, Result } from "../step/index.ts";

/** The objects that a query selects, and the query as kubectl writes it. */
export interface Selected<O> {
  /** By namespace and name. */
  readonly objects: readonly O[];
  readonly text: string;
}

/** How many objects a message names. */
const NAMED_MAX = 5;

/** Selects objects by the labels that an object gives. Terminal where these say nothing or are invalid: only another spec helps. */
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
    return terminal(`step ${step}: the object gives no labels to select a ${kind.kind} by`);
  }
  const found = req.select(kind, query).toSorted((a, b) => compareTexts(formatKey(keyOf(a)), formatKey(keyOf(b))));
  return ok({ objects: found, text: formatLabelSelector(selector) });
}

/** Names objects for people: the first few of them, and how many more there are. */
export function describeObjects(objects: readonly KubeObject[]): string {
  const isSpread = new Set(objects.map(({ metadata }) => metadata.namespace)).size > 1;
  const named = objects.slice(0, NAMED_MAX).map((object) => {
    const { namespace } = object.metadata;
    return describeRef(refOf(object)) + (isSpread && namespace !== undefined ? ` in ${namespace}` : "");
  });
  const more = objects.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
