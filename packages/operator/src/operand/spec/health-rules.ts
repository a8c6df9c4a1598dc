import { CEL_BOOL, celEnvironment, celFromJson, celLibraries, CEL_DYN, READINESS_FUNCTIONS } from "@levelset/core/cel";
import type { CelProgram } from "@levelset/core/cel";
import { describeGeneration, parseApiVersion } from "@levelset/core/internal";
import { generationState, readinessOf } from "@levelset/core";
import { parseGoDurationMs } from "@levelset/core/internal";
import type { JsonValue, KubeObject, ObjectOf, Readiness } from "@levelset/core";
import type { Operand } from "./operand-kinds.ts";

type HealthSpec = Pick<ObjectOf<Operand>["spec"], "health">;
type Rule = HealthSpec["health"][number];

interface Program {
  readonly ready: CelProgram | undefined;
  readonly failed: CelProgram | undefined;
  readonly timeoutMs: number;
}

/** Health rule expressions that do not compile. */
export interface InvalidHealthRules {
  readonly problem: string;
}

/** Evaluates the health of the objects of a set. Objects without a rule or gate are ready as soon as they exist. */
export class HealthRules {
  readonly #rules: ReadonlyMap<string, Program>;

  private constructor(programs: ReadonlyMap<string, Program>) {
    this.#rules = programs;
  }

  /** Compiles the rules of a spec, or returns the problems of its expressions. */
  static compile(spec: HealthSpec): HealthRules | InvalidHealthRules {
    const programs = new Map<string, Program>();
    for (const [index, rule] of spec.health.entries()) {
      const compiled = compile(rule);
      if ("problem" in compiled) return { problem: `health[${index}]: ${compiled.problem}` };
      programs.set(`${rule.kind}.${rule.group}`, compiled);
    }
    return new HealthRules(programs);
  }

  /**
   * Returns the readiness of an object. `waitedMs` is the time waited for it so far; `isGated` is true if an object
   * without a rule must be ready: see `healthGate`.
   */
  evaluate(object: KubeObject, waitedMs: number, isGated: boolean): Readiness {
    const id = idOf(object);
    const rule = this.#rules.get(id);
    if (rule !== undefined) return evaluate(rule, object, waitedMs);
    return isGated || id === CRD ? readinessOf(object) : { kind: "ready", message: "it exists" };
  }

  /** Returns the time left until an object that is not ready counts as failed; undefined without a timeout. */
  remainingMs(object: KubeObject, waitedMs: number): number | undefined {
    const { timeoutMs } = this.#rules.get(idOf(object)) ?? {};
    return timeoutMs === undefined || !Number.isFinite(timeoutMs) ? undefined : Math.max(0, timeoutMs - waitedMs);
  }

  /** Reports whether a rule sets a timeout for an object. */
  hasTimeout(object: KubeObject): boolean {
    return this.remainingMs(object, 0) !== undefined;
  }
}

function idOf({ apiVersion, kind }: KubeObject): string {
  return `${kind}.${parseApiVersion(apiVersion).group}`;
}

/** CRDs are always checked: a CRD that is not established cannot be used. */
const CRD = "CustomResourceDefinition.apiextensions.k8s.io";

const environment = celEnvironment({
  variables: { self: CEL_DYN },
  libraries: [...celLibraries.all, READINESS_FUNCTIONS],
});

function compile(rule: Rule): Program | InvalidHealthRules {
  const programs: (CelProgram | undefined)[] = [];
  for (const source of [rule.ready, rule.failed]) {
    if (source === undefined) {
      programs.push(undefined);
      continue;
    }
    const compiled = environment.compile(source);
    if (compiled.kind === "issues") return { problem: `${source}: ${compiled.issues[0]?.message}` };
    if (compiled.program.type !== CEL_BOOL && compiled.program.type !== CEL_DYN) {
      return { problem: `${source}: must evaluate to true or false` };
    }
    programs.push(compiled.program);
  }
  const [ready, failed] = programs;
  const timeoutMs = rule.timeout === undefined ? undefined : parseGoDurationMs(rule.timeout);
  return { ready, failed, timeoutMs: timeoutMs ?? Number.POSITIVE_INFINITY };
}

function evaluate(rule: Program, object: KubeObject, waitedMs: number): Readiness {
  const stale = staleness(object);
  const found = stale ?? (rule.ready === undefined ? readinessOf(object) : byExpression(rule.ready, object));
  if (found.kind === "ready") return found;
  if (stale === undefined && rule.failed !== undefined && evaluateRule(rule.failed, object) === true) {
    return { kind: "failed", reason: "RuleFailed", message: `failed by its health rule: ${rule.failed.source}` };
  }
  if (found.kind !== "progressing" || waitedMs <= rule.timeoutMs) return found;
  return {
    kind: "failed",
    reason: "Timeout",
    message: `not ready after ${rule.timeoutMs / 1_000} s: ${found.message}`,
  };
}

/** Returns Progressing if the status is of another generation; rules are not evaluated on such a status. */
function staleness(object: KubeObject): Readiness | undefined {
  const state = generationState(object);
  const isStale = state === "behind" || state === "ahead";
  return isStale ? { kind: "progressing", message: describeGeneration(object) } : undefined;
}

function byExpression(program: CelProgram, object: KubeObject): Readiness {
  const result = evaluateRule(program, object);
  if (result === true) return { kind: "ready", message: `ready by its health rule` };
  const why = result === false ? "" : ` (${result})`;
  return { kind: "progressing", message: `not ready yet: ${program.source}${why}` };
}

/** Evaluates an expression; returns the error text if that fails, for example because a field is missing. */
function evaluateRule(program: CelProgram, object: KubeObject): boolean | string {
  const result = program.evaluate({ self: celFromJson(object as unknown as JsonValue) });
  return result.kind === "value" ? result.value === true : result.error.message;
}
