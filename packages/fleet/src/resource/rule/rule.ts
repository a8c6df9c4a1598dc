import { EvalCancelledError, celToJson, formatType } from "@levelset/core/cel";
import { stringifyJson, truncateText } from "@levelset/core/internal";
import type { CelBindings, CelEnvironment, CelProgram, CelValue } from "@levelset/core/cel";

/** An expression of a kind failed on its input. The only error of a report caused by the fleet's configuration. */
export class RuleError extends Error {
  override readonly name: string = "RuleError";
  /** The kind that declares the expression. */
  readonly kind: string;
  /** Location in the declaration: `conditions[QuotaValid].output.reason`. */
  readonly location: string;

  constructor(kind: string, location: string, message: string) {
    super(`${kind}: ${location}: ${message}`);
    this.kind = kind;
    this.location = location;
  }
}

/** Result types of an expression. */
export type RuleType = "bool" | "int" | "string";

/** A compiled expression of a kind's declaration. */
export class Rule {
  readonly #kind: string;
  readonly #path: string;
  readonly #program: CelProgram;
  readonly #costLimit: number;

  constructor(options: { kind: string; path: string; program: CelProgram; costLimit: number }) {
    this.#kind = options.kind;
    this.#path = options.path;
    this.#program = options.program;
    this.#costLimit = options.costLimit;
  }

  /** Evaluates the expression. Throws a RuleError if it fails or exceeds the cost limit. */
  value(bindings: CelBindings): CelValue {
    const result = this.#program.evaluate(bindings, { costLimit: this.#costLimit });
    if (result.kind === "error") throw this.error(result.error.message);
    return result.value;
  }

  /** Evaluates to a bool. Throws a RuleError otherwise. */
  bool(bindings: CelBindings): boolean {
    const value = this.value(bindings);
    if (typeof value !== "boolean") throw this.error(`must be a bool, not ${describeValue(value)}`);
    return value;
  }

  /** Evaluates to a string. Throws a RuleError otherwise. */
  text(bindings: CelBindings): string {
    const value = this.value(bindings);
    if (typeof value !== "string") throw this.error(`must be a string, not ${describeValue(value)}`);
    return value;
  }

  /** Evaluates to a generation, an integer of at least 1. Throws a RuleError otherwise. */
  generation(bindings: CelBindings): number {
    const value = this.value(bindings);
    if (typeof value !== "number" || value < 1) throw this.error(`must be a generation, not ${describeValue(value)}`);
    return value;
  }

  /** Returns a RuleError for an unusable value. */
  error(message: string): RuleError {
    return new RuleError(this.#kind, this.#path, message);
  }
}

/** Input of {@link compileRule}. */
export interface RuleSource {
  readonly kind: string;
  readonly path: string;
  readonly text: string;
  readonly environment: CelEnvironment;
  /** Allowed result types; a dynamic type is always accepted. */
  readonly types: readonly RuleType[];
  readonly costLimit: number;
}

/** Compiles an expression. Returns the error message if it is invalid. */
export function compileRule({ kind, path, text, environment, types, costLimit }: RuleSource): Rule | string {
  const compiled = environment.compile(text, { literals: "validate" });
  if (compiled.kind === "issues") {
    return compiled.issues.map(({ message, line, column }) => `${path}: ${line}:${column}: ${message}`).join("; ");
  }
  const { program } = compiled;
  const isFitting = program.type.kind === "dyn" || types.some((type) => type === program.type.kind);
  if (!isFitting) return `${path}: must be ${types.join(" or ")}, not ${formatType(program.type)}`;
  return new Rule({ kind, path, program, costLimit });
}

const SHOWN_MAX = 100;

function describeValue(value: CelValue): string {
  try {
    const text = stringifyJson(celToJson(value));
    return text.length > SHOWN_MAX ? `${truncateText(text, SHOWN_MAX)}…` : text;
  } catch (error) {
    if (error instanceof EvalCancelledError) return "a value that is too large";
    throw error;
  }
}
