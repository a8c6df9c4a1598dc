import { canonicalJson, isJsonObject, JsonError, parseJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import type { ApplyResult, ApplyInput } from "./apply-configuration.ts";
import { checkType, TypeMismatchError } from "./check-type.ts";
import { compareValues } from "./comparison.ts";
import type { FieldSet } from "./field-set.ts";
import type { TypeConverter } from "./ownership.ts";
import { toFieldSet } from "./to-field-set.ts";

/** Annotation of client-side apply. */
const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
const ANNOTATIONS_MAX_BYTES = 256 * 1024;
const KUBECTL = "kubectl";

/**
 * Applies a configuration as server-side apply does, with the migration from client-side apply (KEP-555): kubectl owns
 * the fields of its last client-side apply that are unchanged since, and its last-applied annotation is updated.
 */
export function applyWithLastApplied(apply: ApplyInput): ApplyResult {
  const applied = applyConfiguration(apply);
  if (apply.manager.manager !== KUBECTL) return applied;
  return withLastApplied(applied.kind === "applied" ? applied : retried(apply, applied), apply.configuration);
}

function retried(apply: ApplyInput, conflict: Extract<ApplyResult, { readonly kind: "conflict" }>): ApplyResult {
  const allowed = ownSinceBefore(apply.converter, apply.live);
  if (allowed === undefined) return conflict;
  const conflicts = conflict.conflicts.filter(({ path }) => !allowed.has(path));
  return conflicts.length > 0 ? { kind: "conflict", conflicts } : applyConfiguration({ ...apply, force: true });
}

/**
 * Returns the fields of the annotated configuration whose values are unchanged; undefined if there is no valid
 * annotation.
 */
function ownSinceBefore(kind: TypeConverter, live: JsonValue): FieldSet | undefined {
  const before = readAnnotation(annotationOf(live));
  if (before?.["apiVersion"] !== kind.apiVersion) return undefined;
  try {
    checkType(kind.type, live, "refused");
    checkType(kind.type, before, "refused");
  } catch (error) {
    if (error instanceof TypeMismatchError) return undefined;
    throw error;
  }
  const { added, modified, removed } = compareValues(kind.type, before, live);
  return toFieldSet(kind.type, before).difference(modified).difference(added).difference(removed);
}

function annotationOf(value: JsonValue): string {
  const text = member(member(member(value, "metadata"), "annotations"), ANNOTATION);
  return typeof text === "string" ? text : "";
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function readAnnotation(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function withLastApplied(applied: ApplyResult, configuration: JsonValue): ApplyResult {
  if (applied.kind === "conflict" || annotationOf(applied.value) === "") return applied;
  const text = `${canonicalJson(annotated(configuration, undefined))}\n`;
  if (text === annotationOf(applied.value)) return applied;
  const value = annotated(applied.value, text);
  return { ...applied, value: sizeOf(value) > ANNOTATIONS_MAX_BYTES ? annotated(value, undefined) : value };
}

/** Returns the object with the annotation set, or without it. */
function annotated(value: JsonValue, text: string | undefined): JsonObject {
  const metadata = member(value, "metadata");
  const annotations = member(metadata, "annotations");
  const object = isJsonObject(value) ? value : {};
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return object;
  const { [ANNOTATION]: _old, ...others } = annotations;
  const next = text === undefined ? others : { ...others, [ANNOTATION]: text };
  return { ...object, metadata: { ...metadata, annotations: next } };
}

function sizeOf(value: JsonValue): number {
  const annotations = member(member(value, "metadata"), "annotations");
  return isJsonObject(annotations)
    ? new TextEncoder().encode(canonicalJson(Object.entries(annotations).flat())).length
    : 0;
}
