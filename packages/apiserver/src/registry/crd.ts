import { deepEqual, isJsonObject } from "@levelset/core";
import type { CrdVersion, FieldError } from "@levelset/core";
import type { ApiObject } from "../store/index.ts";
import { acceptNames } from "./crd/names.ts";
import type { Acceptance, LooseNames } from "./crd/names.ts";
import { knownKeywords } from "./crd/schema.ts";
import { specErrors } from "./crd/spec.ts";
import type { LooseSpec } from "./crd/spec.ts";
import type { Draft } from "./draft.ts";
import { invalidField, requiredField } from "./field.ts";
import type { Crd } from "./resource.ts";
import type { KindRules, RuleContext } from "./rules.ts";
import { listOf, recordOf } from "./shape.ts";

/** Holds a CustomResourceDefinition while objects of its kind are still there. */
export const CLEANUP_FINALIZER: string = "customresourcecleanup.apiextensions.k8s.io";

const APPROVAL = "api-approved.kubernetes.io";
const APPROVAL_PAGE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** CustomResourceDefinitions: checked on write, accepted and established at once. */
export const crdRules: KindRules = {
  statusKeepsMetadata: true,
  defaults: withDefaults,
  prepareCreate: (object, context) => withStatus(object, undefined, context),
  prepareUpdate: (object, old, context) => withStatus(object, old, context),
  *validate(object, old) {
    if (old === undefined) yield* nameErrors(object);
    const before = old === undefined ? undefined : asCrd(old);
    yield* specErrors(specOf(object), before && specOf(before), before !== undefined && isEstablished(before));
    yield* storedErrors(object);
    yield* approvalErrors(object, old);
  },
};

/** A stored object of the CRD resource, as what it is. */
export function asCrd(object: ApiObject): Crd {
  // Every object of this resource went through `crdRules.validate`.
  return object as unknown as Crd;
}

function specOf(object: ApiObject | Draft | Crd): LooseSpec {
  // Decoding has checked the types, and dropped what is not declared.
  return recordOf((object as Draft)["spec"]);
}

function withDefaults(draft: Draft): Draft {
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
  return isJsonObject(given) ? { ...version, schema: { openAPIV3Schema: knownKeywords(given) } } : version;
}

function withPort(conversion: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const webhook = recordOf(conversion["webhook"]);
  const clientConfig = recordOf(webhook["clientConfig"]);
  const { service } = clientConfig;
  if (service === undefined) return conversion;
  const reachable = { ...clientConfig, service: { port: 443, ...recordOf(service) } };
  return { ...conversion, webhook: { ...webhook, clientConfig: reachable } };
}

function withStatus(object: ApiObject, old: ApiObject | undefined, context: RuleContext): ApiObject {
  const before = recordOf(old?.["status"]);
  const { versions = [], names } = specOf(object);
  const storage = versions.find((version) => version.storage === true)?.name;
  const stored = listOf(before["storedVersions"]);
  const storedVersions = storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
  const status = { ...before, storedVersions };
  if (names === undefined) return { ...object, status };
  return withAcceptance({ ...object, status }, context.crds, context.now);
}

/** A declaration with the names that are its own, given what others have now. */
export function withAcceptance(object: ApiObject, others: readonly Crd[], now: string): ApiObject {
  const status = recordOf(object["status"]);
  const crd = asCrd(object);
  const { names, conflict } = acceptNames(crd, recordOf(status["acceptedNames"]), others);
  const kept = listOf(status["conditions"]).filter(
    (given) => !["NamesAccepted", "Established"].includes(String(recordOf(given)["type"])),
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

function namesAccepted(conflict: Acceptance["conflict"]): Report {
  return conflict === undefined
    ? { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" }
    : { type: "NamesAccepted", status: "False", ...conflict };
}

/** What was established once stays so. */
function established(conflict: Acceptance["conflict"], isAlready: boolean): Report {
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
  const previous = listOf(before["conditions"])
    .map(recordOf)
    .find(({ type }) => type === report.type);
  const lastTransitionTime = previous?.["status"] === report.status ? previous["lastTransitionTime"] : now;
  const { type, status, reason, message } = report;
  return { type, status, lastTransitionTime, reason, message };
}

/** Two of the names are shown even while they are empty. */
function shownNames(names: LooseNames): Readonly<Record<string, unknown>> {
  const { plural = "", kind = "" } = names;
  const others = Object.entries(names).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(others), plural, kind };
}

/** Whether the names of a declaration are its own, so that it can be served. */
export function isEstablished(crd: Crd): boolean {
  return crd.status?.conditions?.some((found) => found.type === "Established" && found.status === "True") ?? false;
}

/** Whether somebody else's names keep a declaration from having all of its own. */
export function isInConflict(crd: Crd): boolean {
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
  const stored = listOf(recordOf(object["status"])["storedVersions"]).map(String);
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

/** Groups of the Kubernetes community belong to it. */
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
