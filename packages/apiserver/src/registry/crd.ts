import type { CrdNames, FieldError } from "@levelset/core";
import { compilePath, JsonPathError, validate } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { schemaErrors } from "./crd-schema.ts";
import { invalidField, requiredField, unsupportedField } from "./field.ts";
import { dns1035Problems, dnsSubdomainProblems } from "./names.ts";
import type { Crd } from "./resource.ts";
import { CRDS } from "./builtins.ts";
import type { KindRules, RuleContext } from "./rules.ts";
import { listOf, recordOf } from "./shape.ts";

/** Holds a CustomResourceDefinition while objects of its kind are still there. */
export const CLEANUP_FINALIZER: string = "customresourcecleanup.apiextensions.k8s.io";

/** CustomResourceDefinitions: checked on write, accepted and established at once. */
export const crdRules: KindRules = {
  prepareCreate: (object, context) => withStatus(withDefaults(object), undefined, context),
  prepareUpdate: (object, old, context) => withStatus(withDefaults(object), old, context),
  validate: (object, old) => {
    const errors = validate(CRDS.bodySchema, object);
    // Later rules take the shape for granted.
    return errors.length > 0
      ? errors
      : [...specErrors(object), ...(old === undefined ? [] : updateErrors(object, old))];
  },
};

/** A stored object of the CRD resource, as what it is. */
export function asCrd(object: ApiObject): Crd {
  // Every object of this resource went through `crdRules.validate`.
  return object as unknown as Crd;
}

function withDefaults(object: ApiObject): ApiObject {
  const spec = recordOf(object["spec"]);
  const names = recordOf(spec["names"]);
  const kind = typeof names["kind"] === "string" ? names["kind"] : "";
  return {
    ...object,
    spec: {
      ...spec,
      names: {
        ...names,
        ...(names["singular"] === undefined && kind !== "" ? { singular: kind.toLowerCase() } : {}),
        ...(names["listKind"] === undefined && kind !== "" ? { listKind: `${kind}List` } : {}),
      },
      conversion: spec["conversion"] ?? { strategy: "None" },
    },
  };
}

function withStatus(object: ApiObject, old: ApiObject | undefined, context: RuleContext): ApiObject {
  if (crdRules.validate?.(object, undefined).length !== 0) return object;
  const crd = asCrd(object);
  const before = recordOf(old?.["status"]);
  const taken = takenName(crd, context.crds);
  const storage = crd.spec.versions.find((version) => version.storage)?.name ?? "";
  const stored = listOf(before["storedVersions"]);
  return {
    ...object,
    status: {
      conditions: [
        condition("NamesAccepted", taken, ["NoConflicts", "no conflicts found"], before, context.now),
        condition(
          "Established",
          taken === undefined ? undefined : "not all names are accepted",
          ["InitialNamesAccepted", "the initial names have been accepted"],
          before,
          context.now,
        ),
      ],
      acceptedNames: taken === undefined ? crd.spec.names : { plural: "", kind: "" },
      storedVersions: stored.includes(storage) ? stored : [...stored, storage],
    },
  };
}

function condition(
  type: string,
  problem: string | undefined,
  [reason, message]: readonly [string, string],
  before: Readonly<Record<string, unknown>>,
  now: string,
): Readonly<Record<string, unknown>> {
  const status = problem === undefined ? "True" : "False";
  const previous = listOf(before["conditions"])
    .map(recordOf)
    .find((found) => found["type"] === type);
  return {
    type,
    status,
    lastTransitionTime: previous?.["status"] === status ? previous["lastTransitionTime"] : now,
    reason: problem === undefined ? reason : "NotAccepted",
    message: problem ?? message,
  };
}

/** Whether the names of a declaration are its own, so that it can be served. */
export function isEstablished(crd: Crd): boolean {
  return crd.status?.conditions?.some((found) => found.type === "Established" && found.status === "True") ?? false;
}

/** Which of the names another declaration of the same group has already. */
function takenName(crd: Crd, others: readonly Crd[]): string | undefined {
  const rivals = others.filter(
    (other) => other.spec.group === crd.spec.group && other.metadata.name !== crd.metadata.name && isEstablished(other),
  );
  const mine = namesOf(crd.spec.names);
  const kinds = [crd.spec.names.kind, crd.spec.names.listKind];
  for (const rival of rivals) {
    const name = namesOf(rival.spec.names).find((taken) => mine.includes(taken));
    if (name !== undefined) return `${JSON.stringify(name)} is already in use`;
    const kind = [rival.spec.names.kind, rival.spec.names.listKind].find((taken) => kinds.includes(taken));
    if (kind !== undefined) return `${JSON.stringify(kind)} is already in use`;
  }
  return undefined;
}

function namesOf(names: CrdNames): readonly string[] {
  return [names.plural, names.singular ?? names.kind.toLowerCase(), ...(names.shortNames ?? [])];
}

function specErrors(object: ApiObject): readonly FieldError[] {
  const { metadata, spec } = asCrd(object);
  const expected = `${spec.names.plural}.${spec.group}`;
  const strategy = recordOf(recordOf(object["spec"])["conversion"])["strategy"];
  return [
    ...(metadata.name === expected
      ? []
      : [invalidField("metadata.name", metadata.name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupErrors(spec.group),
    ...nameErrors(spec.names),
    ...versionErrors(object),
    ...(strategy === "None" ? [] : [unsupportedField("spec.conversion.strategy", String(strategy), ["None"])]),
  ];
}

function groupErrors(group: string): readonly FieldError[] {
  if (group === "") return [requiredField("spec.group")];
  const problems = dnsSubdomainProblems(group).map((problem) => invalidField("spec.group", group, problem));
  if (problems.length > 0 || group.includes(".")) return problems;
  return [invalidField("spec.group", group, "should be a domain with at least one dot")];
}

function nameErrors(names: CrdNames): readonly FieldError[] {
  const plain = (field: string, name: string): readonly FieldError[] =>
    dns1035Problems(name).map((problem) => invalidField(`spec.names.${field}`, name, problem));
  const mixed = (field: string, name: string): readonly FieldError[] =>
    dns1035Problems(name.toLowerCase()).map((problem) =>
      invalidField(`spec.names.${field}`, name, `may have mixed case, but should otherwise match: ${problem}`),
    );
  const { plural, singular = "", kind, listKind = "" } = names;
  return [
    ...plain("plural", plural),
    ...plain("singular", singular),
    ...mixed("kind", kind),
    ...mixed("listKind", listKind),
    ...(names.shortNames ?? []).flatMap((name, index) => plain(`shortNames[${index}]`, name)),
    ...(names.categories ?? []).flatMap((name, index) => plain(`categories[${index}]`, name)),
    ...(kind === listKind
      ? [invalidField("spec.names.listKind", listKind, "kind and listKind may not be the same")]
      : []),
  ];
}

function pathProblems(path: string): readonly string[] {
  if (!path.startsWith(".")) return ["must be a simple json path starting with ."];
  try {
    compilePath(path);
    return [];
  } catch (error) {
    if (error instanceof JsonPathError) return [`is an invalid JSONPath: ${error.message}`];
    throw error;
  }
}

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];

function versionErrors(object: ApiObject): readonly FieldError[] {
  const { versions } = asCrd(object).spec;
  const each = versions.flatMap((version, index) => {
    const path = `spec.versions[${index}]`;
    const columns = (version.additionalPrinterColumns ?? []).flatMap((column, at) => {
      const columnPath = `${path}.additionalPrinterColumns[${at}]`;
      return [
        ...(COLUMN_TYPES.includes(column.type)
          ? []
          : [unsupportedField(`${columnPath}.type`, column.type, COLUMN_TYPES)]),
        ...pathProblems(column.jsonPath).map((problem) =>
          invalidField(`${columnPath}.jsonPath`, column.jsonPath, problem),
        ),
      ];
    });
    return [
      ...dns1035Problems(version.name).map((problem) => invalidField(`${path}.name`, version.name, problem)),
      ...schemaErrors(recordOf(version.schema)["openAPIV3Schema"], `${path}.schema.openAPIV3Schema`),
      ...columns,
    ];
  });
  const names = versions.map((version) => version.name);
  return [
    ...each,
    ...(new Set(names).size === names.length
      ? []
      : [invalidField("spec.versions", names, "must contain unique version names")]),
    ...(versions.filter((version) => version.storage).length === 1
      ? []
      : [invalidField("spec.versions", names, "must have exactly one version marked as storage version")]),
  ];
}

function updateErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const [next, before] = [asCrd(object).spec, asCrd(old).spec];
  const versions = next.versions.map((version) => version.name);
  const missing = (asCrd(old).status?.storedVersions ?? []).filter((version) => !versions.includes(version));
  const immutable = (field: string, now: unknown, then: unknown): readonly FieldError[] =>
    now === then ? [] : [invalidField(field, now, "field is immutable")];
  return [
    ...immutable("spec.scope", next.scope, before.scope),
    ...immutable("spec.names.kind", next.names.kind, before.names.kind),
    ...missing.map((version, index) =>
      invalidField(
        `status.storedVersions[${index}]`,
        version,
        `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a ` +
          `storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`,
      ),
    ),
  ];
}
