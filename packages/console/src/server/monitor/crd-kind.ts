import type { CustomResourceDefinition, Kind, ObjectOf } from "@levelset/core";
import { conditionsOf, OPERAND_GROUP } from "@levelset/operator/internal";
import { Operand } from "@levelset/operator";
import type { ControllerJson } from "@levelset/operator/internal";

/** Schema that accepts any object. */
const ANYTHING = { "x-kubernetes-preserve-unknown-fields": true } as const;

/**
 * Returns the kind of a CRD in its storage version, or in the last served one if that is not served. Returns undefined
 * if the CRD is not established, and for kinds that are shown only with their Operand.
 */
export function kindOfCrd(crd: ObjectOf<typeof CustomResourceDefinition>): Kind | undefined {
  const { group, names, scope, versions } = crd.spec;
  const served = versions.filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served.at(-1);
  if (!conditionsOf(crd).some(({ type, status }) => type === "Established" && status === "True")) return undefined;
  // Inventories and revisions are shown with their Operand.
  if (version === undefined || (group === OPERAND_GROUP && names.kind !== Operand.kind)) return undefined;
  return {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    scope,
    hasStatus: version.subresources?.status !== undefined,
    schema: ANYTHING,
  };
}

/** Returns the kind that a controller reconciles. Used without permission to read CRDs. */
export function kindOfController(controller: ControllerJson): Kind {
  const { group, version, kind, plural, singular, shortNames, scope } = controller;
  return { group, version, kind, plural, singular, shortNames, scope, hasStatus: true, schema: ANYTHING };
}
