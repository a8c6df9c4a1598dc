import {
  CEL_BOOL,
  celEnvironment,
  celFromJson,
  celLibraries,
  CEL_DYN,
  describeGeneration,
  generationState,
  parseApiVersion,
  READINESS_FUNCTIONS,
  readinessOf,
} from "@levelset/core";
import type { CelProgram, JsonValue, KubeObject, ObjectOf, Readiness } from "@levelset/core";
import { durationMs } from "./duration-ms.ts";
import type { Operand } from "./kinds.ts";

type HealthSpec = Pick<ObjectOf<Operand>["spec"], "checkDeploymentHealth" | "health">;
type Rule = HealthSpec["health"][number];

interface Program {
  readonly ready: CelProgram | undefined;
  readonly failed: CelProgram | undefined;
  readonly timeoutMs: number;
}

/** An expression of a health rule that does not compile. */
export interface HealthProblem {
  readonly problem: string;
}

/** Judges the objects of a set. Those that no rule is about are ready as soon as they are there. */
export class Health {
  readonly #rules = new Map<string, Program>();
  readonly #deployments: boolean;

  private constructor(spec: HealthSpec, programs: ReadonlyMap<string, Program>) {
    this.#deployments = spec.checkDeploymentHealth;
    this.#rules = new Map(programs);
  }

  /** The judge of a spec, or what is wrong with its expressions. */
  static of(spec: HealthSpec): Health | HealthProblem {
    const programs = new Map<string, Program>();
    for (const [index, rule] of spec.health.entries()) {
      const compiled = compile(rule);
      if ("problem" in compiled) return { problem: `health[${index}]: ${compiled.problem}` };
      programs.set(`${rule.kind}.${rule.group}`, compiled);
    }
    return new Health(spec, programs);
  }

  /** How far an object is. `waitedMs` is how long it has been waited for. */
  of(object: KubeObject, waitedMs: number): Readiness {
    const id = idOf(object);
    const rule = this.#rules.get(id);
    if (rule !== undefined) return judge(rule, object, waitedMs);
    const isGated = (id === "Deployment.apps" && this.#deployments) || id === CRD;
    return isGated ? readinessOf(object) : { kind: "ready", message: "it is there" };
  }

  /** For how long an object may still be on its way before that counts as a failure; undefined where it may for ever. */
  leftMs(object: KubeObject, waitedMs: number): number | undefined {
    const { timeoutMs } = this.#rules.get(idOf(object)) ?? {};
    return timeoutMs === undefined || !Number.isFinite(timeoutMs) ? undefined : Math.max(0, timeoutMs - waitedMs);
  }

  /** Whether an object may be on its way only for a time. */
  hasTimeout(object: KubeObject): boolean {
    return this.leftMs(object, 0) !== undefined;
  }
}

function idOf({ apiVersion, kind }: KubeObject): string {
  return `${kind}.${parseApiVersion(apiVersion).group}`;
}

/** A CRD that is not established is of no use to anybody. */
const CRD = "CustomResourceDefinition.apiextensions.k8s.io";

const environment = celEnvironment({
  variables: { self: CEL_DYN },
  libraries: [...celLibraries.all, READINESS_FUNCTIONS],
});

function compile(rule: Rule): Program | HealthProblem {
  const programs: (CelProgram | undefined)[] = [];
  for (const source of [rule.ready, rule.failed]) {
    if (source === undefined) {
      programs.push(undefined);
      continue;
    }
    const compiled = environment.compile(source);
    if (compiled.kind === "issues") return { problem: `${source}: ${compiled.issues[0]?.message}` };
    if (compiled.program.type !== CEL_BOOL && compiled.program.type !== CEL_DYN) {
      return { problem: `${source}: must say true or false` };
    }
    programs.push(compiled.program);
  }
  const [ready, failed] = programs;
  const timeoutMs = rule.timeout === undefined ? undefined : durationMs(rule.timeout);
  return { ready, failed, timeoutMs: timeoutMs ?? Number.POSITIVE_INFINITY };
}

function judge(rule: Program, object: KubeObject, waitedMs: number): Readiness {
  const stale = staleness(object);
  const found = stale ?? (rule.ready === undefined ? readinessOf(object) : byExpression(rule.ready, object));
  if (found.kind === "ready") return found;
  if (stale === undefined && rule.failed !== undefined && says(rule.failed, object) === true) {
    return { kind: "failed", reason: "RuleFailed", message: `failed by its rule: ${rule.failed.source}` };
  }
  if (found.kind !== "progressing" || waitedMs <= rule.timeoutMs) return found;
  return {
    kind: "failed",
    reason: "Timeout",
    message: `not ready after ${rule.timeoutMs / 1_000} s: ${found.message}`,
  };
}

/** Progressing, if the status is about another generation than the latest: no rule is asked about such a status. */
function staleness(object: KubeObject): Readiness | undefined {
  const state = generationState(object);
  const isStale = state === "behind" || state === "ahead";
  return isStale ? { kind: "progressing", message: describeGeneration(object) } : undefined;
}

function byExpression(program: CelProgram, object: KubeObject): Readiness {
  const answer = says(program, object);
  if (answer === true) return { kind: "ready", message: `ready by its rule` };
  const why = answer === false ? "" : ` (${answer})`;
  return { kind: "progressing", message: `not yet: ${program.source}${why}` };
}

/** What an expression says; a text where it cannot be evaluated, as when a field is still missing. */
function says(program: CelProgram, object: KubeObject): boolean | string {
  const result = program.evaluate({ self: celFromJson(object as unknown as JsonValue) });
  return result.kind === "value" ? result.value === true : result.error.message;
}
