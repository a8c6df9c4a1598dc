import { compareTexts } from "@levelset/core";
import type { PolicyRule } from "@levelset/core";

/** What may be done to one thing: a resource, some objects of it by name, or a path that is no resource. */
interface Right {
  /** Absent for paths. */
  readonly group?: string;
  /** A resource, `pods` or `pods/log`; or a path. */
  readonly target: string;
  /** Only objects of these names. Empty: all. */
  readonly names: readonly string[];
  readonly verbs: readonly string[];
}

/** The order in which people expect verbs; others follow by name. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** Few rules that grant what `rules` grant and `present` ones do not. The same rights give the same rules in the same order. */
export function mergeRules(rules: readonly PolicyRule[], present: readonly PolicyRule[] = []): readonly PolicyRule[] {
  const wanted = byThing(rules);
  const granted = byThing(present);
  const missing = [...wanted.values()].flatMap((right) => {
    const id = idOf(right);
    const idOfAll = idOf({ ...right, names: [] });
    const others = [granted.get(id), granted.get(idOfAll), id === idOfAll ? undefined : wanted.get(idOfAll)];
    const verbs = right.verbs.filter((verb) => !others.some((other) => other?.verbs.includes(verb)));
    return verbs.length === 0 ? [] : [{ ...right, verbs }];
  });
  const alike = Map.groupBy(missing, ({ group, names, verbs }) => JSON.stringify([group, names, verbs]));
  return [...alike.values()].map(ruleOf).toSorted((one, other) => compareTexts(orderOf(one), orderOf(other)));
}

/** One right per thing, with all that may be done to it. */
function byThing(rules: readonly PolicyRule[]): ReadonlyMap<string, Right> {
  const things = Map.groupBy(rules.flatMap(rightsOf), idOf);
  return new Map(
    [...things].map(([id, rights]) => {
      const [first = NO_RIGHT] = rights;
      return [id, { ...first, verbs: inOrder(new Set(rights.flatMap(({ verbs }) => verbs))) }];
    }),
  );
}

function rightsOf(rule: PolicyRule): readonly Right[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs } = rule;
  const names = [...new Set(resourceNames)].toSorted();
  return [
    ...apiGroups.flatMap((group) => resources.map((target) => ({ group, target, names, verbs }))),
    ...nonResourceURLs.map((target) => ({ target, names: [], verbs })),
  ];
}

function idOf({ group, target, names }: Right): string {
  return JSON.stringify([group, target, names]);
}

/** One rule for rights that differ in their target only. */
function ruleOf(rights: readonly Right[]): PolicyRule {
  const targets = rights.map(({ target }) => target).toSorted();
  const [{ group, names, verbs } = NO_RIGHT] = rights;
  if (group === undefined) return { nonResourceURLs: targets, verbs };
  return {
    apiGroups: [group],
    resources: targets,
    ...(names.length === 0 ? {} : { resourceNames: names }),
    verbs,
  };
}

const NO_RIGHT: Right = { target: "", names: [], verbs: [] };

function inOrder(verbs: ReadonlySet<string>): readonly string[] {
  const place = (verb: string): number => (VERBS.includes(verb) ? VERBS.indexOf(verb) : VERBS.length);
  return [...verbs].toSorted((one, other) => place(one) - place(other) || compareTexts(one, other));
}

/** By group, then by resource; paths come last, for they have none. */
function orderOf({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): string {
  return JSON.stringify([apiGroups, resources ?? nonResourceURLs, resourceNames ?? [], verbs]);
}
