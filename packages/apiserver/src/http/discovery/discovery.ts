import { compareCodeUnits } from "@levelset/core/internal";
import { resourceApiVersion } from "../../resource/index.ts";
import type { Resource, SubresourceInfo } from "../../resource/index.ts";

/** The Kubernetes version reported at `/version`. */
export const VERSION_INFO: Readonly<Record<string, string>> = {
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

/** A group and version with its served resources, sorted by name. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** A group and its served versions, preferred version first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly ServedVersion[];
}

/** Returns all served groups in discovery order: built-in groups in the order of their resources, then CRD groups by name. */
export function servedGroups(resources: readonly Resource[]): readonly ServedGroup[] {
  const groupsOf = (isCustom: boolean): readonly string[] =>
    resources.filter((resource) => resource.isCustom === isCustom).map(({ group }) => group);
  const names = [...new Set([...groupsOf(false), ...groupsOf(true).toSorted(compareCodeUnits)])];
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
          .toSorted((a, b) => compareCodeUnits(a.plural, b.plural)),
      })),
    };
  });
}

/**
 * Compares versions in the order of `k8s.io/apimachinery/pkg/version/helpers.go` (Kubernetes 1.36): v10, v2, v1,
 * v11beta2, v3alpha1, foo1.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return compareCodeUnits(a, b);
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

/** `/`: the list of served paths. */
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
export function apiVersionsDocument(): unknown {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

/** `/apis`. */
export function apiGroupList(groups: readonly ServedGroup[]): unknown {
  const named = groups.filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: named.map((group) => groupBody(group)) };
}

/** `/apis/<group>`. */
export function apiGroupDocument(group: ServedGroup): unknown {
  return { kind: "APIGroup", apiVersion: "v1", ...groupBody(group) };
}

function groupBody({ name, versions: served }: ServedGroup): object {
  const versions = served.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`. */
export function apiResourceList(served: ServedVersion): unknown {
  return {
    kind: "APIResourceList",
    // The core group omits apiVersion (`k8s.io/apiserver/pkg/endpoints/discovery/util.go`, Kubernetes 1.36).
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
        ...resource.subresources.map((part) => ({
          name: `${resource.plural}/${part.name}`,
          singularName: "",
          namespaced,
          ...bodyKind(resource, part),
          verbs: part.verbs,
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

/** `/api` or `/apis` in the aggregated form (KEP-3352): all groups in one document. */
export function aggregatedDiscovery(groups: readonly ServedGroup[]): unknown {
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
    responseKind: responseKind(bodyKind(resource, part)),
    verbs: part.verbs,
  }));
  return {
    resource: resource.plural,
    responseKind: responseKind(resource.isCustom ? resource : { kind: resource.kind }),
    scope: resource.scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...namesOf(resource),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** A kind; `group` and `version` are absent if they match the path. */
interface DiscoveredKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
}

/** The kind of the request and response bodies of a subresource. */
function bodyKind(resource: Resource, { body = resource }: SubresourceInfo): DiscoveredKind {
  const { group, version, kind } = body;
  return group === resource.group && version === resource.version ? { kind } : { group, version, kind };
}

function responseKind({ group = "", version = "", kind }: DiscoveredKind): unknown {
  return { group, version, kind };
}
