import { apiVersionOf, DeclarationError, kindId, READY } from "@levelset/core";
import { finalizerName } from "@levelset/core/internal";
import type { AnyCustomKind, Condition, Kind, ObjectOf } from "@levelset/core";
import { conditionTypes } from "./condition-update.ts";
import type { Reference } from "./reference.ts";
import type { OutputStep } from "./req.ts";
import type { Step, StepPolicyRule } from "./step.ts";

/** A validated list of steps for a kind, and the declarations derived from it. */
export interface StepPlan<K extends AnyCustomKind> {
  readonly kind: K;
  readonly steps: readonly Step<K>[];
  /** Our finalizer; `needed` if a step has a cleanup or protects children. */
  readonly finalizer: { readonly name: string; readonly needed: boolean };
  /** The managed conditions, in step order. */
  readonly conditions: readonly string[];
  /** Status fields that are carried over from run to run. */
  readonly preserveStatus: readonly string[];
  /** The kinds of its children, protected or not. */
  readonly owns: readonly Kind[];
  /** References of its objects to other objects. */
  readonly reads: readonly Reference<K>[];
  /** Additional RBAC rules that its steps need. */
  readonly rbac: readonly StepPolicyRule[];
  readonly deriveStatus: DeriveStatus<K> | undefined;
}

/**
 * Computes status fields from the conditions of a run. They are written together with the conditions, in the same
 * patch; steps cannot set them.
 */
export type DeriveStatus<K extends AnyCustomKind> = (
  conditions: readonly Condition[],
) => Partial<NonNullable<ObjectOf<K>["status"]>>;

/**
 * Validates a list of steps at start-up. Throws a `DeclarationError` that names the steps that contradict each other.
 */
export function planSteps<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<NoInfer<K>>[],
  deriveStatus?: DeriveStatus<NoInfer<K>>,
): StepPlan<K> {
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
    preserveStatus: steps.flatMap((step) => step.preserveStatus ?? []),
    owns: steps.flatMap(childKinds),
    reads: steps.flatMap((step) => step.reads ?? []),
    rbac: steps.flatMap((step) => step.rbac ?? []),
    deriveStatus,
  };
}

/** Returns why the engine cannot report the state of a kind in its status, or undefined if it can. */
function kindProblem(kind: AnyCustomKind): string | undefined {
  const status = kind.schema.properties?.["status"]?.properties ?? {};
  for (const field of ["conditions", "observedGeneration"]) {
    if (!Object.hasOwn(status, field)) return `its status has no ${field}: declare the kind with kind()`;
  }
  return kind.hasStatus ? undefined : "its status is not a subresource: declare the kind with kind()";
}

const PHASES = ["do", "cleanup", "post"] as const;

function stepProblem<K extends AnyCustomKind>(
  kind: K,
  steps: readonly Step<K>[],
  step: Step<K>,
  at: number,
): string | undefined {
  const { name, preserveStatus = [], uses = [], rbac = [] } = step;
  if (!/^[A-Za-z]\w*$/u.test(name)) return `a step name must be one word: ${JSON.stringify(name)}`;
  const before = steps.slice(0, at);
  if (before.some((other) => other.name === name)) return `two steps are named ${name}`;
  const problem =
    phasesProblem(step) ??
    conditionsProblem(before, step) ??
    keepsProblem(kind, before, preserveStatus) ??
    usesProblem(steps, at, uses) ??
    deadlineProblem(step) ??
    (rbac.every(isComplete) ? undefined : INCOMPLETE_RULE);
  return problem === undefined ? undefined : `step ${name}${problem}`;
}

function phasesProblem<K extends AnyCustomKind>(step: Step<K>): string | undefined {
  // JavaScript callers are not checked by the compiler.
  const wrong = PHASES.find((phase) => step[phase] !== undefined && typeof step[phase] !== "function");
  if (wrong !== undefined) return `: ${wrong} is not a function`;
  const isEmpty = PHASES.every((phase) => step[phase] === undefined);
  return isEmpty && step.protects === undefined ? " has no phase: give it do, cleanup or post" : undefined;
}

function conditionsProblem<K extends AnyCustomKind>(before: readonly Step<K>[], step: Step<K>): string | undefined {
  const seen = new Map(before.flatMap((other) => namesOf(other).map((type) => [type, other.name] as const)));
  for (const type of namesOf(step)) {
    if (type === READY) return ": Ready is computed from all conditions and cannot be declared by a step";
    if (!/^[A-Za-z]([\w.-]*\w)?$/u.test(type)) return `: ${JSON.stringify(type)} is not a valid condition type`;
    const owner = seen.get(type);
    if (owner === step.name) return ` declares condition ${type} twice`;
    if (owner !== undefined) return ` manages condition ${type}, which step ${owner} manages already`;
    seen.set(type, step.name);
  }
  return undefined;
}

/** Returns the condition types that a step may set. */
function namesOf<K extends AnyCustomKind>(step: Step<K>): readonly string[] {
  return [step.condition ?? step.name, ...(step.conditions ?? []), ...(step.informational ?? []), ...contestsOf(step)];
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
    const other = before.find(
      (earlier) => (earlier.preserveStatus as readonly string[] | undefined)?.includes(field) === true,
    );
    if (other !== undefined) return ` preserves status.${field}, which step ${other.name} preserves already`;
  }
  const status = kind.schema.properties?.["status"];
  // A status that preserves unknown fields does not declare them.
  if (status?.["x-kubernetes-preserve-unknown-fields"] === true) return undefined;
  const missing = keeps.find((field) => !Object.hasOwn(status?.properties ?? {}, field));
  return missing === undefined ? undefined : ` preserves status.${missing}, which ${kind.kind} does not have`;
}

function usesProblem(
  steps: readonly OutputStep<unknown>[],
  at: number,
  uses: readonly OutputStep<unknown>[],
): string | undefined {
  for (const used of uses) {
    const place = steps.indexOf(used);
    if (place === -1) return ` uses step ${used.name}, which is not in the list`;
    if (place >= at) return ` uses step ${used.name}, which must come before it`;
  }
  return undefined;
}

function deadlineProblem<K extends AnyCustomKind>({ deadlineMs, cleanup }: Step<K>): string | undefined {
  if (deadlineMs === undefined) return undefined;
  if (!Number.isFinite(deadlineMs) || deadlineMs <= 0)
    return `: deadlineMs must be a number of milliseconds above 0, not ${deadlineMs}`;
  return cleanup === undefined ? " has a deadlineMs, which limits its cleanup, but no cleanup" : undefined;
}

/** Rejects two versions of one kind: each has its own cache, so a step would not find the children of another step. */
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

/** Returns the kinds of children that a step creates, protected or not. */
function childKinds<K extends AnyCustomKind>(step: Step<K>): readonly Kind[] {
  return [...(step.owns ?? []), ...(step.protects ?? [])];
}

const INCOMPLETE_RULE = ": an rbac rule needs verbs, and either apiGroups with resources or nonResourceURLs";

function isComplete({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: StepPolicyRule): boolean {
  const isAboutResources = apiGroups.length > 0 && resources.length > 0;
  return verbs.length > 0 && isAboutResources !== nonResourceURLs.length > 0;
}
