import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { Target } from "../transport/index.ts";

/**
 * An object inside of a ManifestWork, found by name or labels: as the work declares it, with `statusFeedback` and `conditions` that the other
 * side reported on it. Undefined if there is none.
 */
export function nestedIn(
  work: JsonObject,
  { namespace, by }: Pick<Target, "namespace" | "by">,
): JsonObject | undefined {
  const manifests = objects(at(work, "spec", "workload", "manifests"));
  const found = manifests
    .filter((manifest) => {
      const metadata = objectOf(manifest["metadata"]);
      if (namespace !== undefined && metadata["namespace"] !== namespace) return false;
      if (by.kind === "name") return metadata["name"] === by.name;
      const labels = objectOf(metadata["labels"]);
      return Object.entries(by.labels).every(([key, value]) => labels[key] === value);
    })
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), "en"))[0];
  if (found === undefined) return undefined;
  const reported = objects(at(work, "status", "resourceStatus", "manifests")).find(({ resourceMeta }) => {
    const meta = objectOf(resourceMeta);
    return (
      meta["name"] === nameOf(found) && (meta["namespace"] ?? "") === (objectOf(found["metadata"])["namespace"] ?? "")
    );
  });
  return {
    ...found,
    ...(reported?.["statusFeedback"] === undefined ? {} : { statusFeedback: reported["statusFeedback"] }),
    ...(reported?.["conditions"] === undefined ? {} : { conditions: reported["conditions"] }),
  };
}

function nameOf(object: JsonObject): string {
  const { name } = objectOf(object["metadata"]);
  return typeof name === "string" ? name : "";
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, key) => objectOf(found)[key], value);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.flatMap((one: JsonValue) => (isJsonObject(one) ? [one] : [])) : [];
}
