import type { JsonObject, JsonValue } from "@levelset/core";
import type { ObjectLocator } from "../transport/index.ts";
import { metadataOf, nameOf, objectOrEmpty, objectsOf } from "../json-parts.ts";

/**
 * Finds an object inside a ManifestWork by name or labels. Returns the manifest with `statusFeedback` and `conditions`
 * reported for it, or undefined if there is none.
 */
export function findInManifestWork(
  work: JsonObject,
  { namespace, by }: Pick<ObjectLocator, "namespace" | "by">,
): JsonObject | undefined {
  const manifests = objectsOf(at(work, "spec", "workload", "manifests"));
  const found = manifests
    .filter((manifest) => {
      const metadata = metadataOf(manifest);
      if (namespace !== undefined && metadata["namespace"] !== namespace) return false;
      if (by.kind === "name") return metadata["name"] === by.name;
      const labels = objectOrEmpty(metadata["labels"]);
      return Object.entries(by.labels).every(([key, value]) => labels[key] === value);
    })
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), "en"))[0];
  if (found === undefined) return undefined;
  const reported = objectsOf(at(work, "status", "resourceStatus", "manifests")).find(({ resourceMeta }) => {
    const { kind = found["kind"], name, namespace = "" } = objectOrEmpty(resourceMeta);
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
  return path.reduce<JsonValue | undefined>((found, key) => objectOrEmpty(found)[key], value);
}
