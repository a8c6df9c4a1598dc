import { CORE_TYPES } from "./core-types.ts";
import * as groups from "./group-types.ts";

/** A Kubernetes type: its package in these tables, and its name in the package. */
export interface TypeName {
  readonly packageName: string;
  readonly name: string;
}

interface Package {
  /** Prefix of schema names in the documents of kube-apiserver. */
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

/** Types that documents refer to directly. */
export const OBJECT_META: TypeName = { packageName: "meta", name: "ObjectMeta" };
export const LIST_META: TypeName = { packageName: "meta", name: "ListMeta" };

/** Returns the schema name that kube-apiserver 1.36 publishes at `/openapi/v3`. */
export function schemaName({ packageName, name }: TypeName): string {
  return `${PACKAGES[packageName]?.path ?? packageName}.${name}`;
}

/** Returns the type of a built-in kind; undefined for a custom resource. */
export function typeOfKind(kind: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): TypeName {
  const first = kind.group.split(".", 1).join("");
  const pack = first === "" ? "core" : first === "autoscaling" && kind.version === "v1" ? "autoscalingV1" : first;
  return { packageName: pack, name: kind.kind };
}

/** Returns the schema name of a custom resource: reversed group, then version and kind. */
export function customResourceSchemaName({
  group,
  version,
  kind,
}: {
  group: string;
  version: string;
  kind: string;
}): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** Returns the type of a field; undefined if the field does not hold objects of a named type. */
export function typeOfField({ packageName, name }: TypeName, field: string): TypeName | undefined {
  const text = PACKAGES[packageName]?.types[name] ?? "";
  // There are few fields, read once per document, so an index is not needed.
  const found = text.split(" ").find((entry) => entry.startsWith(`${field}:`));
  if (found === undefined) return undefined;
  const [first = "", second] = found.slice(field.length + 1).split(".");
  return second === undefined ? { packageName, name: first } : { packageName: first, name: second };
}
