import { crdRules } from "./crd.ts";
import { configMapRules, secretRules } from "./data.ts";
import { namespaceRules } from "./namespace.ts";
import type { Resource } from "./resource.ts";
import type { KindRules } from "./rules.ts";

const RULES: Readonly<Record<string, KindRules>> = {
  namespaces: namespaceRules,
  configmaps: configMapRules,
  secrets: secretRules,
  "customresourcedefinitions.apiextensions.k8s.io": crdRules,
};

/** What is particular to a resource; nothing for declared ones. */
export function rulesOf(resource: Resource): KindRules {
  return Object.hasOwn(RULES, resource.id) ? (RULES[resource.id] ?? {}) : {};
}
