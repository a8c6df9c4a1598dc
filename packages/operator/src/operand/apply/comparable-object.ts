import type { JsonObject, KubeObject } from "@levelset/core";
import { JOB_HASH_ANNOTATION } from "../../steps/index.ts";
import {
  inventoriesOf,
  isJobFinalizer,
  MANAGED_LABEL,
  operandsOf,
  partLabel,
  PRUNE_AFTER_ANNOTATION,
  PRUNING,
  STEADY_STATE_ANNOTATION,
} from "../spec/labels-and-annotations.ts";

/** Metadata fields that users set. */
const METADATA = ["name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"] as const;

/**
 * Returns an object without server-set metadata, without its status, and without the labels and annotations of
 * Operands. Two objects that are equal this way differ in no field that a user set.
 */
export function comparableObject(object: KubeObject, about: { readonly hasStatus: boolean }): JsonObject {
  // Objects are JSON; their interfaces only lack the index signature.
  const { metadata: _metadata, status, ...rest } = object as unknown as JsonObject;
  const marks = [MANAGED_LABEL, ...operandsOf(object).map(partLabel)];
  const inventories = inventoriesOf(object);
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = object.metadata;
  const shown = {
    ...object.metadata,
    labels: without(labels, marks),
    annotations: without(annotations, [PRUNE_AFTER_ANNOTATION, PRUNING, JOB_HASH_ANNOTATION, STEADY_STATE_ANNOTATION]),
    finalizers: finalizers.filter((name) => !isJobFinalizer(name)),
    ownerReferences: ownerReferences.filter(({ name }) => !inventories.includes(name)),
  };
  const metadata = Object.fromEntries(
    METADATA.filter((name) => !isEmpty(shown[name])).map((name) => [name, shown[name]]),
  );
  const reported = about.hasStatus || status === undefined ? {} : { status };
  return { ...rest, ...reported, metadata } as JsonObject;
}

function without(map: Readonly<Record<string, string>>, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
