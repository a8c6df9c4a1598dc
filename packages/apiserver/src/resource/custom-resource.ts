import { compileRules, formatApiVersion } from "@levelset/core/internal";
import { FieldSet } from "@levelset/core/apply";
import type { CrdVersion } from "@levelset/core/internal";
import { toStructuralSchema } from "./crd-schema.ts";
import type { Crd } from "./crd-schema.ts";
import { customFieldLabels } from "./field-labels.ts";
import { customResourcePrinter } from "./printer/custom-resource-printer.ts";
import { bodySchemaOf } from "./resource.ts";
import type { Resource } from "./resource.ts";
import { CUSTOM_VERBS, SCALE_SUBRESOURCE, wholeObjectSubresource } from "./subresource-info.ts";

const SPEC_AND_METADATA: FieldSet = FieldSet.of(["f:spec"], ["f:metadata"]);

const compiled = new WeakMap<Crd, readonly Resource[]>();

/**
 * Returns the resources of a stored CustomResourceDefinition, one per served version. Compiled once for all servers on
 * forks of a store.
 */
export function resourcesOf(crd: Crd): readonly Resource[] {
  const known = compiled.get(crd) ?? compile(crd);
  compiled.set(crd, known);
  return known;
}

function compile(crd: Crd): readonly Resource[] {
  const { group, versions } = crd.spec;
  const schemas = new Map(
    versions.map(({ name, schema }) => [
      formatApiVersion(group, name),
      bodySchemaOf(toStructuralSchema(schema?.openAPIV3Schema)),
    ]),
  );
  return versions.filter((version) => version.served).map((version) => customResource(crd, version, schemas));
}

function customResource(crd: Crd, version: CrdVersion, versions: Resource["versions"]): Resource {
  const { group, names, scope } = crd.spec;
  const schema = toStructuralSchema(version.schema?.openAPIV3Schema);
  const bodySchema = bodySchemaOf(schema);
  const selectableFields = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./u, ""));
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope,
    id: `${names.plural}.${group}`,
    strategy: {},
    virtualCreate: undefined,
    alias: undefined,
    isCustom: true,
    hasStatus: version.subresources?.status !== undefined,
    verbs: CUSTOM_VERBS,
    subresources: [
      ...(version.subresources?.scale === undefined ? [] : [SCALE_SUBRESOURCE]),
      ...(version.subresources?.status === undefined ? [] : [wholeObjectSubresource("status")]),
    ],
    scale: version.subresources?.scale,
    selectorForm: "LabelSelector",
    selectableFields,
    fieldLabels: customFieldLabels(scope, selectableFields),
    statusResetFields: SPEC_AND_METADATA,
    hasGeneration: true,
    allowUnconditionalUpdate: false,
    schema,
    bodySchema,
    publishedSchema: bodySchema,
    validationRules: compileRules(schema, true).rules,
    printer: customResourcePrinter(version.additionalPrinterColumns ?? []),
    zeroValue: { apiVersion: formatApiVersion(group, version.name), kind: names.kind },
    storageVersion: crd.spec.versions.find(({ storage }) => storage)?.name ?? "",
    versions,
    conversion: crd.spec.conversion?.strategy === "Webhook" ? "Webhook" : "None",
    deprecation:
      version.deprecated === true
        ? (version.deprecationWarning ?? `${group}/${version.name} ${names.kind} is deprecated`)
        : undefined,
    changedAtRevision: Number(crd.metadata.resourceVersion),
  };
}
