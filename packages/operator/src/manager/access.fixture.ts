import type { PolicyRule } from "@levelset/core";
import type { SeenRequest } from "@levelset/core/testing";
import type { AccessRules } from "./rbac.ts";

/** What a request asks for, as an authorizer sees it. */
export interface Access {
  readonly verb: string;
  readonly group: string;
  /** With the subresource, if it is about one. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/(?<namespace>[^/]+)(?=\/))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[^/]+))?$/u;

/** Reads a request as an authorizer does. Namespaces themselves are cluster-scoped objects. */
export function accessOf({ method, path, query }: SeenRequest): Access {
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

/** Whether roles with these rules let a request pass. */
export function allows(rules: AccessRules, access: Access): boolean {
  const local = access.namespace === undefined ? [] : (rules.namespaced[access.namespace] ?? []);
  return [...rules.cluster, ...local].some((rule) => grants(rule, access));
}

/** Whether one rule lets it pass, wherever the rule is in force. */
export function grants(rule: PolicyRule, { verb, group, resource, name }: Omit<Access, "namespace">): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const has = (list: readonly string[], value: string): boolean => list.includes(value) || list.includes("*");
  const isNamed = resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name));
  return has(verbs, verb) && has(apiGroups, group) && has(resources, resource) && isNamed;
}
