import { compareCodeUnits } from "@levelset/core/internal";
import type { PolicyRule } from "@levelset/core";

/** The verbs on one target: a resource, named objects of a resource, or a non-resource path. */
interface Permission {
  /** Absent for non-resource paths. */
  readonly group?: string;
  /** A resource such as `pods` or `pods/log`, or a non-resource path. */
  readonly target: string;
  /** Names of the objects. Empty: all objects. */
  readonly names: readonly string[];
  readonly verbs: readonly string[];
}

/** Conventional order of verbs. Other verbs come last, sorted by name. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/**
 * Merges rules into as few as possible, without permissions that `present` already grants. Equal permissions give equal
 * rules in equal order.
 */
export function mergeRules(rules: readonly PolicyRule[], present: readonly PolicyRule[] = []): readonly PolicyRule[] {
  const required = byTarget(rules);
  const granted = byTarget(present);
  const missing = [...required.values()].flatMap((permission) => {
    const id = idOf(permission);
    const idOfAll = idOf({ ...permission, names: [] });
    const others = [granted.get(id), granted.get(idOfAll), id === idOfAll ? undefined : required.get(idOfAll)];
    const verbs = permission.verbs.filter((verb) => !others.some((other) => other?.verbs.includes(verb)));
    return verbs.length === 0 ? [] : [{ ...permission, verbs }];
  });
  const alike = Map.groupBy(missing, ({ group, names, verbs }) => JSON.stringify([group, names, verbs]));
  return [...alike.values()].map(ruleOf).toSorted((one, other) => compareCodeUnits(orderOf(one), orderOf(other)));
}

/** Returns one permission per target, with all its verbs. */
function byTarget(rules: readonly PolicyRule[]): ReadonlyMap<string, Permission> {
  const targets = Map.groupBy(rules.flatMap(permissionsOf), idOf);
  return new Map(
    [...targets].map(([id, permissions]) => {
      const [first = NO_PERMISSION] = permissions;
      return [id, { ...first, verbs: inOrder(new Set(permissions.flatMap(({ verbs }) => verbs))) }];
    }),
  );
}

function permissionsOf(rule: PolicyRule): readonly Permission[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs } = rule;
  const names = [...new Set(resourceNames)].toSorted();
  return [
    ...apiGroups.flatMap((group) => resources.map((target) => ({ group, target, names, verbs }))),
    ...nonResourceURLs.map((target) => ({ target, names: [], verbs })),
  ];
}

function idOf({ group, target, names }: Permission): string {
  return JSON.stringify([group, target, names]);
}

/** Returns one rule for permissions that differ only in their target. */
function ruleOf(permissions: readonly Permission[]): PolicyRule {
  const targets = permissions.map(({ target }) => target).toSorted();
  const [{ group, names, verbs } = NO_PERMISSION] = permissions;
  if (group === undefined) return { nonResourceURLs: targets, verbs };
  return {
    apiGroups: [group],
    resources: targets,
    ...(names.length === 0 ? {} : { resourceNames: names }),
    verbs,
  };
}

const NO_PERMISSION: Permission = { target: "", names: [], verbs: [] };

function inOrder(verbs: ReadonlySet<string>): readonly string[] {
  const place = (verb: string): number => (VERBS.includes(verb) ? VERBS.indexOf(verb) : VERBS.length);
  return [...verbs].toSorted((one, other) => place(one) - place(other) || compareCodeUnits(one, other));
}

/** Sort key: by group, then by resource. Non-resource paths have no group and come last. */
function orderOf({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  return JSON.stringify([apiGroups, resources ?? nonResourceURLs, resourceNames ?? [], verbs]);
}
