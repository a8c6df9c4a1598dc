import type { Kind, KubeObject } from "@levelset/core";
import type { MatchLabels } from "../step/index.ts";

/** The index of objects by each of their labels, in their namespace and anywhere. */
export const LABEL_INDEX = "levelset.dev/labels";

/** Where nothing is said about the namespace. No namespace is called so. */
const ANYWHERE = "*";

/** Under what an object is found by its labels. */
export function labelValues({ metadata }: KubeObject): readonly string[] {
  const places = metadata.namespace === undefined ? [ANYWHERE] : [metadata.namespace, ANYWHERE];
  return Object.entries(metadata.labels ?? {}).flatMap((pair) => places.map((place) => valueOf(place, pair)));
}

/** Under what those objects are found which carry all of these labels, and perhaps others; undefined when no label is asked for. */
export function wantedValue(namespace: string | undefined, wanted: MatchLabels | undefined): string | undefined {
  const [first] = Object.entries(wanted ?? {});
  return first === undefined ? undefined : valueOf(namespace ?? ANYWHERE, first);
}

/** Whether an object carries all of these labels. */
export function carries({ metadata }: KubeObject, wanted: MatchLabels): boolean {
  return Object.entries(wanted).every(([name, value]) => metadata.labels?.[name] === value);
}

/** The namespace in which an object looks for others of a kind; undefined for everywhere. */
export function lookedIn(object: KubeObject, kind: Kind): string | undefined {
  return kind.scope === "Cluster" ? undefined : object.metadata.namespace;
}

function valueOf(place: string, [name, value]: readonly [string, string]): string {
  return `${place} ${name}=${value}`;
}
