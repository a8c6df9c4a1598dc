/**
 * The expressions in configurations of adapters: CEL over what is known when they run.
 *
 * An expression is compiled when the configuration is read, against the names that can exist there; one that uses another name is refused then.
 * When it runs, a field that is not there makes it absent, which yields a default or false. Any other error is a mistake and fails the phase: the originals
 * take both for "not there", and so hide mistakes for ever.
 */
import { CEL_DYN, celEnvironment, celLibraries, celToJson } from "@levelset/core";
import type { CelEnvironment, CelProgram, JsonObject, JsonValue } from "@levelset/core";
import { FLEET_READINESS, RULE_FUNCTIONS } from "../../resource/index.ts";
import { freshFunction } from "./fresh-function.ts";
import { adapterFunctions } from "./functions.ts";

/** What one evaluation may cost. */
const EXPRESSION_COST_MAX = 1_000_000;

/** An expression failed on the data it was given. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly expression: string;

  constructor(expression: string, message: string) {
    super(`${message} in the expression ${JSON.stringify(expression)}`);
    this.expression = expression;
  }
}

/** What an expression gives. */
export type Evaluated =
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

  /** Its value with what is known now. Throws an ExpressionError. */
  evaluate(known: JsonObject): Evaluated {
    const result = this.#program.evaluate(known, { costLimit: EXPRESSION_COST_MAX });
    if (result.kind === "value") return { kind: "value", value: celToJson(result.value) };
    if (result.isAbsence || this.#isAbsentIn(known)) return { kind: "absent", message: result.error.message };
    throw new ExpressionError(this.text, result.error.message);
  }

  /** Whether an expression that failed would be absent without the names that are null: those stand for values that were not there to be captured. */
  #isAbsentIn(known: JsonObject): boolean {
    const present = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
    if (Object.keys(present).length === Object.keys(known).length) return false;
    const result = this.#program.evaluate(present, { costLimit: EXPRESSION_COST_MAX });
    return result.kind !== "value" && result.isAbsence;
  }

  /** Whether it holds. Absent is false; a value that is no bool counts as true unless it is empty. Throws an ExpressionError. */
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

/** Compiles expressions that may use some names. */
export class ExpressionCompiler {
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The expression, or what is wrong with it, with its place in the text. `isOpen`: other names may exist when it runs, so that only
   * its syntax is checked.
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
