import { deepEqual } from "@levelset/core/internal";
import { isJsonObject, CustomResourceDefinition } from "@levelset/core";
import type { CrdVersion } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import type { ApiObject } from "../../store/index.ts";
import { decideCrdDeletion } from "./crd-deletion.ts";
import { acceptNames } from "./crd/crd-names.ts";
import type { NameAcceptance, UnvalidatedNames } from "./crd/crd-names.ts";
import { publishedCrdSchema } from "./crd/published-schema.ts";
import { pruneUnknownKeywords } from "./crd/schema.ts";
import { specErrors } from "./crd/spec.ts";
import type { UnvalidatedCrdSpec } from "./crd/spec.ts";
import type { UnvalidatedObject, Crd, Resource, KindStrategy, StrategyContext } from "../../resource/index.ts";
import { invalidField, requiredField, asArray, asRecord, bodySchemaOf, builtinResource } from "../../resource/index.ts";

const APPROVAL = "api-approved.kubernetes.io";

const APPROVAL_PAGE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Strategy of CustomResourceDefinitions: validated on write, and established in the same request. */
const crdStrategy: KindStrategy = {
  decideDeletion: decideCrdDeletion,
  keepMetadataOnStatusUpdate: true,
  defaults: withDefaults,
  prepareForCreate: (object, context) => withStatus(object, undefined, context),
  prepareForUpdate: (object, old, context) => withStatus(object, old, context),
  *validate(object, old) {
    if (old === undefined) yield* nameErrors(object);
    const before = old === undefined ? undefined : asCrd(old);
    yield* specErrors(specOf(object), before && specOf(before), before !== undefined && isEstablished(before));
    yield* storedErrors(object);
    yield* approvalErrors(object, old);
  },
};

/** Returns a stored CustomResourceDefinition with its type. */
export function asCrd(object: ApiObject): Crd {
  // Every stored object of this resource passed `crdStrategy.validate`.
  return object as unknown as Crd;
}

function specOf(object: ApiObject | UnvalidatedObject | Crd): UnvalidatedCrdSpec {
  // Decoding has checked the types and dropped unknown fields.
  return asRecord((object as UnvalidatedObject)["spec"]);
}

function withDefaults(draft: UnvalidatedObject): UnvalidatedObject {
  const spec = specOf(draft);
  const { kind = "", singular = "", listKind = "" } = spec.names ?? {};
  const { conversion = { strategy: "None" } } = spec;
  return {
    ...draft,
    spec: {
      ...spec,
      names: {
        ...spec.names,
        ...(singular === "" && kind !== "" ? { singular: kind.toLowerCase() } : {}),
        ...(listKind === "" && kind !== "" ? { listKind: `${kind}List` } : {}),
      },
      conversion: withPort(conversion),
      ...(spec.versions === undefined ? {} : { versions: spec.versions.map(withKnownKeywords) }),
    },
  };
}

function withKnownKeywords(version: Partial<CrdVersion>): unknown {
  const given: unknown = version.schema?.openAPIV3Schema;
  return isJsonObject(given) ? { ...version, schema: { openAPIV3Schema: pruneUnknownKeywords(given) } } : version;
}

function withPort(conversion: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const webhook = asRecord(conversion["webhook"]);
  const clientConfig = asRecord(webhook["clientConfig"]);
  const { service } = clientConfig;
  if (service === undefined) return conversion;
  const reachable = { ...clientConfig, service: { port: 443, ...asRecord(service) } };
  return { ...conversion, webhook: { ...webhook, clientConfig: reachable } };
}

function withStatus(object: ApiObject, old: ApiObject | undefined, context: StrategyContext): ApiObject {
  const before = asRecord(old?.["status"]);
  const { versions = [], names } = specOf(object);
  const storage = versions.find((version) => version.storage === true)?.name;
  const stored = asArray(before["storedVersions"]);
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  const status = { ...before, storedVersions };
  if (names === undefined) return { ...object, status };
  return withAcceptedNames({ ...object, status }, context.crds, context.now);
}

/**
 * Returns the CustomResourceDefinition with its accepted names and conditions, given the names that others hold
 * (`k8s.io/apiextensions-apiserver/pkg/controller/status/naming_controller.go`, Kubernetes 1.36).
 */
export function withAcceptedNames(object: ApiObject, others: readonly Crd[], now: string): ApiObject {
  const status = asRecord(object["status"]);
  const crd = asCrd(object);
  const { names, conflict } = acceptNames(crd, asRecord(status["acceptedNames"]), others);
  const kept = asArray(status["conditions"]).filter(
    (given) => !["NamesAccepted", "Established"].includes(String(asRecord(given)["type"])),
  );
  return {
    ...object,
    status: {
      ...status,
      conditions: [
        condition(namesAccepted(conflict), status, now),
        condition(established(conflict, isEstablished(crd)), status, now),
        ...kept,
      ],
      acceptedNames: shownNames(names),
    },
  };
}

interface Report {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

function namesAccepted(conflict: NameAcceptance["conflict"]): Report {
  return conflict === undefined
    ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
    : { type: "NamesAccepted", status: "False", ...conflict };
}

/** Returns the condition Established. Once true, it stays true. */
function established(conflict: NameAcceptance["conflict"], isAlready: boolean): Report {
  return conflict === undefined || isAlready
    ? {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      }
    : { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
}

function condition(report: Report, before: Readonly<Record<string, unknown>>, now: string): unknown {
  const previous = asArray(before["conditions"])
    .map(asRecord)
    .find(({ type }) => type === report.type);
  const lastTransitionTime = previous?.["status"] === report.status ? previous["lastTransitionTime"] : now;
  const { type, status, reason, message } = report;
  return { type, status, lastTransitionTime, reason, message };
}

/** Returns the accepted names for the status. `plural` and `kind` are required and shown even if empty. */
function shownNames(names: UnvalidatedNames): Readonly<Record<string, unknown>> {
  const { plural = "", kind = "" } = names;
  const others = Object.entries(names).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(others), plural, kind };
}

/** Returns whether the CustomResourceDefinition is established, so that its resource is served. */
export function isEstablished(crd: Crd): boolean {
  return crd.status?.conditions?.some((found) => found.type === "Established" && found.status === "True") ?? false;
}

/** Returns whether names of the CustomResourceDefinition are held by another one. */
export function hasNameConflict(crd: Crd): boolean {
  return crd.status?.conditions?.some((found) => found.type === "NamesAccepted" && found.status === "False") ?? false;
}

function* nameErrors(object: ApiObject): Generator<FieldError, void> {
  const { name, generateName = "" } = object.metadata;
  const { group = "", names } = specOf(object);
  for (const [field, value] of Object.entries({ generateName, name })) {
    if (value !== "" && value !== `${names?.plural ?? ""}.${group}`) {
      yield invalidField(`metadata.${field}`, value, 'must be spec.names.plural+"."+spec.group');
    }
  }
}

function* storedErrors(object: ApiObject): Generator<FieldError, void> {
  const stored = asArray(asRecord(object["status"])["storedVersions"]).map(String);
  const { versions: declared = [] } = specOf(object);
  const versions = declared.map(({ name }) => name);
  if (stored.length === 0) {
    yield invalidField("status.storedVersions", null, "must have at least one stored version");
    return;
  }
  for (const { name = "", storage } of declared) {
    if (storage !== true || stored.includes(name)) continue;
    yield invalidField("status.storedVersions", stored, `must have the storage version ${name}`);
  }
  for (const [index, version] of stored.entries()) {
    if (versions.includes(version)) continue;
    const why =
      `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a ` +
      `storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
    yield invalidField(`status.storedVersions[${index}]`, version, why);
  }
}

/** Requires the annotation `api-approved.kubernetes.io` for groups under k8s.io and kubernetes.io. */
function* approvalErrors(object: ApiObject, old: ApiObject | undefined): Generator<FieldError, void> {
  const { group = "" } = specOf(object);
  if (!["k8s.io", "kubernetes.io"].some((owned) => group === owned || group.endsWith(`.${owned}`))) return;
  const approval = approvalOf(object);
  if (old !== undefined && deepEqual(approvalOf(old).state, approval.state)) return;
  const field = `metadata.annotations[${APPROVAL}]`;
  const start = `protected groups must have approval annotation "${APPROVAL}"`;
  if (approval.state === "missing") yield requiredField(field, `${start}, ${APPROVAL_PAGE}`);
  else if (approval.state === "invalid") {
    const why = `${start} with either a URL or a reason starting with "unapproved", ${APPROVAL_PAGE}`;
    yield invalidField(field, approval.text, why);
  }
}

function approvalOf(object: ApiObject): { readonly state: "missing" | "given" | "invalid"; readonly text: string } {
  const text = object.metadata.annotations?.[APPROVAL] ?? "";
  if (text === "") return { state: "missing", text };
  return { state: /^(?:unapproved|[a-z][a-z0-9+.-]*:\/\/[^/])/iu.test(text) ? "given" : "invalid", text };
}

/** CustomResourceDefinitions. */
export const crdResource: Resource = builtinResource({
  kind: CustomResourceDefinition,
  categories: ["api-extensions"],
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  strategy: crdStrategy,
  publishedSchema: publishedCrdSchema(bodySchemaOf(CustomResourceDefinition.schema)),
});
