import { Refused } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Scene } from "./scene.ts";
import { until } from "./until.ts";

/** A pod spec that asks for nothing of a cluster: no token is mounted into it. */
export function podSpec(fields: object = {}): object {
  return {
    automountServiceAccountToken: false,
    containers: [{ name: "main", image: "example.invalid/app:1.0" }],
    ...fields,
  };
}

/** A template of pods with the label `app`. */
export function template(app: string, spec: object = {}): object {
  return { metadata: { labels: { app } }, spec: podSpec(spec) };
}

/** The spec of a workload whose pods have the label `app`. */
export function workload(app: string, fields: object = {}): object {
  return { selector: { matchLabels: { app } }, template: template(app), ...fields };
}

/** Creates a pod, as soon as the namespace has the service account that pods run as. */
export async function createPod(scene: Scene, name: string, spec: object = {}, metadata: object = {}): Promise<Answer> {
  return until(`pod ${name} is admitted`, async () => {
    try {
      return await scene.create("pods", { metadata: { name, ...metadata }, spec: podSpec(spec) });
    } catch (error) {
      if (error instanceof Refused && error.answer.status === 403) return undefined;
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

/** A taint that keeps a node for the case that made it, where a scheduler runs. */
export const RESERVED = { key: "example.com/reserved", effect: "NoSchedule" };

/** How a case declares its kind: the schema of `spec`, and whatever else differs from an ordinary one. */
export interface Declaration {
  readonly plural?: string;
  readonly kind?: string;
  readonly scope?: "Namespaced" | "Cluster";
  /** Properties of the whole object, beside `spec` and `status`. */
  readonly properties?: object;
  readonly spec?: object;
  readonly status?: object;
  /** Fields of the one version. */
  readonly version?: object;
  /** All versions, instead of the one. */
  readonly versions?: readonly object[];
  readonly names?: object;
  readonly crd?: object;
}

/** An open status: conditions and counts, as most kinds have. */
const STATUS = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The CustomResourceDefinition of a kind that only this scene has. */
export function crd(scene: Scene, given: Declaration = {}): { metadata: { name: string }; spec: object } {
  const {
    plural = "widgets",
    kind = "Widget",
    scope = "Namespaced",
    spec = {},
    status = STATUS,
    properties = {},
  } = given;
  const group = `${scene.stage.id}.example.com`;
  const openAPIV3Schema = {
    type: "object",
    properties: { spec: { type: "object", properties: {}, ...spec }, status, ...properties },
  };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...given.version };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...given.names },
      versions: given.versions ?? [version],
      ...given.crd,
    },
  };
}

/** Declares a kind and waits until it is served. Its short paths begin with its plural, `widgets` unless told. */
export async function declareKind(scene: Scene, given: Declaration = {}): Promise<{ group: string; name: string }> {
  const { plural = "widgets", kind = "Widget", scope = "Namespaced" } = given;
  const object = crd(scene, given);
  const group = `${scene.stage.id}.example.com`;
  await scene.create("customresourcedefinitions", object);
  scene.declare(plural, { apiVersion: `${group}/v1`, kind, namespaced: scope === "Namespaced" });
  await served(scene, plural);
  return { group, name: object.metadata.name };
}

/** Resolves once a declared kind answers. */
export async function served(scene: Scene, plural: string): Promise<void> {
  await until(`${plural} are served`, async () => (await scene.send("GET", plural)).status === 200);
}

/** A Secret that an object owns. */
export async function owned(t: Scene, owner: Answer, name: string, reference: object = {}): Promise<Answer> {
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
