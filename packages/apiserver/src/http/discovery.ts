import { compareTexts } from "@levelset/core";
import { resourceApiVersion } from "../registry/index.ts";
import type { Resource, SubresourceFacts } from "../registry/index.ts";

/** The version that the server pretends to be. */
export const VERSION: Readonly<Record<string, string>> = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.0+levelset",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "typescript",
  platform: "any/any",
};

/** The order in which groups are shown, and looked for when a name does not say its group. Declared ones come last, by name. */
const GROUP_ORDER: readonly string[] = [
  "",
  "apps",
  "events.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
];

/** A group and version, and what is served there, by name. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** A group and its served versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly ServedVersion[];
}

/** Everything served, in the order of discovery. */
export function servedGroups(resources: readonly Resource[]): readonly ServedGroup[] {
  const names = [...new Set(resources.map(({ group }) => group))].toSorted(compareGroups);
  return names.map((name) => {
    const own = resources.filter(({ group }) => group === name);
    const versions = [...new Set(own.map(({ version }) => version))].toSorted(compareVersions);
    return {
      name,
      versions: versions.map((version) => ({
        group: name,
        version,
        resources: own
          .filter((resource) => resource.version === version)
          .toSorted((a, b) => compareTexts(a.plural, b.plural)),
      })),
    };
  });
}

function compareGroups(a: string, b: string): number {
  const [left, right] = [GROUP_ORDER.indexOf(a), GROUP_ORDER.indexOf(b)];
  if (left >= 0 && right >= 0) return left - right;
  if (left >= 0 || right >= 0) return right - left;
  return compareTexts(a, b);
}

/** Kubernetes' order of versions: v10, v2, v1, v11beta2, v3alpha1, foo1. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return compareTexts(a, b);
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

/** `/`: what else there is. */
export function rootPaths(groups: readonly ServedGroup[]): unknown {
  const below = groups
    .filter(({ name }) => name !== "")
    .flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)]);
  const paths = ["/api", "/api/v1", "/apis", "/apis/", ...below];
  const others = [
    "/healthz",
    "/livez",
    "/metrics",
    "/openapi/v2",
    "/openapi/v3",
    "/openapi/v3/",
    "/readyz",
    "/version",
  ];
  return { paths: [...paths, ...others].toSorted() };
}

/** `/api`. */
export function coreVersions(): unknown {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

/** `/apis`. */
export function groupList(groups: readonly ServedGroup[]): unknown {
  const named = groups.filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: named.map((group) => groupBody(group)) };
}

/** `/apis/<group>`. */
export function groupDocument(group: ServedGroup): unknown {
  return { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

function groupBody({ name, versions: served }: ServedGroup): object {
  const versions = served.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`. */
export function resourceList(served: ServedVersion): unknown {
  return {
    kind: "APIResourceList",
    // As the real server has it, since the days when there was but one version.
    ...(served.group === "" ? {} : { apiVersion: "v1" }),
    groupVersion: resourceApiVersion(served),
    resources: served.resources.flatMap((resource) => {
      const namespaced = resource.scope === "Namespaced";
      return [
        {
          name: resource.plural,
          singularName: resource.singular,
          namespaced,
          kind: resource.kind,
          verbs: resource.verbs,
          ...namesOf(resource),
        },
        ...resource.subresources.map(({ name, kind, group, version, verbs }) => ({
          name: `${resource.plural}/${name}`,
          singularName: "",
          namespaced,
          ...(group === undefined ? {} : { group, version }),
          kind,
          verbs,
        })),
      ];
    }),
  };
}

function namesOf({ shortNames, categories }: Resource): object {
  return {
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

/** `/api` or `/apis` in the aggregated form: everything at once. */
export function aggregated(groups: readonly ServedGroup[]): unknown {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === "" ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((resource) => aggregatedResource(resource)),
        freshness: "Current",
      })),
    })),
  };
}

function aggregatedResource(resource: Resource): unknown {
  const subresources = resource.subresources.map((part) => ({
    subresource: part.name,
    responseKind: responseKind(part),
    verbs: part.verbs,
  }));
  return {
    resource: resource.plural,
    responseKind: responseKind(resource.custom ? resource : { kind: resource.kind }),
    scope: resource.scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** The kind that is read and written at a path; without a group where it is that of the path. */
function responseKind({
  group = "",
  version = "",
  kind,
}: Pick<SubresourceFacts, "group" | "version" | "kind">): unknown {
  return { group, version, kind };
}
