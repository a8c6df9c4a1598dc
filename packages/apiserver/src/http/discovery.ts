import { resourceApiVersion } from "../registry/index.ts";
import type { Resource } from "../registry/index.ts";

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const STATUS_VERBS = ["get", "patch", "update"];

/** The version that the server pretends to be. */
export const VERSION: Readonly<Record<string, string>> = {
  major: "1",
  minor: "35",
  gitVersion: "v1.35.0+levelset",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "typescript",
  platform: "any/any",
};

/** `/api`. */
export function coreVersions(): unknown {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

/** A group and its served versions, the preferred one first. */
export interface Group {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The groups of all resources besides the core one. */
export function groupsOf(resources: readonly Resource[]): readonly Group[] {
  const names = [...new Set(resources.map(({ group }) => group))].filter((name) => name !== "");
  return names.map((name) => ({ name, versions: versionsOf(resources, name) }));
}

/** The versions of a group, the most stable and newest first. */
export function versionsOf(resources: readonly Resource[], group: string): readonly string[] {
  const versions = new Set(resources.filter((resource) => resource.group === group).map(({ version }) => version));
  return [...versions].toSorted(compareVersions);
}

/** Kubernetes' order of versions: v10, v2, v1, v11beta2, v3alpha1, foo1. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return a < b ? -1 : a > b ? 1 : 0;
    return left === undefined ? 1 : -1;
  }
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

function parseVersion(
  text: string,
): { readonly major: number; readonly stability: number; readonly minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/u.exec(text);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return { major: Number(match[1]), stability, minor: Number(match[3] ?? 0) };
}

/** `/apis`. */
export function groupList(resources: readonly Resource[]): unknown {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groupsOf(resources).map((group) => groupBody(group)) };
}

/** `/apis/<group>`. */
export function groupDocument(group: Group): unknown {
  return { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

function groupBody(group: Group): { readonly name: string } {
  const versions = group.versions.map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  const body = { name: group.name, versions, preferredVersion: versions[0] };
  return body;
}

/** `/api/v1`, `/apis/<group>/<version>`. */
export function resourceList(resources: readonly Resource[], groupVersion: string): unknown {
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion,
    resources: resources.flatMap((resource) => [
      {
        name: resource.plural,
        singularName: resource.singular,
        namespaced: resource.scope === "Namespaced",
        kind: resource.kind,
        verbs: VERBS,
        ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
        ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
        storageVersionHash: "",
      },
      ...(resource.hasStatus
        ? [
            {
              name: `${resource.plural}/status`,
              singularName: "",
              namespaced: resource.scope === "Namespaced",
              kind: resource.kind,
              verbs: STATUS_VERBS,
            },
          ]
        : []),
    ]),
  };
}

/** `/api` or `/apis` in the aggregated form: everything at once. */
export function aggregated(resources: readonly Resource[]): unknown {
  const groups = [...new Set(resources.map(({ group }) => group))];
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: { ...(group === "" ? {} : { name: group }), creationTimestamp: null },
      versions: versionsOf(resources, group).map((version) => ({
        version,
        freshness: "Current",
        resources: resources
          .filter((resource) => resource.group === group && resource.version === version)
          .map(aggregatedResource),
      })),
    })),
  };
}

function aggregatedResource(resource: Resource): unknown {
  const { group, version, kind } = resource;
  const responseKind = { group, version, kind };
  return {
    resource: resource.plural,
    responseKind,
    scope: resource.scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: VERBS,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.hasStatus ? { subresources: [{ subresource: "status", responseKind, verbs: STATUS_VERBS }] } : {}),
  };
}

/** The resources of one group and version. */
export function resourcesIn(resources: readonly Resource[], group: string, version: string): readonly Resource[] {
  return resources.filter((resource) => resource.group === group && resource.version === version);
}

/** `group/version` of a resource list. */
export function groupVersionOf(resources: readonly Resource[]): string {
  const [first] = resources;
  return first === undefined ? "" : resourceApiVersion(first);
}
