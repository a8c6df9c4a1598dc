/**
 * CEL, the Common Expression Language.
 *
 * A text becomes a tree (`syntax`), the tree is checked against the declarations of an environment (`check`, `declare`) and compiled to
 * closures (`plan`), which are evaluated many times. Four decisions carry the rest:
 *
 * - JSON is used as it is. An int is a plain number where that is exact, else a bigint; arrays are lists, objects maps. What JSON
 *   does not have is boxed: doubles, uints, times, types, optionals (`value`). The common case converts nothing and allocates
 *   nothing, and int64 stays exact.
 * - Errors are values (`CelFault`) that travel through the closures with their place, so that `||`, `&&`, `all` and `exists` absorb them without
 *   exceptions. Only a cost limit or a signal throws, inside, since nothing may absorb that.
 * - Macros are nodes with loops of their own, not expansions into generic folds.
 * - Everything is bounded: text, depth, pattern size, and cost, which is counted while running and estimated beforehand (`cost`).
 *   Regular expressions are RE2's. No clock, no chance, no recursion that data drives.
 */
import { check, checkLiterals } from "./check/index.ts";
import type { CheckFault, Checked } from "./check/index.ts";
import { estimateCost } from "./cost/index.ts";
import type { CostEstimate, SizeHints } from "./cost/index.ts";
import { NO_TYPES } from "./declare/index.ts";
import type { CelTypeProvider, Declarations, Overload } from "./declare/index.ts";
import { issueAt } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { STANDARD } from "./library/index.ts";
import type { CelLibrary } from "./library/index.ts";
import { plan } from "./plan/index.ts";
import { CelProgram } from "./program.ts";
import { CelSyntaxError, parse } from "./syntax/index.ts";
import type { Expr, Macro, SyntaxLimits } from "./syntax/index.ts";
import { CEL_DYN } from "./value/index.ts";
import type { CelType } from "./value/index.ts";

/** The default bounds on the text of an expression. */
export const CEL_SYNTAX_LIMITS: SyntaxLimits = { lengthMax: 100_000, depthMax: 250 };

/** What an environment is made of. */
export interface CelEnvironmentOptions {
  /** The variables that expressions may use, with their types. */
  readonly variables?: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>;
  /** Functions and macros beyond the language itself. */
  readonly libraries?: readonly CelLibrary[];
  /** Where object types come from that are not declared with the variables. */
  readonly types?: CelTypeProvider;
  /** A prefix for names: in `a.b`, `x` means `a.b.x`, `a.x` or `x`. */
  readonly container?: string;
  readonly limits?: Partial<SyntaxLimits>;
}

/** What compiling gives: a program, or everything that is wrong with the expression. */
export type CelCompiled =
  | { readonly kind: "program"; readonly program: CelProgram }
  | { readonly kind: "issues"; readonly issues: readonly CelIssue[] };

/** What parsing gives: a tree in which macros stand for what they mean, or what is wrong with the text. */
export type CelParsed =
  | { readonly kind: "parsed"; readonly expr: Expr }
  | { readonly kind: "issues"; readonly issues: readonly CelIssue[] };

/** How to compile. */
export interface CompileOptions {
  /** Refuses an expression that could cost more than this with data within `sizes`. */
  readonly costMax?: number;
  /** How large the data may be, for `costMax`. */
  readonly sizes?: SizeHints;
  /** `unchecked` leaves types and unknown names to run time, for data without a schema. */
  readonly mode?: "checked" | "unchecked";
  /** `validate` also refuses calls that fail whatever the data, such as `duration('x')`, which are errors of evaluation else. */
  readonly literals?: "accept" | "validate";
}

/** What expressions are compiled against. Immutable, made once and used for many. */
export class CelEnvironment {
  readonly #declarations: Declarations;
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #limits: SyntaxLimits;

  constructor(options: CelEnvironmentOptions = {}) {
    const { variables = {}, libraries = [], types = NO_TYPES, container = "", limits = {} } = options;
    const all = [STANDARD, ...libraries];
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
  compile(source: string, options: CompileOptions = {}): CelCompiled {
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
    const planned = plan(expr, this.#declarations, checked);
    return { kind: "program", program: new CelProgram(source, checked?.type ?? CEL_DYN, planned, estimate) };
  }

  /** The tree of an expression, for those who reason about expressions; its types are not checked. */
  parse(source: string): CelParsed {
    try {
      return { kind: "parsed", expr: parse(source, this.#macros, this.#limits) };
    } catch (error) {
      if (!(error instanceof CelSyntaxError)) throw error;
      return { kind: "issues", issues: [issueAt(source, error.message, error.at)] };
    }
  }
}

function faultsOf(expr: Expr, checked: Checked, literals: "accept" | "validate"): readonly CheckFault[] {
  return checked.faults.length > 0 || literals === "accept" ? checked.faults : checkLiterals(expr, checked);
}

function tooCostly(max: number, limit: number): string {
  const how = max === Infinity ? "without a bound, for nothing limits the size of its data" : `up to ${Math.ceil(max)}`;
  return `estimated cost exceeds the budget: it may cost ${how}, where ${limit} is allowed`;
}

/** An environment with these variables, libraries and types. */
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
