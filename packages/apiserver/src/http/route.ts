/** What a path names. */
export type Route =
  | { readonly kind: "versions" }
  | { readonly kind: "groups" }
  | { readonly kind: "group"; readonly group: string }
  | { readonly kind: "resources"; readonly group: string; readonly version: string }
  | { readonly kind: "version" }
  | { readonly kind: "health" }
  | { readonly kind: "openapi-index" }
  | { readonly kind: "openapi"; readonly group: string; readonly version: string }
  | ObjectRoute
  /** Below /api or /apis, but nothing that could be a resource. */
  | { readonly kind: "no-resource" }
  | { readonly kind: "unknown" };

/** A path below a group and version: a collection, an object, or a part of one. */
export interface ObjectRoute {
  readonly kind: "object";
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty where the path names none. */
  readonly namespace: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Below a namespace these are parts of the namespace itself, not resources in it. */
const NAMESPACE_PARTS = ["status", "finalize"];

/** Reads a path. */
export function parseRoute(pathname: string): Route {
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
      return { kind: "health" };
    case "version":
      return rest.length === 0 ? { kind: "version" } : { kind: "unknown" };
    case "openapi":
      return openapiRoute(rest);
    case "api":
      return coreRoute(rest);
    case "apis":
      return groupRoute(rest);
    case undefined:
    default:
      return { kind: "unknown" };
  }
}

function decodeSegment(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // a stray percent sign: no such path
  }
}

function coreRoute(rest: readonly string[]): Route {
  const [version, ...path] = rest;
  if (version === undefined) return { kind: "versions" };
  return path.length === 0 ? { kind: "resources", group: "", version } : objectRoute("", version, path);
}

function groupRoute(rest: readonly string[]): Route {
  const [group, version, ...path] = rest;
  if (group === undefined) return { kind: "groups" };
  if (version === undefined) return { kind: "group", group };
  return path.length === 0 ? { kind: "resources", group, version } : objectRoute(group, version, path);
}

function openapiRoute(rest: readonly string[]): Route {
  const [dialect, prefix, first, second, ...more] = rest;
  if (dialect !== "v3" || more.length > 0) return { kind: "unknown" };
  if (prefix === undefined) return { kind: "openapi-index" };
  if (prefix === "api" && first !== undefined && second === undefined)
    return { kind: "openapi", group: "", version: first };
  if (prefix === "apis" && first !== undefined && second !== undefined) {
    return { kind: "openapi", group: first, version: second };
  }
  return { kind: "unknown" };
}

function objectRoute(group: string, version: string, path: readonly string[]): Route {
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
