import { isJsonObject } from "@levelset/core";
import { readinessFunctions } from "@levelset/core/cel";
import { readKubeObject } from "@levelset/core/internal";
import type { CelLibrary } from "@levelset/core/cel";
import type { JsonObject, JsonValue, KubeObject } from "@levelset/core";

/**
 * CEL functions `isCurrent(x)`, `isCurrent(x, type)` and `readiness(x)`. `x` is a fleet resource as sent by the API,
 * or a Kubernetes object.
 */
export const FLEET_READINESS: CelLibrary = readinessFunctions(
  readObject,
  "neither a fleet resource nor a Kubernetes object: it has no kind and name",
);

/** Converts a value to an object: a Kubernetes object, or a fleet resource in that shape. */
export function readObject(value: JsonValue): KubeObject | undefined {
  return isJsonObject(value) && isWireResource(value) ? asKubeObject(value) : readKubeObject(value);
}

function isWireResource({ kind, name, generation }: JsonObject): boolean {
  return typeof kind === "string" && typeof name === "string" && typeof generation === "number";
}

function asKubeObject(resource: JsonObject): KubeObject {
  const { kind, name, generation, deleted_time: deleted } = resource;
  const status = isJsonObject(resource["status"]) ? resource["status"] : {};
  const conditions: readonly JsonValue[] = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  const object = {
    apiVersion: "",
    kind,
    metadata: { name, generation, ...(typeof deleted === "string" ? { deletionTimestamp: deleted } : {}) },
    status: { conditions: conditions.map(asCondition) },
  };
  // Readers check the type of every field.
  return object as unknown as KubeObject;
}

function asCondition(condition: JsonValue): JsonValue {
  if (!isJsonObject(condition)) return condition;
  const { observed_generation: observedGeneration = null, ...rest } = condition;
  return { ...rest, observedGeneration };
}
