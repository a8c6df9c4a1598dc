import type { JsonObject, JsonValue } from "@levelset/core";
import type { Target } from "../transport/index.ts";
import { metadataOf, nameOf, objectOf, objectsOf } from "../json-parts.ts";

/**
 * An object inside of a ManifestWork, found by name or labels: as the work declares it, with `statusFeedback` and `conditions` that the other
 * side reported on it. Undefined if there is none.
 */
export function nestedIn(
  work: JsonObject,
  { namespace, by }: Pick<Target, "namespace" | "by">,
): JsonObject | undefined {
  const manifests = objectsOf(at(work, "spec", "workload", "manifests"));
  const found = manifests
    .filter((manifest) => {
      const metadata = metadataOf(manifest);
      if (namespace !== undefined && metadata["namespace"] !== namespace) return false;
      if (by.kind === "name") return metadata["name"] === by.name;
      const labels = objectOf(metadata["labels"]);
      return Object.entries(by.labels).every(([key, value]) => labels[key] === value);
    })
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), "en"))[0];
  if (found === undefined) return undefined;
  const reported = objectsOf(at(work, "status", "resourceStatus", "manifests")).find(({ resourceMeta }) => {
    const { kind = found["kind"], name, namespace = "" } = objectOf(resourceMeta);
    const isPlace = name === nameOf(found) && namespace === (metadataOf(found)["namespace"] ?? "");
    return isPlace && kind === found["kind"];
  });
  return {
    ...found,
    ...(reported?.["statusFeedback"] === undefined ? {} : { statusFeedback: reported["statusFeedback"] }),
    ...(reported?.["conditions"] === undefined ? {} : { conditions: reported["conditions"] }),
  };
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((found, key) => objectOf(found)[key], value);
}
