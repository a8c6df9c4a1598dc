import { apiVersionOf, DeclarationError, finalizerName, kindId, READY } from "@levelset/core";
import type { AnyCustomKind, Kind } from "@levelset/core";
import { conditionTypes } from "./finding.ts";
import type { Reference } from "./reference.ts";
import type { Source } from "./req.ts";
import type { Step, StepRule } from "./step.ts";

/** A checked list of steps for a kind, and what follows from it. */
export interface Plan<K extends AnyCustomKind> {
  readonly kind: K;
  readonly steps: readonly Step<K>[];
  /** The name of our finalizer; `needed` only if some step has something to clean up or to let go of. */
  readonly finalizer: { readonly name: string; readonly needed: boolean };
  /** The managed conditions, in step order. */
  readonly conditions: readonly string[];
  /** Status fields that survive from run to run. */
  readonly keeps: readonly string[];
  /** The kinds of its children, protected or not. */
  readonly owns: readonly Kind[];
  /** What its objects name or look for. */
  readonly reads: readonly Reference<K>[];
  /** The rights that its steps need besides. */
  readonly rbac: readonly StepRule[];
}

/** Checks a list of steps at start-up; a contradiction is a DeclarationError that says which steps it is between. */
export function plan<K extends AnyCustomKind>(kind: K, steps: readonly Step<NoInfer<K>>[]): Plan<K> {
  const problem = [
    kindProblem(kind),
    ...steps.map((step, at) => stepProblem(kind, steps, step, at)),
    versionProblem(steps),
  ]
    .filter((found) => found !== undefined)
    .concat(steps.length === 0 ? ["an operator needs at least one step"] : [])
    .at(0);
  if (problem !== undefined) throw new DeclarationError(`${kind.kind}: ${problem}`);
  return {
    kind,
    steps,
    finalizer: { name: finalizerName(kind), needed: steps.some((step) => step.cleanup ?? step.protects) },
    conditions: steps.flatMap(conditionTypes),
    keeps: steps.flatMap((step) => step.keeps ?? []),
    owns: steps.flatMap(childKinds),
    reads: steps.flatMap((step) => step.reads ?? []),
    rbac: steps.flatMap((step) => step.rbac ?? []),
  };
}

/** What keeps an engine from telling the truth about a kind. */
function kindProblem(kind: AnyCustomKind): string | undefined {
  const status = kind.schema.properties?.["status"]?.properties ?? {};
  for (const field of ["conditions", "observedGeneration"]) {
    if (!Object.hasOwn(status, field)) return `its status has no ${field}: declare the kind with kind()`;
  }
  return kind.hasStatus ? undefined : "its status is no subresource: declare the kind with kind()";
}

const PHASES = ["do", "cleanup", "post"] as const;

function stepProblem<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<K>[],
  step: Step<K>,
  at: number,
): string | undefined {
  const { name, keeps = [], uses = [], rbac = [] } = step;
  if (!/^[A-Za-z]\w*$/u.test(name)) return `a step's name is one word: ${JSON.stringify(name)}`;
  const before = steps.slice(0, at);
  if (before.some((other) => other.name === name)) return `two steps are named ${name}`;
  const problem =
    phasesProblem(step) ??
    conditionsProblem(before, step) ??
    keepsProblem(kind, before, keeps) ??
    usesProblem(steps, at, uses) ??
    (rbac.every(isComplete) ? undefined : INCOMPLETE_RULE);
  return problem === undefined ? undefined : `step ${name}${problem}`;
}

function phasesProblem<K extends AnyCustomKind>(step: Step<K>): string | undefined {
  // Whoever compiles without TypeScript may write anything.
  const wrong = PHASES.find((phase) => step[phase] !== undefined && typeof step[phase] !== "function");
  if (wrong !== undefined) return `: ${wrong} is no function`;
  const isEmpty = PHASES.every((phase) => step[phase] === undefined);
  return isEmpty && step.protects === undefined ? " does nothing: give it do, cleanup or post" : undefined;
}

function conditionsProblem<K extends AnyCustomKind>(before: readonly Step<K>[], step: Step<K>): string | undefined {
  const seen = new Map(before.flatMap((other) => namesOf(other).map((type) => [type, other.name] as const)));
  for (const type of namesOf(step)) {
    if (type === READY) return ": Ready sums up all conditions and cannot be a step's own";
    if (!/^[A-Za-z]([\w.-]*\w)?$/u.test(type)) return `: ${JSON.stringify(type)} cannot be the type of a condition`;
    const owner = seen.get(type);
    if (owner === step.name) return ` declares condition ${type} twice`;
    if (owner !== undefined) return ` manages condition ${type}, which step ${owner} manages already`;
    seen.set(type, step.name);
  }
  return undefined;
}

/** Under which types a step may show up. */
function namesOf<K extends AnyCustomKind>(step: Step<K>): readonly string[] {
  return [step.condition ?? step.name, ...(step.conditions ?? []), ...(step.asides ?? []), ...contestsOf(step)];
}

function contestsOf<K extends AnyCustomKind>({ contests }: Step<K>): readonly string[] {
  return contests === undefined ? [] : [contests];
}

function keepsProblem<K extends AnyCustomKind>(
  kind: K,
  before: readonly Step<K>[],
  keeps: readonly string[],
): string | undefined {
  for (const field of keeps) {
    const other = before.find((earlier) => (earlier.keeps as readonly string[] | undefined)?.includes(field) === true);
    if (other !== undefined) return ` keeps status.${field}, which step ${other.name} keeps already`;
  }
  const status = kind.schema.properties?.["status"];
  // A status that takes any field declares none.
  if (status?.["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
  const missing = keeps.find((field) => !Object.hasOwn(status?.properties ?? {}, field));
  return missing === undefined ? undefined : ` keeps status.${missing}, which ${kind.kind} does not have`;
}

function usesProblem(
  steps: readonly Source<unknown>[],
  at: number,
  uses: readonly Source<unknown>[],
): string | undefined {
  for (const used of uses) {
    const place = steps.indexOf(used);
    if (place === -1) return ` uses step ${used.name}, which is not in the list`;
    if (place >= at) return ` uses step ${used.name}, which must come before it`;
  }
  return undefined;
}

/** Two versions of one kind are two sets of local copies, and a step would not find what another made. */
function versionProblem<K extends AnyCustomKind>(steps: readonly Step<K>[]): string | undefined {
  const seen = new Map<string, { readonly step: string; readonly apiVersion: string }>();
  for (const step of steps) {
    for (const kind of [...childKinds(step), ...(step.reads ?? []).map((reference) => reference.kind)]) {
      const apiVersion = apiVersionOf(kind);
      const first = seen.get(kindId(kind)) ?? { step: step.name, apiVersion };
      if (first.apiVersion !== apiVersion) {
        return `step ${step.name} declares ${kind.kind} of ${apiVersion}, and step ${first.step} of ${first.apiVersion}: use one version`;
      }
      seen.set(kindId(kind), first);
    }
  }
  return undefined;
}

/** The kinds of children that a step makes, protected or not. */
function childKinds<K extends AnyCustomKind>(step: Step<K>): readonly Kind[] {
  return [...(step.owns ?? []), ...(step.protects ?? [])];
}

const INCOMPLETE_RULE = ": an rbac rule names verbs, and either apiGroups with resources or nonResourceURLs";

function isComplete({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: StepRule): boolean {
  const isAboutResources = apiGroups.length > 0 && resources.length > 0;
  return verbs.length > 0 && isAboutResources !== nonResourceURLs.length > 0;
}
