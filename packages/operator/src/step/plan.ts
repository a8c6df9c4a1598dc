import { DeclarationError, finalizerName, READY } from "@levelset/core";
import type { AnyCustomKind, Kind } from "@levelset/core";
import type { Reference } from "./reference.ts";
import type { Step, StepRule } from "./step.ts";

/** A checked list of steps for a kind, and what follows from it. */
export interface Plan<K extends AnyCustomKind> {
  readonly kind: K;
  readonly steps: readonly Step<K>[];
  /** The name of our finalizer; `needed` only if some step has something to clean up. */
  readonly finalizer: { readonly name: string; readonly needed: boolean };
  /** The managed conditions, in step order. */
  readonly conditions: readonly string[];
  /** Status fields that survive from run to run. */
  readonly keeps: readonly string[];
  /** The kinds of its children. */
  readonly owns: readonly Kind[];
  /** What its objects name. */
  readonly reads: readonly Reference<K>[];
  /** The rights that its steps need besides. */
  readonly rbac: readonly StepRule[];
}

/** Checks a list of steps at start-up; a contradiction is a DeclarationError that says which steps it is between. */
export function plan<K extends AnyCustomKind>(kind: K, steps: readonly Step<K>[]): Plan<K> {
  const problem = (message: string): DeclarationError => new DeclarationError(`${kind.kind}: ${message}`);
  if (steps.length === 0) throw problem("an operator needs at least one step");
  if (!Object.hasOwn(kind.schema.properties?.["status"]?.properties ?? {}, "conditions")) {
    throw problem("its status has no conditions: declare the kind with kind()");
  }
  const owners = new Map<string, string>();
  for (const { name, condition, rbac = [] } of steps) {
    if (!/^[A-Za-z]\w*$/u.test(name)) throw problem(`a step's name is one word: ${JSON.stringify(name)}`);
    if (steps.filter((other) => other.name === name).length > 1) throw problem(`two steps are named ${name}`);
    const type = condition ?? name;
    if (type === READY) throw problem(`step ${name}: Ready sums up all conditions and cannot be a step's own`);
    const owner = owners.get(type);
    if (owner !== undefined) throw problem(`condition ${type} is managed by two steps: ${owner} and ${name}`);
    owners.set(type, name);
    if (!rbac.every(isComplete)) throw problem(`step ${name}: ${INCOMPLETE_RULE}`);
  }
  return {
    kind,
    steps,
    finalizer: { name: finalizerName(kind), needed: steps.some((step) => step.cleanup !== undefined) },
    conditions: steps.flatMap((step) => step.condition ?? []),
    keeps: steps.flatMap((step) => step.keeps ?? []),
    owns: steps.flatMap((step) => step.owns ?? []),
    reads: steps.flatMap((step) => step.reads ?? []),
    rbac: steps.flatMap((step) => step.rbac ?? []),
  };
}

const INCOMPLETE_RULE = "an rbac rule names verbs, and either apiGroups with resources or nonResourceURLs";

function isComplete({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: StepRule): boolean {
  const isAboutResources = apiGroups.length > 0 && resources.length > 0;
  return verbs.length > 0 && isAboutResources !== nonResourceURLs.length > 0;
}
