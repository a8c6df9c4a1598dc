import { CustomResourceDefinition, Event, kindId, Lease } from "@levelset/core";
import type { AnyCustomKind, Kind, ObjectKey, PolicyRule } from "@levelset/core";
import type { StepPolicyRule } from "../engine/index.ts";
import { mergeRules } from "./policy-rule.ts";

/** The API access of an operator, derived from its declaration. */
export interface RbacNeeds {
  /** The kind that it reconciles. */
  readonly kind: AnyCustomKind;
  /** The kinds of its children. */
  readonly owns: readonly Kind[];
  /** Other kinds that it watches. */
  readonly reads: readonly Kind[];
  /** Rules that its steps declare. */
  readonly rbac: readonly StepPolicyRule[];
  /** Its namespaces. Absent: those of its manager. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Options of {@link policyRules}: the manager options that affect permissions. */
export interface RbacOptions {
  /** Namespaces of operators that do not declare their own. Default: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Key of the leader election Lease. */
  readonly lease?: Required<ObjectKey>;
  /** Whether they install their CRDs. */
  readonly installCrds?: boolean;
}

/** RBAC rules by scope. */
export interface RbacRules {
  /** Rules for a ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** namespace → rules for a Role, without those that `cluster` already grants. */
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

/** A rule and its namespaces. Absent: the whole cluster. */
interface Grant {
  readonly namespaces: readonly string[] | undefined;
  readonly rule: PolicyRule;
}

/** Verbs for an informer; `get` is for steps that read from the server directly. */
const READ = ["get", "list", "watch"];
/** Verbs for children. All write verbs, because steps decide how they write their children. */
const MANAGE = [...READ, "create", "update", "patch", "delete"];
/** Namespace of Events about cluster-scoped objects. */
const EVENTS_OF_CLUSTER_KINDS = ["default"];

/**
 * Returns the minimal RBAC rules of operators, derived from their declarations. Equal declarations give equal rules in
 * equal order.
 */
export function policyRules(operators: readonly { readonly rbac: RbacNeeds }[], options: RbacOptions = {}): RbacRules {
  const needs = operators.map(({ rbac }) => rbac);
  const grants = [
    ...needs.flatMap((each) => operatorGrants(each, each.namespaces ?? options.namespaces)),
    ...(options.lease === undefined ? [] : leaseGrants(options.lease)),
    ...(options.installCrds === true ? crdGrants(needs.map(({ kind }) => kind)) : []),
  ];
  const cluster = mergeRules(rulesIn(grants, undefined));
  const names = [...new Set(grants.flatMap(({ namespaces }) => namespaces ?? []))].toSorted();
  const namespaced = names
    .map((name) => [name, mergeRules(rulesIn(grants, name), cluster)] as const)
    .filter(([, rules]) => rules.length > 0);
  return { cluster, namespaced: Object.fromEntries(namespaced) };
}

function rulesIn(grants: readonly Grant[], namespace: string | undefined): readonly PolicyRule[] {
  return grants
    .filter(({ namespaces }) => (namespace === undefined ? namespaces === undefined : namespaces?.includes(namespace)))
    .map(({ rule }) => rule);
}

function operatorGrants(needs: RbacNeeds, namespaces: readonly string[] | undefined): readonly Grant[] {
  const { kind, owns, reads, rbac } = needs;
  const placeOf = (of: Kind): readonly string[] | undefined => (of.scope === "Cluster" ? undefined : namespaces);
  const grant = (to: Kind, verbs: readonly string[], subresource?: string): Grant => ({
    namespaces: placeOf(to),
    rule: ruleFor(to, verbs, { subresource }),
  });
  return [
    grant(kind, [...READ, "patch"]),
    grant(kind, ["patch"], "status"),
    // blockOwnerDeletion requires this permission (docs: admission controllers, OwnerReferencesPermissionEnforcement).
    ...(owns.length === 0 ? [] : [grant(kind, ["update"], "finalizers")]),
    ...owns.map((owned) => grant(owned, MANAGE)),
    ...reads.map((read) => grant(read, READ)),
    {
      namespaces: kind.scope === "Cluster" ? EVENTS_OF_CLUSTER_KINDS : namespaces,
      rule: ruleFor(Event, ["create", "patch"]),
    },
    ...rbac.map(({ scope, ...rule }): Grant => {
      const isWide = scope === "Cluster" || (rule.nonResourceURLs ?? []).length > 0;
      return { namespaces: isWide ? undefined : namespaces, rule };
    }),
  ];
}

/** RBAC cannot restrict `create` by resourceName, so that rule covers all names (docs: Using RBAC Authorization). */
function leaseGrants({ namespace, name }: Required<ObjectKey>): readonly Grant[] {
  const namespaces = [namespace];
  return [
    { namespaces, rule: ruleFor(Lease, ["create"]) },
    { namespaces, rule: ruleFor(Lease, ["get", "update"], { names: [name] }) },
  ];
}

function crdGrants(kinds: readonly Kind[]): readonly Grant[] {
  return [
    { namespaces: undefined, rule: ruleFor(CustomResourceDefinition, ["create"]) },
    { namespaces: undefined, rule: ruleFor(CustomResourceDefinition, ["get", "patch"], { names: kinds.map(kindId) }) },
  ];
}

function ruleFor(
  kind: Kind,
  verbs: readonly string[],
  about: { readonly subresource?: string | undefined; readonly names?: readonly string[] } = {},
): PolicyRule {
  const { subresource, names } = about;
  return {
    apiGroups: [kind.group],
    resources: [subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`],
    ...(names === undefined ? {} : { resourceNames: names }),
    verbs,
  };
}
