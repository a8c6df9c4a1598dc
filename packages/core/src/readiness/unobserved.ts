import { parseApiVersion } from "../object/index.ts";
import type { KubeObject } from "../object/index.ts";
import { isBuiltIn } from "./built-in-kinds.ts";

/**
 * `Kind.group` of custom kinds whose objects only record a state. Their CRDs have a status subresource, as those of all
 * declared kinds, but no controller writes it.
 */
const RECORDS: ReadonlySet<string> = new Set(["OperandRevision.operand.levelset.dev"]);

/**
 * Reports whether an object has not been observed by a controller yet: its kind is a custom one with a status
 * subresource, and it has no status. Built-in kinds and records need no controller.
 */
export function isUnobserved(object: KubeObject, hasStatus: boolean): boolean {
  if (isBuiltIn(object) || isRecord(object)) return false;
  const { status } = object as { readonly status?: unknown };
  return hasStatus && status === undefined && object.metadata.generation !== undefined;
}

/** Reports whether an object only records a state, so that no controller writes its status. */
export function isRecord(object: KubeObject): boolean {
  return RECORDS.has(`${object.kind}.${parseApiVersion(object.apiVersion).group}`);
}
