import { deepEqual } from "@levelset/core/internal";
import { isJsonObject } from "@levelset/core";
import type { CrdSpec, FieldError } from "@levelset/core/schema";
import type { CrdVersion } from "@levelset/core/internal";
import { clientConfigErrors } from "../../admissionregistration/webhook.ts";
import {
  toStructuralSchema,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
  dns1035Problems,
  dnsSubdomainProblems,
  asArray,
  asRecord,
} from "../../../resource/index.ts";
import { namesErrors } from "./crd-names.ts";
import { schemaErrors } from "./schema-version.ts";
import { columnErrors, deprecationErrors, selectableErrors, subresourcesErrors } from "./version.ts";

type Errors = Generator<FieldError, void>;

/** A decoded, unvalidated version. */
type LooseVersion = Partial<CrdVersion>;

/** A decoded, unvalidated spec. */
export type UnvalidatedCrdSpec = Partial<Omit<CrdSpec, "versions" | "names">> & {
  readonly versions?: readonly LooseVersion[];
  readonly names?: Partial<CrdSpec["names"]>;
  readonly conversion?: Readonly<Record<string, unknown>>;
  readonly preserveUnknownFields?: boolean;
};

const SCOPES = ["Cluster", "Namespaced"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];

/**
 * Fields that are identical in all versions. The internal type holds them once, at the top level of the spec, so errors
 * have top-level paths (`k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go`, Kubernetes 1.36).
 */
interface Shared {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

function sharedOf(versions: readonly LooseVersion[]): Shared {
  const [first = {}] = versions;
  const all = (field: keyof LooseVersion): boolean =>
    versions.every((version) => deepEqual(version[field], first[field]));
  return {
    schema: all("schema"),
    subresources: all("subresources"),
    columns: all("additionalPrinterColumns"),
    selectable: all("selectableFields"),
  };
}

/** Validates the spec of a CustomResourceDefinition. `old` is the spec before an update. */
export function* specErrors(
  spec: UnvalidatedCrdSpec,
  old: UnvalidatedCrdSpec | undefined,
  isEstablished: boolean,
): Errors {
  yield* groupErrors(spec.group ?? "");
  const { scope } = spec;
  if ((scope ?? "") === "") yield requiredField("spec.scope");
  else if (scope !== undefined && !SCOPES.includes(scope)) yield unsupportedField("spec.scope", scope, SCOPES);
  const versions = spec.versions ?? [];
  yield* versionsErrors(versions, old);
  yield* namesErrors("spec.names", spec.names ?? {});
  yield* sharedErrors(versions, old);
  yield* conversionErrors("spec.conversion", spec.conversion ?? {});
  if (old !== undefined) yield* changeErrors(spec, old, isEstablished);
  if (spec.preserveUnknownFields === true && old?.preserveUnknownFields !== true) {
    const why =
      "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
    yield invalidField("spec.preserveUnknownFields", true, why);
  }
}

function* groupErrors(group: string): Errors {
  const problems = dnsSubdomainProblems(group);
  if (group === "") yield requiredField("spec.group");
  else if (problems.length > 0) yield invalidField("spec.group", group, problems.join(","));
  else if (!group.includes(".")) yield invalidField("spec.group", group, "should be a domain with at least one dot");
}

function* versionsErrors(versions: readonly LooseVersion[], old: UnvalidatedCrdSpec | undefined): Errors {
  const shared = sharedOf(versions);
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    if (schemaOf(version) === undefined && !(shared.schema && schemaOf(versions[0] ?? {}) !== undefined)) {
      yield requiredField(`${path}.schema.openAPIV3Schema`);
    }
    const problems = dns1035Problems(version.name ?? "");
    if (problems.length > 0) yield invalidField(`${path}.name`, version.name ?? "", problems.join(","));
    yield* deprecationErrors(`${path}.deprecationWarning`, version);
    yield* versionErrors(path, version, old, {
      schema: !shared.schema,
      subresources: !shared.subresources,
      columns: !shared.columns,
      selectable: !shared.selectable,
    });
  }
  // The first version is also validated like the former field spec.version.
  const problems = dns1035Problems(versions[0]?.name ?? "v1");
  if (problems.length > 0) yield invalidField("spec.version", versions[0]?.name, problems.join(","));
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length)
    yield invalidField("spec.versions", versions, "must contain unique version names");
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    const why = "must have exactly one version marked as storage version";
    yield invalidField("spec.versions", versions, why);
  }
}

/** Validates fields that are identical in all versions; errors have top-level paths. */
function* sharedErrors(versions: readonly LooseVersion[], old: UnvalidatedCrdSpec | undefined): Errors {
  const [first] = versions;
  if (first !== undefined) yield* versionErrors("spec", first, old, sharedOf(versions));
}

function schemaOf(version: LooseVersion): Readonly<Record<string, unknown>> | undefined {
  const given: unknown = version.schema?.openAPIV3Schema;
  return isJsonObject(given) ? given : undefined;
}

function* versionErrors(
  path: string,
  version: LooseVersion,
  old: UnvalidatedCrdSpec | undefined,
  which: Shared,
): Errors {
  const schema = schemaOf(version);
  if (which.schema && schema !== undefined) {
    const before = old?.versions?.find(({ name }) => name === version.name);
    const isKnown = before !== undefined && deepEqual(schemaOf(before), schema);
    const holder = path === "spec" ? "validation" : "schema";
    const hasStatus = version.subresources?.status !== undefined;
    yield* schemaErrors(`${path}.${holder}.openAPIV3Schema`, schema, hasStatus, isKnown);
  }
  if (which.subresources) yield* subresourcesErrors(`${path}.subresources`, version.subresources);
  if (which.columns) {
    for (const [index, column] of (version.additionalPrinterColumns ?? []).entries()) {
      yield* columnErrors(`${path}.additionalPrinterColumns[${index}]`, column);
    }
  }
  if (which.selectable && (version.selectableFields ?? []).length > 0 && schema !== undefined) {
    yield* selectableErrors(`${path}.selectableFields`, version.selectableFields ?? [], toStructuralSchema(schema));
  }
}

function* conversionErrors(path: string, conversion: Readonly<Record<string, unknown>>): Errors {
  const { strategy = "", webhook } = conversion;
  if (strategy === "") yield requiredField(`${path}.strategy`);
  else if (strategy !== "None" && strategy !== "Webhook") {
    yield unsupportedField(`${path}.strategy`, strategy, ["None", "Webhook"]);
  }
  const { clientConfig, conversionReviewVersions } = asRecord(webhook);
  const versions = asArray(conversionReviewVersions).map(String);
  const why = "should not be set when strategy is not set to Webhook";
  if (strategy !== "Webhook") {
    if (clientConfig !== undefined) yield forbiddenField(`${path}.webhookClientConfig`, why);
    if (versions.length > 0) yield forbiddenField(`${path}.conversionReviewVersions`, why);
    return;
  }
  const at = `${path}.webhookClientConfig`;
  if (clientConfig === undefined) yield requiredField(at, "required when strategy is set to Webhook");
  else yield* clientConfigErrors(at, asRecord(clientConfig));
  yield* reviewVersionsErrors(`${path}.conversionReviewVersions`, versions);
}

function* reviewVersionsErrors(path: string, versions: readonly string[]): Errors {
  if (versions.length === 0) {
    yield requiredField(path);
    return;
  }
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) yield invalidField(`${path}[${index}]`, version, "duplicate version");
    else for (const problem of dns1035Problems(version)) yield invalidField(`${path}[${index}]`, version, problem);
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    yield invalidField(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

function* changeErrors(spec: UnvalidatedCrdSpec, old: UnvalidatedCrdSpec, isEstablished: boolean): Errors {
  const immutable = function* (field: string, now: unknown, then: unknown): Errors {
    if (now !== then) yield invalidField(field, now, "field is immutable");
  };
  if (isEstablished) {
    yield* immutable("spec.scope", spec.scope, old.scope);
    yield* immutable("spec.names.kind", spec.names?.kind, old.names?.kind);
  }
  yield* immutable("spec.group", spec.group, old.group);
  yield* immutable("spec.names.plural", spec.names?.plural, old.names?.plural);
}
