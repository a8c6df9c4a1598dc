import type { Kind, KubeObject, LabelRequirement, LabelSelector } from "@levelset/core";

/** The index of objects by each of their labels and by their place, in their namespace and anywhere. */
export const LABEL_INDEX = "levelset.dev/labels";

/** Where nothing is said about the namespace. No namespace is called so. */
const ANYWHERE = "*";

/** Under what an object is found by its labels. */
export function labelValues({ metadata }: KubeObject): readonly string[] {
  const places = metadata.namespace === undefined ? [ANYWHERE] : [metadata.namespace, ANYWHERE];
  const pairs = Object.entries(metadata.labels ?? {});
  return places.flatMap((place) => [place, ...pairs.map((pair) => valueOf(place, pair))]);
}

/**
 * Under which values all objects that a selector matches are found, and perhaps others; each object is under one of them at most. A
 * selector that asks for no value of a label leads to all objects of the place.
 */
export function wantedValues(namespace: string | undefined, selector: LabelSelector): readonly string[] {
  if (selector.kind === "nothing") return [];
  const place = namespace ?? ANYWHERE;
  const [listed] = selector.requirements.flatMap(valuesOf);
  return listed === undefined ? [place] : listed.values.map((value) => valueOf(place, [listed.key, value]));
}

/** The values of a label that a requirement allows, where it lists them. */
function valuesOf(
  requirement: LabelRequirement,
): readonly { readonly key: string; readonly values: readonly string[] }[] {
  const { key, operator } = requirement;
  if (operator === "=" || operator === "==") return [{ key, values: [requirement.value] }];
  return operator === "in" ? [{ key, values: requirement.values }] : [];
}

/** The namespace in which an object looks for others of a kind; undefined for everywhere. */
export function lookedIn(object: KubeObject, kind: Kind): string | undefined {
  return kind.scope === "Cluster" ? undefined : object.metadata.namespace;
}

function valueOf(place: string, [name, value]: readonly [string, string]): string {
  return `${place} ${name}=${value}`;
}
