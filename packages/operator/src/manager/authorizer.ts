import type { PolicyRule } from "@levelset/core";
import type { RbacRules } from "./rbac.ts";

/** The parts of a request that decide who may send it. */
interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** The attributes of a request that an authorizer evaluates. */
export interface RequestAttributes {
  readonly verb: string;
  readonly group: string;
  /** `pods`, or with the subresource `pods/log`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/**
 * Path of a resource. The subresource is the part after the name; what follows it is ignored. `status` and `finalize`
 * after the name of a namespace are subresources of it, and any other part is a resource in it (upstream
 * `apiserver/pkg/endpoints/request/requestinfo.go`).
 */
const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/)(?!\/(?:status|finalize)(?:\/|$)))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[^/]+)(?:\/.*)?)?$/u;

/** Every authenticated client may read the discovery documents (ClusterRole system:discovery). */
export function needsRule({ path }: RequestLine): boolean {
  return !/^\/(?:api(?:\/[^/]+)?|apis(?:\/[^/]+){0,2}|openapi(?:\/.*)?|version)$/u.test(path);
}

/** Returns the attributes of a request. Namespaces themselves are cluster-scoped. */
export function requestAttributes({ method, path, query }: RequestLine): RequestAttributes {
  const { group = "", namespace, plural = "", name, sub } = PATH.exec(path)?.groups ?? {};
  if (plural === "") throw new Error(`not the path of a resource: ${path}`);
  const resource = sub === undefined ? plural : `${plural}/${sub}`;
  return { verb: verbOf(method, name, query), group, resource, namespace, name };
}

function verbOf(method: string, name: string | undefined, query: string): string {
  const isWatch = query.includes("watch=true");
  switch (method) {
    case "GET":
      return isWatch ? "watch" : name === undefined ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "DELETE":
      return name === undefined ? "deletecollection" : "delete";
    default:
      return method.toLowerCase();
  }
}

/** A rule, and the namespace of its Role. Absent: the rule of a ClusterRole. */
export type ScopedRule = PolicyRule & { readonly namespace?: string | undefined };

/** Returns the rules of all roles, with their namespaces. */
export function scopedRules({ cluster, namespaced }: RbacRules): readonly ScopedRule[] {
  const local = Object.entries(namespaced).flatMap(([namespace, rules]) =>
    rules.map((rule) => ({ ...rule, namespace })),
  );
  return [...cluster, ...local];
}

/** Returns whether roles with these rules allow a request. */
export function allows(rules: RbacRules, access: RequestAttributes): boolean {
  return scopedRules(rules).some((rule) => grants(rule, access));
}

/** Returns whether one rule allows a request. */
export function grants(rule: ScopedRule, access: RequestAttributes): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], namespace } = rule;
  const { verb, group, resource, name } = access;
  const has = (list: readonly string[], value: string): boolean => list.includes(value) || list.includes("*");
  const isNamed = resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
  const isHere = namespace === undefined || namespace === placeOf(access);
  return isHere && has(verbs, verb) && has(apiGroups, group) && has(resources, resource) && isNamed;
}

/** A Role may allow access to its own Namespace (upstream `apiserver/pkg/endpoints/request/requestinfo.go`). */
function placeOf({ namespace, group, resource, name }: RequestAttributes): string | undefined {
  return group === "" && /^namespaces(?:\/|$)/u.test(resource) ? name : namespace;
}
