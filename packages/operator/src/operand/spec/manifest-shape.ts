import { isJsonObject } from "@levelset/core";
import { parseApiVersion } from "@levelset/core/internal";
import type { JsonValue } from "@levelset/core";
import { OPERAND_GROUP } from "./operand-kinds.ts";

/** A manifest of a spec: the schema of an embedded resource requires apiVersion and kind, but not metadata. */
export type RawManifest = Readonly<Record<string, JsonValue | undefined>>;

/** Returns why a manifest is not one object with a name; undefined if it is one. */
export function shapeProblem({ apiVersion, kind, metadata, items }: RawManifest): string | undefined {
  if (typeof apiVersion !== "string" || apiVersion === "") return "apiVersion is missing";
  if (typeof kind !== "string" || kind === "") return "kind is missing";
  if (kind === "List" || (kind.endsWith("List") && Array.isArray(items))) {
    return `${kind} is a list, not an object: add each of its items as a manifest of its own`;
  }
  if (!isJsonObject(metadata)) return `metadata of this ${kind} is missing`;
  const { name } = metadata;
  return typeof name === "string" && name !== "" ? undefined : "metadata.name is missing";
}

/**
 * Returns why an object cannot be part of a set: it belongs to the Operands themselves. `self` is the name of the
 * Operand of the set; undefined if it is not known.
 */
export function reservedProblem(manifest: RawManifest, self: string | undefined): string | undefined {
  const { group, kind, name } = identityOf(manifest);
  if (group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition") {
    const isOurs = name.endsWith(`.${OPERAND_GROUP}`);
    return isOurs ? `the CustomResourceDefinitions of ${OPERAND_GROUP} cannot be part of a set` : undefined;
  }
  if (group !== OPERAND_GROUP) return undefined;
  if (kind !== "Operand") return `objects of kind ${kind} are managed by the operators of Operand`;
  if (self === undefined) return undefined;
  if (name === self) return "an Operand cannot contain itself";
  return contains(manifest, self) ? `it contains operand/${self}, and operand/${self} contains it` : undefined;
}

/** Reports whether the manifest of an Operand contains the Operand of that name, directly or in another one. */
function contains({ spec }: RawManifest, name: string): boolean {
  const { steadyState, postInstall } = isJsonObject(spec) ? spec : {};
  return [steadyState, postInstall].flat().some((item) => {
    if (!isJsonObject(item)) return false;
    const found = identityOf(item);
    const isOperand = found.group === OPERAND_GROUP && found.kind === "Operand";
    return isOperand && (found.name === name || contains(item, name));
  });
}

function identityOf({ apiVersion, kind, metadata }: RawManifest): Readonly<Record<"group" | "kind" | "name", string>> {
  const { name } = isJsonObject(metadata) ? metadata : {};
  return {
    group: typeof apiVersion === "string" ? parseApiVersion(apiVersion).group : "",
    kind: typeof kind === "string" ? kind : "",
    name: typeof name === "string" ? name : "",
  };
}
