import { namespaceResource } from "../../kinds/index.ts";

/** The target of a request path. */
export type ApiRoute =
  | { readonly kind: "versions" }
  | { readonly kind: "groups" }
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "resources"; readonly group: string; readonly version: string }
  | { readonly kind: "version" }
  | ServerRoute
  | { readonly kind: "openapi-index" }
  | { readonly kind: "openapi"; readonly group: string; readonly version: string }
  | { readonly kind: "openapi-v2" }
  | { readonly kind: "root" }
  | ResourceRoute
  /** Below /api or /apis, but not a possible resource path. */
  | { readonly kind: "no-resource" }
  | { readonly kind: "unknown" };

/** Health and metrics endpoints. */
export type ServerRoute =
  /** `endpoint` is healthz, livez or readyz; `check` names one part of it, and is empty for all. */
  { readonly kind: "health"; readonly endpoint: string; readonly check: string } | { readonly kind: "metrics" };

/** A path below a group and version: a collection, an object, or a subresource. */
export interface ResourceRoute {
  readonly kind: "object";
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty if the path has no namespace. */
  readonly namespace: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Below a namespace, these are subresources of the namespace itself and not namespaced resources. */
const NAMESPACE_PARTS: readonly string[] = namespaceResource.subresources.map(({ name }) => name);

/** A path and its additional query. */
export interface RewrittenPath {
  readonly pathname: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * Rewrites a deprecated `/watch/` path to the list path with `watch=true`, plus a field selector on the name if the
 * path names one object. Returns undefined for any other path.
 */
export function rewriteLegacyWatch(pathname: string): RewrittenPath | undefined {
  const found = /^(?<root>\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch(?<rest>\/.+)$/u.exec(pathname)?.groups;
  if (found === undefined) return undefined;
  const path = `${found["root"]}${found["rest"]}`;
  const route = parseApiRoute(path);
  if (route.kind !== "object" || route.subresource !== undefined) return undefined;
  if (route.name === undefined) return { pathname: path, query: [["watch", "true"]] };
  const byName = ["fieldSelector", `metadata.name=${route.name}`] as const;
  return { pathname: path.slice(0, path.lastIndexOf("/")), query: [["watch", "true"], byName] };
}

/** Parses a request path. */
export function parseApiRoute(pathname: string): ApiRoute {
  const parts = pathname.split("/").filter((part) => part !== "");
  const segments: string[] = [];
  for (const part of parts) {
    const segment = decodeSegment(part);
    if (segment === undefined) return { kind: "unknown" };
    segments.push(segment);
  }
  const [first, ...rest] = segments;
  switch (first) {
    case "healthz":
    case "livez":
    case "readyz":
      return { kind: "health", endpoint: first, check: rest.join("/") };
    case "metrics":
      return rest.length === 0 ? { kind: "metrics" } : { kind: "unknown" };
    case "version":
      return rest.length === 0 ? { kind: "version" } : { kind: "unknown" };
    case "openapi":
      return openapiRoute(rest);
    case "api":
      return coreRoute(rest);
    case "apis":
      return groupRoute(rest);
    case undefined:
      return { kind: "root" };
    default:
      return { kind: "unknown" };
  }
}

function decodeSegment(part: string): string | undefined {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // Malformed percent escape: not a valid path.
  }
}

function coreRoute(rest: readonly string[]): ApiRoute {
  const [version, ...path] = rest;
  if (version === undefined) return { kind: "versions" };
  return path.length === 0 ? { kind: "resources", group: "", version } : objectRoute("", version, path);
}

function groupRoute(rest: readonly string[]): ApiRoute {
  const [group, version, ...path] = rest;
  if (group === undefined) return { kind: "groups" };
  if (version === undefined) return { kind: "group", group };
  return path.length === 0 ? { kind: "resources", group, version } : objectRoute(group, version, path);
}

function openapiRoute(rest: readonly string[]): ApiRoute {
  const [dialect, prefix, first, second, ...more] = rest;
  if (dialect === "v2" && prefix === undefined) return { kind: "openapi-v2" };
  if (dialect !== "v3" || more.length > 0) return { kind: "unknown" };
  if (prefix === undefined) return { kind: "openapi-index" };
  if (prefix === "api" && first !== undefined && second === undefined)
    return { kind: "openapi", group: "", version: first };
  if (prefix === "apis" && first !== undefined && second !== undefined) {
    return { kind: "openapi", group: first, version: second };
  }
  return { kind: "unknown" };
}

function objectRoute(group: string, version: string, path: readonly string[]): ApiRoute {
  const [first, second, third, ...more] = path;
  const base = { kind: "object", group, version } as const;
  const inNamespace =
    first === "namespaces" && second !== undefined && third !== undefined && !isNamespacePart(group, third, more);
  if (inNamespace) {
    const [name, subresource, ...rest] = more;
    return rest.length > 0 ? { kind: "no-resource" } : { ...base, plural: third, namespace: second, name, subresource };
  }
  if (first === undefined || more.length > 0) return { kind: "no-resource" };
  return { ...base, plural: first, namespace: "", name: second, subresource: third };
}

function isNamespacePart(group: string, third: string, more: readonly string[]): boolean {
  return group === "" && more.length === 0 && NAMESPACE_PARTS.includes(third);
}
