/**
 * CEL expressions in adapter configurations.
 *
 * An expression is compiled when the configuration is read, against the names that exist at its location; an
 * undeclared name is rejected then. At run time a missing field makes the expression absent, which yields its default
 * or false. Any other error is a mistake in the configuration and fails the phase.
 */
import { CEL_DYN, celEnvironment, celLibraries, celToJson } from "@levelset/core/cel";
import type { CelEnvironment, CelProgram } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import { FLEET_READINESS, RULE_FUNCTIONS } from "../../resource/index.ts";
import { freshFunction } from "./fresh-function.ts";
import { adapterFunctions } from "./adapter-functions.ts";

/** Cost limit of one evaluation. */
const EXPRESSION_COST_MAX = 1_000_000;

/** Thrown when an expression fails on its input data. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly expression: string;

  constructor(expression: string, message: string) {
    super(`${message} in the expression ${JSON.stringify(expression)}`);
    this.expression = expression;
  }
}

/** Result of evaluating an expression. */
export type EvaluationResult =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "absent"; readonly message: string };

/** A compiled expression. */
export class Expression {
  readonly text: string;
  readonly #program: CelProgram;

  constructor(program: CelProgram) {
    this.text = program.source;
    this.#program = program;
  }

  /** Evaluates the expression with the given variables. Throws an ExpressionError. */
  evaluate(known: JsonObject): EvaluationResult {
    const result = this.#program.evaluate(known, { costLimit: EXPRESSION_COST_MAX });
    if (result.kind === "value") return { kind: "value", value: celToJson(result.value) };
    if (result.isAbsence || this.#isAbsentIn(known)) return { kind: "absent", message: result.error.message };
    throw new ExpressionError(this.text, result.error.message);
  }

  /**
   * Returns whether a failed expression is absent once its null variables are removed: null stands for a captured
   * value that was missing.
   */
  #isAbsentIn(known: JsonObject): boolean {
    const present = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
    if (Object.keys(present).length === Object.keys(known).length) return false;
    const result = this.#program.evaluate(present, { costLimit: EXPRESSION_COST_MAX });
    return result.kind !== "value" && result.isAbsence;
  }

  /**
   * Returns whether the expression holds. Absent is false; a non-bool value counts as true unless it is empty. Throws
   * an ExpressionError.
   */
  holds(known: JsonObject): boolean {
    const result = this.evaluate(known);
    return result.kind === "value" && isFilled(result.value);
  }
}

function isFilled(value: JsonValue): boolean {
  if (typeof value === "boolean") return value;
  if (value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Compiles expressions against a set of allowed names. */
export class ExpressionCompiler {
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the compiled expression, or the error message with its position in the text. With `isOpen`, other names
   * may exist at run time, so only the syntax is checked.
   */
  compile(text: string, names: ReadonlySet<string>, isOpen: boolean = false): Expression | string {
    const mode = isOpen ? "unchecked" : "checked";
    const compiled = this.#environment(names).compile(text.trim(), { literals: "validate", mode });
    if (compiled.kind === "program") return new Expression(compiled.program);
    return compiled.issues.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("; ");
  }

  #environment(names: ReadonlySet<string>): CelEnvironment {
    const variables = Object.fromEntries([...names].map((name) => [name, CEL_DYN]));
    const libraries = [
      ...celLibraries.extensions,
      RULE_FUNCTIONS,
      FLEET_READINESS,
      adapterFunctions(this.#now),
      freshFunction(this.#now),
    ];
    return celEnvironment({ variables, libraries });
  }
}
