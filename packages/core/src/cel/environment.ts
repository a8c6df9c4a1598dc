/**
 * CEL, the Common Expression Language.
 *
 * A text is parsed to a tree (`syntax`), type-checked against the declarations of an environment (`check`, `declare`)
 * and compiled to closures (`plan`), which are evaluated many times. Design decisions:
 *
 * - JSON is used unchanged. An int is a number if that is exact, else a bigint; arrays are lists, objects are maps.
 *   Types that JSON lacks are boxed: doubles, uints, times, types, optionals (`value`). The common case neither
 *   converts nor allocates, and int64 is exact.
 * - Errors are values (`CelError`) with a location, so that `||`, `&&`, `all` and `exists` absorb them without
 *   exceptions. Only a cost limit or a signal throws internally, because operators must not absorb it.
 * - Macros are nodes with their own loops, not expansions into generic folds.
 * - Everything is bounded: text, depth, pattern size, and cost, which is counted at run time and estimated in advance
 *   (`cost`). Regular expressions are RE2. There is no access to clock or random numbers, and no recursion driven by
 *   data.
 */
import { check, checkLiterals } from "./check/index.ts";
import type { CheckIssue, CheckResult } from "./check/index.ts";
import { estimateCost } from "./cost/index.ts";
import type { CostEstimate, SizeHints } from "./cost/index.ts";
import { EMPTY_TYPE_PROVIDER } from "./declare/index.ts";
import type { CelTypeProvider, Declarations, Overload } from "./declare/index.ts";
import { issueAt } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { STANDARD_LIBRARY } from "./library/index.ts";
import type { CelLibrary } from "./library/index.ts";
import { planProgram } from "./plan/index.ts";
import { CelProgram } from "./program.ts";
import { CelSyntaxError, parse } from "./syntax/index.ts";
import type { Expr, Macro, SyntaxLimits } from "./syntax/index.ts";
import { CEL_DYN } from "./value/index.ts";
import type { CelType } from "./value/index.ts";

/** Default limits on the text of an expression. */
export const CEL_SYNTAX_LIMITS: SyntaxLimits = { lengthMax: 100_000, depthMax: 250 };

/** Options of {@link CelEnvironment}. */
export interface CelEnvironmentOptions {
  /** The variables that expressions may use, with their types. */
  readonly variables?: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>;
  /** Additional functions and macros. */
  readonly libraries?: readonly CelLibrary[];
  /** Provider of object types that are not declared with the variables. */
  readonly types?: CelTypeProvider;
  /** The container: a prefix for relative names. In `a.b`, `x` resolves to `a.b.x`, `a.x` or `x`. */
  readonly container?: string;
  readonly limits?: Partial<SyntaxLimits>;
}

/** The result of compiling: a program, or all problems of the expression. */
export type CelCompileResult =
  | { readonly kind: "program"; readonly program: CelProgram }
  | { readonly kind: "issues"; readonly issues: readonly CelIssue[] };

/** The result of parsing: a tree with macros as nodes, or the problems of the text. */
export type CelParseResult =
  | { readonly kind: "parsed"; readonly expr: Expr }
  | { readonly kind: "issues"; readonly issues: readonly CelIssue[] };

/** Options of compiling. */
export interface CompileOptions {
  /** Rejects an expression whose estimated cost with data within `sizes` exceeds this. */
  readonly costMax?: number;
  /** Size limits of the data, for `costMax`. */
  readonly sizes?: SizeHints;
  /** `unchecked` defers types and unknown names to run time, for data without a schema. */
  readonly mode?: "checked" | "unchecked";
  /** `validate` also rejects calls that always fail, such as `duration('x')`, which are evaluation errors otherwise. */
  readonly literals?: "accept" | "validate";
}

/** The environment that expressions are compiled in. Immutable; create it once and reuse it. */
export class CelEnvironment {
  readonly #declarations: Declarations;
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #limits: SyntaxLimits;

  constructor(options: CelEnvironmentOptions = {}) {
    const { variables = {}, libraries = [], types = EMPTY_TYPE_PROVIDER, container = "", limits = {} } = options;
    const all = [STANDARD_LIBRARY, ...libraries];
    this.#macros = new Map(all.flatMap(({ macros = [] }) => [...macros]));
    this.#limits = { ...CEL_SYNTAX_LIMITS, ...limits };
    this.#declarations = {
      container,
      variables: variables instanceof Map ? variables : new Map(Object.entries(variables)),
      functions: functionTable(all),
      provider: types,
    };
  }

  /** Compiles an expression. */
  compile(source: string, options: CompileOptions = {}): CelCompileResult {
    const { mode = "checked", literals = "accept", costMax = Infinity, sizes } = options;
    const parsed = this.parse(source);
    if (parsed.kind === "issues") return parsed;
    const { expr } = parsed;
    const checked = mode === "checked" ? check(expr, this.#declarations) : undefined;
    const faults = checked === undefined ? [] : faultsOf(expr, checked, literals);
    if (faults.length > 0) {
      const issues = faults.map(({ message, at }) => issueAt(source, message, at));
      return { kind: "issues", issues: issues.toSorted((a, b) => a.offset - b.offset) };
    }
    const estimate = (hints: SizeHints): CostEstimate => estimateCost(expr, this.#declarations, checked, hints);
    if (costMax < Infinity) {
      const { max } = estimate(sizes ?? {});
      if (max > costMax) return { kind: "issues", issues: [issueAt(source, tooCostly(max, costMax), expr.at)] };
    }
    const planned = planProgram(expr, this.#declarations, checked);
    return { kind: "program", program: new CelProgram(source, checked?.type ?? CEL_DYN, planned, estimate) };
  }

  /** Returns the syntax tree of an expression, for static analysis. Types are not checked. */
  parse(source: string): CelParseResult {
    try {
      return { kind: "parsed", expr: parse(source, this.#macros, this.#limits) };
    } catch (error) {
      if (!(error instanceof CelSyntaxError)) throw error;
      return { kind: "issues", issues: [issueAt(source, error.message, error.at)] };
    }
  }
}

function faultsOf(expr: Expr, checked: CheckResult, literals: "accept" | "validate"): readonly CheckIssue[] {
  return checked.issues.length > 0 || literals === "accept" ? checked.issues : checkLiterals(expr, checked);
}

function tooCostly(max: number, limit: number): string {
  const how = max === Infinity ? "without a bound, for nothing limits the size of its data" : `up to ${Math.ceil(max)}`;
  return `estimated cost exceeds the budget: it may cost ${how}, where ${limit} is allowed`;
}

/** Creates an environment with these variables, libraries and types. */
export function celEnvironment(options: CelEnvironmentOptions = {}): CelEnvironment {
  return new CelEnvironment(options);
}

function functionTable(libraries: readonly CelLibrary[]): ReadonlyMap<string, readonly Overload[]> {
  const table = new Map<string, readonly Overload[]>();
  for (const { functions = [] } of libraries) {
    for (const [name, overloads] of functions) {
      const known = table.get(name) ?? [];
      const added = overloads.filter(({ id }) => known.every((overload) => overload.id !== id));
      table.set(name, [...known, ...added]);
    }
  }
  return table;
}
