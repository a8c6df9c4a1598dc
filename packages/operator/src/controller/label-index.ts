import type { Kind, KubeObject } from "@levelset/core";
import type { LabelRequirement, LabelSelector } from "@levelset/core/schema";

/** Name of the index by label, for one namespace and for all namespaces. */
export const LABEL_INDEX = "levelset.dev/labels";

/** Stands for all namespaces; not a valid namespace name. */
const ANYWHERE = "*";

/** Returns the index values of an object. */
export function labelIndexValues({ metadata }: KubeObject): readonly string[] {
  const places = metadata.namespace === undefined ? [ANYWHERE] : [metadata.namespace, ANYWHERE];
  const pairs = Object.entries(metadata.labels ?? {});
  return places.flatMap((place) => [place, ...pairs.map((pair) => valueOf(place, pair))]);
}

/**
 * Returns index values that cover all objects that a selector matches, and possibly others; an object is under at most
 * one of them. A selector without a required label value covers all objects of the namespace.
 */
export function wantedValues(namespace: string | undefined, selector: LabelSelector): readonly string[] {
  if (selector.kind === "nothing") return [];
  const place = namespace ?? ANYWHERE;
  const [listed] = selector.requirements.flatMap(valuesOf);
  return listed === undefined ? [place] : listed.values.map((value) => valueOf(place, [listed.key, value]));
}

/** Returns the label values that a requirement lists, or undefined if it does not list values. */
function valuesOf(
  requirement: LabelRequirement,
): readonly { readonly key: string; readonly values: readonly string[] }[] {
  const { key, operator } = requirement;
  if (operator === "=" || operator === "==") return [{ key, values: [requirement.value] }];
  return operator === "in" ? [{ key, values: requirement.values }] : [];
}

/** Returns the namespace in which an object selects objects of a kind; undefined for the whole cluster. */
export function lookupNamespace(object: KubeObject, kind: Kind): string | undefined {
  return kind.scope === "Cluster" ? undefined : object.metadata.namespace;
}

function valueOf(place: string, [name, value]: readonly [string, string]): string {
  return `${place} ${name}=${value}`;
}
