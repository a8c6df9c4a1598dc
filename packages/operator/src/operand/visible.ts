import type { JsonObject, KubeObject } from "@levelset/core";
import { inventoriesOf, MANAGED_LABEL, operandsOf, partLabel, PRUNE_AFTER, PRUNING } from "./marks.ts";

/** What the metadata of an object says that somebody asked for. */
const METADATA = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"] as const;

/**
 * An object as people mean it: without what the server keeps about it, without its status, and without the marks by which Operands
 * find their objects. Two that are the same this way differ in nothing that anybody asked for.
 */
export function visibleObject(object: KubeObject, about: { readonly hasStatus: boolean }): JsonObject {
  // Objects are JSON; interfaces only lack the index signature.
  const { metadata: _metadata, status, ...rest } = object as unknown as JsonObject;
  const marks = [MANAGED_LABEL, ...operandsOf(object).map(partLabel)];
  const inventories = inventoriesOf(object);
  const { labels = {}, annotations = {}, ownerReferences = [] } = object.metadata;
  const shown = {
    ...object.metadata,
    labels: without(labels, marks),
    annotations: without(annotations, [PRUNE_AFTER, PRUNING]),
    ownerReferences: ownerReferences.filter(({ name }) => !inventories.includes(name)),
  };
  const metadata = Object.fromEntries(
    METADATA.filter((name) => !isEmpty(shown[name])).map((name) => [name, shown[name]]),
  );
  const told = about.hasStatus || status === undefined ? {} : { status };
  return { ...rest, ...told, metadata } as JsonObject;
}

function without(map: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
