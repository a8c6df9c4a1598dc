import { CelDuration, celChildren, CelTimestamp, celUnparse } from "@levelset/core";
import type { CelBindings, CelExpr, CelProgram, CelType } from "@levelset/core";
import type { DecisionTexts } from "./decision-texts.ts";
import { EXPRESSION_COST_LIMIT, subjectEnvironment } from "./subject.ts";

/**
 * How a value depends on now. `line`: it moves with now, `slope` nanoseconds for each one that passes. `steps`: it changes only where
 * one of the comparisons turns that were found. `wild`: in a way that is not known.
 */
type Course =
  | { readonly kind: "constant" }
  | { readonly kind: "line"; readonly slope: number }
  | { readonly kind: "steps" }
  | { readonly kind: "wild" };

/** A comparison of two values on lines: it turns where they meet. */
interface Comparison {
  readonly left: CelProgram;
  readonly right: CelProgram;
  /** By how much the left side gains on the right one for each nanosecond. */
  readonly gain: number;
}

const COMPARISONS: readonly string[] = ["_<_", "_<=_", "_>_", "_>=_", "_==_", "_!=_"];
const CONSTANT: Course = { kind: "constant" };
const WILD: Course = { kind: "wild" };
const NANOS_PER_MS = 1_000_000n;
/** The last moment that an expression can have as now. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);
/** What a decision on how fresh a condition is reads of it. */
const FRESHNESS: readonly string[] = ["status", "observed_generation", "last_updated_time"];

/**
 * The moments at which a decision can change by time alone, found in its expressions: `now - timestamp(x) > duration("30m")` turns at x plus half an hour.
 * Works for any comparison of values that are sums and differences of now and of what does not depend on it, in whatever the
 * comparisons are combined to.
 */
export class Thresholds {
  readonly #comparisons: Comparison[] = [];
  readonly #reads = new Set<string>();
  readonly #numbers = new Set<number>([1]);
  readonly #environment: ReturnType<typeof subjectEnvironment>;
  readonly #isKnown: boolean;

  /** The texts compile, with variables of these types. */
  constructor({ params, result }: DecisionTexts, variables: ReadonlyMap<string, CelType>) {
    this.#environment = subjectEnvironment(variables);
    const courses = new Map<string, Course>([["now", { kind: "line", slope: 1 }]]);
    for (const { name, expr } of params) courses.set(name, this.#courseOf(this.#parse(expr), courses));
    const course = this.#courseOf(this.#parse(result), courses);
    // A parameter that fails at some moment fails the decision, so all of them count.
    const isWild = [course, ...courses.values()].some(({ kind }) => kind === "wild");
    this.#isKnown = !isWild && course.kind !== "line";
  }

  /** The whole milliseconds after now at which the decision may be another one than before, ascending; undefined: any. */
  after(now: number, bindings: CelBindings): readonly number[] | undefined {
    if (!this.#isKnown) return undefined;
    const times = this.#comparisons.flatMap((comparison) => {
      const meets = meeting(comparison, now, bindings);
      // Where they meet, and right after it: a comparison may hold at that very moment only, or not at it.
      return meets === undefined ? [] : [meets, meets + 1];
    });
    return [...new Set(times)].filter((time) => time > now && time <= LATEST).toSorted((a, b) => a - b);
  }

  /** Whether the expressions read nothing of a resource but its generation and how fresh these conditions are. */
  readsOnly(conditions: readonly string[]): boolean {
    const allowed = conditions.flatMap((type) => FRESHNESS.map((field) => `${type}.${field}`));
    return [...this.#reads].every((read) => read === "generation" || allowed.includes(read));
  }

  /** Generations on which a decision may differ: those around every number that it is written with. */
  get generations(): readonly number[] {
    const around = [...this.#numbers].flatMap((number) => [number - 1, number, number + 1]);
    return [...new Set(around)].filter((generation) => generation >= 1);
  }

  #parse(text: string): CelExpr {
    const parsed = this.#environment.parse(text);
    if (parsed.kind === "issues") throw new TypeError(`an expression that compiled does not parse: ${text}`);
    return parsed.expr;
  }

  #courseOf(expr: CelExpr, courses: ReadonlyMap<string, Course>): Course {
    if (expr.kind === "literal" && typeof expr.value === "number") this.#numbers.add(expr.value);
    if (expr.kind === "ident") {
      // A leading dot only says that it is no variable of a macro.
      const name = expr.name.replace(/^\./u, "");
      if (name === "resource") this.#reads.add(name);
      return courses.get(name) ?? CONSTANT;
    }
    const read = readOf(expr);
    if (read !== undefined) {
      this.#reads.add(read);
      return CONSTANT;
    }
    const parts = celChildren(expr).map((child) => this.#courseOf(child, courses));
    if (parts.every(({ kind }) => kind === "constant")) return CONSTANT;
    // Its parts have variables of their own, which nobody knows before it runs.
    if (expr.kind === "fold" || expr.kind === "bind" || expr.kind === "optMap") return WILD;
    if (expr.kind === "call" && expr.target === undefined) {
      const line = lineOf(expr.name, parts);
      if (line !== undefined) return line;
      const gain = COMPARISONS.includes(expr.name) ? slopeOf("_-_", parts) : undefined;
      if (gain !== undefined) return this.#compare(expr.args, gain);
    }
    return parts.every(({ kind }) => kind === "constant" || kind === "steps") ? { kind: "steps" } : WILD;
  }

  #compare(args: readonly CelExpr[], gain: number): Course {
    const [left, right] = args.map((side) => this.#compile(side));
    if (left === undefined || right === undefined) return WILD;
    if (gain !== 0) this.#comparisons.push({ left, right, gain });
    return { kind: "steps" };
  }

  #compile(side: CelExpr): CelProgram | undefined {
    const compiled = this.#environment.compile(celUnparse(side));
    return compiled.kind === "program" ? compiled.program : undefined;
  }
}

/** The course of a sum or a difference of lines; undefined if it is something else. */
function lineOf(name: string, parts: readonly Course[]): Course | undefined {
  const slope = name === "_-_" || name === "_+_" ? slopeOf(name, parts) : undefined;
  return slope === undefined ? undefined : { kind: "line", slope };
}

function slopeOf(name: "_-_" | "_+_", parts: readonly Course[]): number | undefined {
  const [left, right, ...more] = parts.map((part) =>
    part.kind === "constant" ? 0 : part.kind === "line" ? part.slope : undefined,
  );
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  return name === "_-_" ? left - right : left + right;
}

/** What an expression reads if it is `resource.generation` or `condition("Type").field`. */
function readOf(expr: CelExpr): string | undefined {
  if (expr.kind !== "select") return undefined;
  const { operand, field } = expr;
  if (operand.kind === "ident") return operand.name === "resource" && field === "generation" ? field : undefined;
  if (operand.kind !== "call" || operand.name !== "condition") return undefined;
  const [resource, type] = operand.args;
  const isOwn = resource?.kind === "ident" && resource.name === "resource";
  return isOwn && type?.kind === "literal" && typeof type.value === "string" ? `${type.value}.${field}` : undefined;
}

/** The last whole millisecond at which the left side has not passed the right one; undefined where either has no value. */
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
