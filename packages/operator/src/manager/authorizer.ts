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

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[^/]+))?$/u;

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

/** Returns whether roles with these rules allow a request. */
export function allows(rules: RbacRules, access: RequestAttributes): boolean {
  const local = access.namespace === undefined ? [] : (rules.namespaced[access.namespace] ?? []);
  return [...rules.cluster, ...local].some((rule) => grants(rule, access));
}

/** Returns whether one rule allows a request, regardless of its namespace. */
export function grants(
  rule: PolicyRule,
  { verb, group, resource, name }: Omit<RequestAttributes, "namespace">,
): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const has = (list: readonly string[], value: string): boolean => list.includes(value) || list.includes("*");
  const isNamed = resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
  return has(verbs, verb) && has(apiGroups, group) && has(resources, resource) && isNamed;
}
