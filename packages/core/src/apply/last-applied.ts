import { canonicalJson, isJsonObject, JsonError, parseJson } from "../json/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import type { Applied, TrackedApply } from "./apply-configuration.ts";
import { checkType, UntypedValueError } from "./check.ts";
import { compareValues } from "./comparison.ts";
import type { FieldSet } from "./field-set.ts";
import type { TrackedKind } from "./ownership.ts";
import { fieldsOfValue } from "./value-fields.ts";

/** Where kubectl keeps what it applied before servers could. */
const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
const ANNOTATIONS_MAX_BYTES = 256 * 1024;
const KUBECTL = "kubectl";

/**
 * Applies a configuration as `applyConfiguration` does. For kubectl there is more: what it applied without the server's help, and
 * nobody has changed since, is its own already; and the annotation by which such clients know what they applied is kept up to date.
 */
export function applyFor(apply: TrackedApply): Applied {
  const applied = applyConfiguration(apply);
  if (apply.applier.manager !== KUBECTL) return applied;
  return withLastApplied(applied.kind === "applied" ? applied : retried(apply, applied), apply.configuration);
}

function retried(apply: TrackedApply, conflict: Extract<Applied, { readonly kind: "conflict" }>): Applied {
  const allowed = ownSinceBefore(apply.kind, apply.live);
  if (allowed === undefined) return conflict;
  const conflicts = conflict.conflicts.filter(({ path }) => !allowed.has(path));
  return conflicts.length > 0 ? { kind: "conflict", conflicts } : applyConfiguration({ ...apply, force: true });
}

/** The fields of the annotated configuration that the object still has as applied; undefined where there is no readable one. */
function ownSinceBefore(kind: TrackedKind, live: JsonValue): FieldSet | undefined {
  const before = readAnnotation(annotationOf(live));
  if (before?.["apiVersion"] !== kind.apiVersion) return undefined;
  try {
    checkType(kind.type, live, "refused");
    checkType(kind.type, before, "refused");
  } catch (error) {
    if (error instanceof UntypedValueError) return undefined;
    throw error;
  }
  const { added, modified, removed } = compareValues(kind.type, before, live);
  return fieldsOfValue(kind.type, before).difference(modified).difference(added).difference(removed);
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

function withLastApplied(applied: Applied, configuration: JsonValue): Applied {
  if (applied.kind === "conflict" || annotationOf(applied.value) === "") return applied;
  const text = `${canonicalJson(annotated(configuration, undefined))}\n`;
  if (text === annotationOf(applied.value)) return applied;
  const value = annotated(applied.value, text);
  return { ...applied, value: sizeOf(value) > ANNOTATIONS_MAX_BYTES ? annotated(value, undefined) : value };
}

/** An object with the annotation set to a text, or without it. */
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
