import { UnexpectedStatusError } from "./case-response.ts";
import type { CaseResponse } from "./case-response.ts";
import type { CaseContext } from "./case-context.ts";
import { eventually } from "../../../support/eventually.ts";

/** Returns a pod spec without a mounted token. */
export function podSpec(fields: object = {}): object {
  return {
    automountServiceAccountToken: false,
    containers: [{ name: "main", image: "example.invalid/app:1.0" }],
    ...fields,
  };
}

/** Returns a pod template with the label `app`. */
export function template(app: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: podSpec(spec) };
}

/** Returns the spec of a workload whose pods have the label `app`. */
export function workload(app: string, fields: object = {}): object {
  return { selector: { matchLabels: { app } }, template: template(app), ...fields };
}

/** Creates a pod once the namespace has its default service account. */
export async function createPod(
  scenario: CaseContext,
  name: string,
  spec: object = {},
  metadata: object = {},
): Promise<CaseResponse> {
  return eventually(`pod ${name} is admitted`, async () => {
    try {
      return await scenario.create("pods", { metadata: { name, ...metadata }, spec: podSpec(spec) });
    } catch (error) {
      if (error instanceof UnexpectedStatusError && error.response.status === 403) return undefined;
      throw new Ended(error);
    }
  }).catch((error: unknown) => {
    throw error instanceof Error && error.cause instanceof Ended ? error.cause.cause : error;
  });
}

class Ended extends Error {
  constructor(cause: unknown) {
    super("refused for good", { cause });
  }
}

/** Taint that reserves a node for the case that created it. */
export const RESERVED = { key: "example.com/reserved", effect: "NoSchedule" };

/** Overrides of a CRD: the schema of `spec`, and other fields. */
export interface CrdOverrides {
  readonly plural?: string;
  readonly kind?: string;
  readonly scope?: "Namespaced" | "Cluster";
  /** Properties of the whole object besides `spec` and `status`. */
  readonly properties?: object;
  readonly spec?: object;
  readonly status?: object;
  /** Fields of the single version. */
  readonly version?: object;
  /** All versions, instead of a single one. */
  readonly versions?: readonly object[];
  readonly names?: object;
  readonly crd?: object;
}

/** An open status schema for conditions and counts. */
const STATUS = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** Returns a CRD that is unique to this case. */
export function crd(scenario: CaseContext, overrides: CrdOverrides = {}): { metadata: { name: string }; spec: object } {
  const {
    plural = "widgets",
    kind = "Widget",
    scope = "Namespaced",
    spec = {},
    status = STATUS,
    properties = {},
  } = overrides;
  const group = `${scenario.stage.id}.example.com`;
  const openAPIV3Schema = {
    type: "object",
    properties: { spec: { type: "object", properties: {}, ...spec }, status, ...properties },
  };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...overrides.version };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...overrides.names },
      versions: overrides.versions ?? [version],
      ...overrides.crd,
    },
  };
}

/** Creates a CRD and waits until it is served. Its short paths start with its plural, `widgets` by default. */
export async function installCrd(
  scenario: CaseContext,
  overrides: CrdOverrides = {},
): Promise<{ group: string; name: string }> {
  const { plural = "widgets", kind = "Widget", scope = "Namespaced" } = overrides;
  const object = crd(scenario, overrides);
  const group = `${scenario.stage.id}.example.com`;
  await scenario.create("customresourcedefinitions", object);
  scenario.registerKind(plural, { apiVersion: `${group}/v1`, kind, namespaced: scope === "Namespaced" });
  await untilServed(scenario, plural);
  return { group, name: object.metadata.name };
}

/** Resolves once a custom resource is served. */
export async function untilServed(scenario: CaseContext, plural: string): Promise<void> {
  await eventually(`${plural} are served`, async () => (await scenario.send("GET", plural)).status === 200);
}

/** Creates a Secret with an owner. */
export async function createOwnedSecret(
  t: CaseContext,
  owner: CaseResponse,
  name: string,
  reference: object = {},
): Promise<CaseResponse> {
  const ownerReferences = [
    {
      apiVersion: owner.str("apiVersion"),
      kind: owner.str("kind"),
      name: owner.str("metadata.name"),
      uid: owner.str("metadata.uid"),
      ...reference,
    },
  ];
  return t.create("secrets", { metadata: { name, ownerReferences } });
}
