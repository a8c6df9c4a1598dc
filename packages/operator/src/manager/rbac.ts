import { CustomResourceDefinition, Event, kindId, Lease } from "@levelset/core";
import type { AnyCustomKind, Kind, ObjectKey, PolicyRule } from "@levelset/core";
import type { StepRule } from "../step/index.ts";
import { mergeRules } from "./policy-rule.ts";

/** What an operator does in a cluster, as its declaration says. */
export interface AccessNeeds {
  /** What it reconciles. */
  readonly kind: AnyCustomKind;
  /** The kinds of the children that it makes. */
  readonly owns: readonly Kind[];
  /** The kinds that it follows besides. */
  readonly reads: readonly Kind[];
  /** What its steps ask for themselves. */
  readonly rbac: readonly StepRule[];
  /** Where it works. Absent: wherever its manager does. */
  readonly namespaces?: readonly string[] | undefined;
}

/** How operators will be run, as far as their rights depend on it. */
export interface AccessOptions {
  /** Where operators work that do not say it themselves. Default: everywhere. */
  readonly namespaces?: readonly string[] | undefined;
  /** The lease that they elect a leader by. */
  readonly lease?: Required<ObjectKey>;
  /** Whether they bring their CRDs along. */
  readonly installCrds?: boolean;
}

/** Rights, by the place where they are needed. */
export interface AccessRules {
  /** In the whole cluster: for a ClusterRole. */
  readonly cluster: readonly PolicyRule[];
  /** In single namespaces, by name: for a Role in each. Only what `cluster` does not grant already. */
  readonly namespaced: Readonly<Record<string, readonly PolicyRule[]>>;
}

/** A rule and where it is needed: in these namespaces, or everywhere. */
interface Grant {
  readonly namespaces: readonly string[] | undefined;
  readonly rule: PolicyRule;
}

/** What following a kind takes; `get` is for steps that must read past the cache. */
const READ = ["get", "list", "watch"];
/** Steps decide how they write their children. */
const MANAGE = [...READ, "create", "update", "patch", "delete"];
/** Events about objects without a namespace are kept here. */
const EVENTS_OF_CLUSTER_KINDS = ["default"];

/** The least rights with which operators work, derived from what they declare. The same declarations give the same rules in the same order. */
export function policyRules(
  operators: readonly { readonly needs: AccessNeeds }[],
  options: AccessOptions = {},
): AccessRules {
  const needs = operators.map((operator) => operator.needs);
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

function operatorGrants(needs: AccessNeeds, namespaces: readonly string[] | undefined): readonly Grant[] {
  const { kind, owns, reads, rbac } = needs;
  const placeOf = (of: Kind): readonly string[] | undefined => (of.scope === "Cluster" ? undefined : namespaces);
  const grant = (to: Kind, verbs: readonly string[], subresource?: string): Grant => ({
    namespaces: placeOf(to),
    rule: ruleFor(to, verbs, { subresource }),
  });
  return [
    grant(kind, [...READ, "patch"]),
    grant(kind, ["patch"], "status"),
    // Whoever lets a child block the deletion of its owner must be able to do that himself: OwnerReferencesPermissionEnforcement.
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

/** A name cannot be asked for at creation, so that right is for all names. */
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
