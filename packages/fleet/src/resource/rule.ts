import { CelStop, celToJson, formatType, stringifyJson, truncateText } from "@levelset/core";
import type { CelBindings, CelEnvironment, CelProgram, CelValue } from "@levelset/core";

/** An expression of a kind failed on the data it was given. The only error of a report that is the operator's own fault. */
export class RuleError extends Error {
  override readonly name: string = "RuleError";
  /** The kind whose declaration has the expression. */
  readonly kind: string;
  /** Where it stands there: `conditions[QuotaValid].output.reason`. */
  readonly place: string;

  constructor(kind: string, place: string, message: string) {
    super(`${kind}: ${place}: ${message}`);
    this.kind = kind;
    this.place = place;
  }
}

/** What an expression may give. */
export type RuleType = "bool" | "int" | "string";

/** An expression in a kind's declaration, ready to be evaluated. */
export class Rule {
  readonly #kind: string;
  readonly #place: string;
  readonly #program: CelProgram;
  readonly #costLimit: number;

  constructor(options: { kind: string; place: string; program: CelProgram; costLimit: number }) {
    this.#kind = options.kind;
    this.#place = options.place;
    this.#program = options.program;
    this.#costLimit = options.costLimit;
  }

  /** Its value. Throws a RuleError if it fails or costs too much. */
  value(bindings: CelBindings): CelValue {
    const result = this.#program.evaluate(bindings, { costLimit: this.#costLimit });
    if (result.kind === "error") throw this.error(result.error.message);
    return result.value;
  }

  /** Its value, which must be a bool. */
  bool(bindings: CelBindings): boolean {
    const value = this.value(bindings);
    if (typeof value !== "boolean") throw this.error(`gives ${shown(value)} and not a bool`);
    return value;
  }

  /** Its value, which must be a text. */
  text(bindings: CelBindings): string {
    const value = this.value(bindings);
    if (typeof value !== "string") throw this.error(`gives ${shown(value)} and not a text`);
    return value;
  }

  /** Its value, which must be a generation: an integer from 1. */
  generation(bindings: CelBindings): number {
    const value = this.value(bindings);
    if (typeof value !== "number" || value < 1) throw this.error(`gives ${shown(value)} and not a generation`);
    return value;
  }

  /** What to throw when its value is of no use. */
  error(message: string): RuleError {
    return new RuleError(this.#kind, this.#place, message);
  }
}

/** What is needed to compile an expression. */
export interface RuleSource {
  readonly kind: string;
  readonly place: string;
  readonly text: string;
  readonly environment: CelEnvironment;
  /** The types it may have; one that is known only at run time is always accepted. */
  readonly types: readonly RuleType[];
  readonly costLimit: number;
}

/** Compiles an expression; a text says what is wrong with it. */
export function compileRule({ kind, place, text, environment, types, costLimit }: RuleSource): Rule | string {
  const compiled = environment.compile(text, { literals: "validate" });
  if (compiled.kind === "issues") {
    return compiled.issues.map(({ message, line, column }) => `${place}: ${line}:${column}: ${message}`).join("; ");
  }
  const { program } = compiled;
  const isFitting = program.type.kind === "dyn" || types.some((type) => type === program.type.kind);
  if (!isFitting) return `${place}: gives ${formatType(program.type)} where ${types.join(" or ")} is wanted`;
  return new Rule({ kind, place, program, costLimit });
}

const SHOWN_MAX = 100;

function shown(value: CelValue): string {
  try {
    const text = stringifyJson(celToJson(value));
    return text.length > SHOWN_MAX ? `${truncateText(text, SHOWN_MAX)}…` : text;
  } catch (error) {
    if (error instanceof CelStop) return "something huge";
    throw error;
  }
}
