import { CORE_TYPES } from "./core-types.ts";
import * as groups from "./group-types.ts";

/** A type of Kubernetes: its package, as these tables call it, and its name within. */
export interface TypeName {
  readonly pack: string;
  readonly name: string;
}

interface Package {
  /** How the real server writes it. */
  readonly path: string;
  readonly types: Readonly<Record<string, string>>;
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";

const PACKAGES: Readonly<Record<string, Package>> = {
  core: { path: "io.k8s.api.core.v1", types: CORE_TYPES },
  meta: { path: META, types: groups.META_TYPES },
  runtime: { path: "io.k8s.apimachinery.pkg.runtime", types: {} },
  admissionregistration: { path: "io.k8s.api.admissionregistration.v1", types: groups.ADMISSIONREGISTRATION_TYPES },
  apiextensions: {
    path: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
    types: groups.APIEXTENSIONS_TYPES,
  },
  apps: { path: "io.k8s.api.apps.v1", types: groups.APPS_TYPES },
  authentication: { path: "io.k8s.api.authentication.v1", types: groups.AUTHENTICATION_TYPES },
  authorization: { path: "io.k8s.api.authorization.v1", types: groups.AUTHORIZATION_TYPES },
  autoscaling: { path: "io.k8s.api.autoscaling.v2", types: groups.AUTOSCALING_TYPES },
  autoscalingV1: { path: "io.k8s.api.autoscaling.v1", types: groups.AUTOSCALING_V1_TYPES },
  batch: { path: "io.k8s.api.batch.v1", types: groups.BATCH_TYPES },
  coordination: { path: "io.k8s.api.coordination.v1", types: groups.COORDINATION_TYPES },
  discovery: { path: "io.k8s.api.discovery.v1", types: groups.DISCOVERY_TYPES },
  events: { path: "io.k8s.api.events.v1", types: groups.EVENTS_TYPES },
  networking: { path: "io.k8s.api.networking.v1", types: groups.NETWORKING_TYPES },
  policy: { path: "io.k8s.api.policy.v1", types: groups.POLICY_TYPES },
  rbac: { path: "io.k8s.api.rbac.v1", types: groups.RBAC_TYPES },
  scheduling: { path: "io.k8s.api.scheduling.v1", types: {} },
  storage: { path: "io.k8s.api.storage.v1", types: groups.STORAGE_TYPES },
};

/** Types that documents refer to by themselves. */
export const OBJECT_META: TypeName = { pack: "meta", name: "ObjectMeta" };
export const LIST_META: TypeName = { pack: "meta", name: "ListMeta" };

/** The name of a schema, as the real server has it. */
export function schemaName({ pack, name }: TypeName): string {
  return `${PACKAGES[pack]?.path ?? pack}.${name}`;
}

/** The type of a kind of the server's own; undefined for one that another group brings. */
export function typeOfKind(kind: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): TypeName {
  const first = kind.group.split(".", 1).join("");
  const pack = first === "" ? "core" : first === "autoscaling" && kind.version === "v1" ? "autoscalingV1" : first;
  return { pack, name: kind.kind };
}

/** How the schema of a declared kind is called: the group backwards, then version and kind. */
export function declaredName({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** The type of a field of a type, where the field holds objects that have a type of their own. */
export function typeOfField({ pack, name }: TypeName, field: string): TypeName | undefined {
  const text = PACKAGES[pack]?.types[name] ?? "";
  // Few fields, looked at once for each document: no need for an index.
  const found = text.split(" ").find((entry) => entry.startsWith(`${field}:`));
  if (found === undefined) return undefined;
  const [first = "", second] = found.slice(field.length + 1).split(".");
  return second === undefined ? { pack, name: first } : { pack: first, name: second };
}
