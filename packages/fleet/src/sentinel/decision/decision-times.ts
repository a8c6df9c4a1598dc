import { CelDuration, celChildren, CelTimestamp, celUnparse } from "@levelset/core/cel";
import type { CelBindings, CelExpr, CelProgram, CelType } from "@levelset/core/cel";
import type { DecisionExpressions } from "./decision-expressions.ts";
import { EXPRESSION_COST_LIMIT, pulseCelEnvironment } from "./pulse-subject.ts";

/**
 * How a value depends on now. `line`: it changes linearly by `slope` nanoseconds per nanosecond. `steps`: it changes
 * only where one of the recorded comparisons flips. `unknown`: any other dependency.
 */
type TimeDependence =
  | { readonly kind: "constant" }
  | { readonly kind: "line"; readonly slope: number }
  | { readonly kind: "steps" }
  | { readonly kind: "unknown" };

/** A comparison of two linear values: it flips where they are equal. */
interface Comparison {
  readonly left: CelProgram;
  readonly right: CelProgram;
  /** Difference of the slopes of the left and the right side. */
  readonly gain: number;
}

const COMPARISONS: readonly string[] = ["_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"];
const CONSTANT: TimeDependence = { kind: "constant" };
const UNKNOWN: TimeDependence = { kind: "unknown" };
const NANOS_PER_MS = 1_000_000n;
/** Latest time that an expression can have as now. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);
/** Condition fields that a freshness decision reads. */
const FRESHNESS: readonly string[] = ["status", "observed_generation", "last_updated_time"];

/**
 * Finds the times at which a decision can change by time alone: `now - timestamp(x) > duration("30m")` flips at x plus
 * half an hour. Works for comparisons of sums and differences of now and of values that do not depend on now, combined
 * in any way.
 */
export class DecisionTimes {
  readonly #comparisons: Comparison[] = [];
  readonly #reads = new Set<string>();
  readonly #numbers = new Set<number>([1]);
  readonly #environment: ReturnType<typeof pulseCelEnvironment>;
  readonly #isKnown: boolean;

  /** The expressions must compile with variables of these types. */
  constructor({ params, result }: DecisionExpressions, variables: ReadonlyMap<string, CelType>) {
    this.#environment = pulseCelEnvironment(variables);
    const dependences = new Map<string, TimeDependence>([["now", { kind: "line", slope: 1 }]]);
    for (const { name, expr } of params) dependences.set(name, this.#dependenceOf(this.#parse(expr), dependences));
    const dependence = this.#dependenceOf(this.#parse(result), dependences);
    // A parameter that fails fails the decision, so all of them count.
    const isUnknown = [dependence, ...dependences.values()].some(({ kind }) => kind === "unknown");
    this.#isKnown = !isUnknown && dependence.kind !== "line";
  }

  /**
   * Returns the milliseconds after now at which the decision may change, ascending; undefined if it may change at any
   * time.
   */
  after(now: number, bindings: CelBindings): readonly number[] | undefined {
    if (!this.#isKnown) return undefined;
    const times = this.#comparisons.flatMap((comparison) => {
      const meets = meeting(comparison, now, bindings);
      // The time of equality and the next millisecond: a comparison may hold only at that time, or only after it.
      return meets === undefined ? [] : [meets, meets + 1];
    });
    return [...new Set(times)].filter((time) => time > now && time <= LATEST).toSorted((a, b) => a - b);
  }

  /** Returns whether the expressions read only the generation of a resource and the freshness of these conditions. */
  readsOnly(conditions: readonly string[]): boolean {
    const allowed = conditions.flatMap((type) => FRESHNESS.map((field) => `${type}.${field}`));
    return [...this.#reads].every((read) => read === "generation" || allowed.includes(read));
  }

  /** Generations for which a decision may differ: each literal number and its neighbours. */
  get generations(): readonly number[] {
    const candidates = [...this.#numbers].flatMap((number) => [number - 1, number, number + 1]);
    return [...new Set(candidates)].filter((generation) => generation >= 1);
  }

  #parse(text: string): CelExpr {
    const parsed = this.#environment.parse(text);
    if (parsed.kind === "issues") throw new TypeError(`an expression that compiled does not parse: ${text}`);
    return parsed.expr;
  }

  #dependenceOf(expr: CelExpr, dependences: ReadonlyMap<string, TimeDependence>): TimeDependence {
    if (expr.kind === "literal" && typeof expr.value === "number") this.#numbers.add(expr.value);
    if (expr.kind === "ident") {
      // A leading dot only means that the name is not a macro variable.
      const name = expr.name.replace(/^\./u, "");
      if (name === "resource") this.#reads.add(name);
      return dependences.get(name) ?? CONSTANT;
    }
    const read = readOf(expr);
    if (read !== undefined) {
      this.#reads.add(read);
      return CONSTANT;
    }
    const parts = celChildren(expr).map((child) => this.#dependenceOf(child, dependences));
    if (parts.every(({ kind }) => kind === "constant")) return CONSTANT;
    // These have local variables whose values are known only at run time.
    if (expr.kind === "fold" || expr.kind === "bind" || expr.kind === "optMap") return UNKNOWN;
    if (expr.kind === "call" && expr.target === undefined) {
      const line = lineOf(expr.name, parts);
      if (line !== undefined) return line;
      const gain = COMPARISONS.includes(expr.name) ? slopeOf("_-_", parts) : undefined;
      if (gain !== undefined) return this.#compare(expr.args, gain);
    }
    return parts.every(({ kind }) => kind === "constant" || kind === "steps") ? { kind: "steps" } : UNKNOWN;
  }

  #compare(args: readonly CelExpr[], gain: number): TimeDependence {
    const [left, right] = args.map((side) => this.#compile(side));
    if (left === undefined || right === undefined) return UNKNOWN;
    if (gain !== 0) this.#comparisons.push({ left, right, gain });
    return { kind: "steps" };
  }

  #compile(side: CelExpr): CelProgram | undefined {
    const compiled = this.#environment.compile(celUnparse(side));
    return compiled.kind === "program" ? compiled.program : undefined;
  }
}

/** Returns the dependence of a sum or difference of lines; undefined for any other expression. */
function lineOf(name: string, parts: readonly TimeDependence[]): TimeDependence | undefined {
  const slope = name === "_-_" || name === "_+_" ? slopeOf(name, parts) : undefined;
  return slope === undefined ? undefined : { kind: "line", slope };
}

function slopeOf(name: "_-_" | "_+_", parts: readonly TimeDependence[]): number | undefined {
  const [left, right, ...more] = parts.map((part) =>
    part.kind === "constant" ? 0 : part.kind === "line" ? part.slope : undefined,
  );
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  return name === "_-_" ? left - right : left + right;
}

/** Returns what an expression reads if it is `resource.generation` or `condition("Type").field`. */
function readOf(expr: CelExpr): string | undefined {
  if (expr.kind !== "select") return undefined;
  const { operand, field } = expr;
  if (operand.kind === "ident") return operand.name === "resource" && field === "generation" ? field : undefined;
  if (operand.kind !== "call" || operand.name !== "condition") return undefined;
  const [resource, type] = operand.args;
  const isOwn = resource?.kind === "ident" && resource.name === "resource";
  return isOwn && type?.kind === "literal" && typeof type.value === "string" ? `${type.value}.${field}` : undefined;
}

/**
 * Returns the last whole millisecond at which the left side has not passed the right one; undefined if either has no
 * value.
 */
function meeting({ left, right, gain }: Comparison, now: number, bindings: CelBindings): number | undefined {
  const [from, to] = [left, right].map((side) => nanosOf(side, bindings));
  if (from === undefined || to === undefined) return undefined;
  const nanos = BigInt(now) * NANOS_PER_MS + floorDivide(to - from, BigInt(gain));
  return Number(floorDivide(nanos, NANOS_PER_MS));
}

function nanosOf(side: CelProgram, bindings: CelBindings): bigint | undefined {
  const result = side.evaluate(bindings, { costLimit: EXPRESSION_COST_LIMIT });
  if (result.kind === "error") return undefined;
  if (result.value instanceof CelTimestamp) return result.value.totalNanos;
  return result.value instanceof CelDuration ? result.value.nanos : undefined;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  const isExact = quotient * by === value;
  return isExact || value < 0n === by < 0n ? quotient : quotient - 1n;
}
