import { formatType, InputError } from "@levelset/core";
import type { CelBindings, CelProgram, CelType, CelValue } from "@levelset/core";
import type { DecisionTexts } from "./decision-texts.ts";
import { Thresholds } from "./thresholds.ts";
import { EXPRESSION_COST_LIMIT, GIVEN_NAMES, subjectBindings, subjectEnvironment } from "./subject.ts";
import type { Subject } from "./subject.ts";

/** Whether to pulse. `failed`: an expression cannot be evaluated on this resource, so it is not pulsed. */
export type Verdict =
  | { readonly kind: "pulse" }
  | { readonly kind: "skip" }
  | { readonly kind: "failed"; readonly reason: string };

/** When a decision is next true, as far as the resource stays as it is. `unknown`: its expressions do not tell. */
export type NextPulse =
  | { readonly kind: "at"; readonly time: number }
  | { readonly kind: "never" }
  | { readonly kind: "unknown" };

interface Step {
  readonly name: string;
  readonly program: CelProgram;
}

type Evaluated =
  | { readonly kind: "values"; readonly values: CelBindings; readonly result: boolean }
  | { readonly kind: "failed"; readonly reason: string };

const PARAM_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** A decision that was compiled. It depends on nothing but the resource and the moment. */
export class Decision {
  readonly texts: DecisionTexts;
  readonly #params: readonly Step[];
  readonly #result: CelProgram;
  readonly #thresholds: Thresholds;

  /** Throws an InputError that names every parameter at fault. */
  constructor(texts: DecisionTexts, place = "message_decision") {
    const problems: string[] = [];
    const variables = new Map<string, CelType>();
    const compile = (where: string, text: string): CelProgram | undefined => {
      const compiled = subjectEnvironment(variables).compile(text, { literals: "validate" });
      if (compiled.kind === "program") return compiled.program;
      problems.push(...compiled.issues.map(({ message, line, column }) => `${where}: ${line}:${column}: ${message}`));
      return undefined;
    };
    const params = texts.params.flatMap(({ name, expr }, index): readonly Step[] => {
      const where = `param "${name}"`;
      if (!PARAM_NAME.test(name)) problems.push(`params[${index}].name: must be a name such as is_stale`);
      else if (variables.has(name)) problems.push(`${where}: is there twice`);
      else if (GIVEN_NAMES.includes(name)) problems.push(`${where}: has the name of something that is given`);
      const program = expr.trim() === "" ? void problems.push(`${where}: expr is empty`) : compile(where, expr);
      // What is at fault is declared nevertheless, so that those after it are not blamed for it.
      variables.set(name, program?.type ?? { kind: "dyn" });
      return program === undefined ? [] : [{ name, program }];
    });
    const result =
      texts.result.trim() === "" ? void problems.push("result: is empty") : compile("result", texts.result);
    if (result !== undefined && result.type.kind !== "bool" && result.type.kind !== "dyn")
      problems.push(`result: gives ${formatType(result.type)} where bool is wanted`);
    if (problems.length > 0 || result === undefined) throw new InputError(`${place}: ${problems.join("; ")}`);
    this.texts = texts;
    this.#params = params;
    this.#result = result;
    this.#thresholds = new Thresholds(texts, variables);
  }

  /** The generations on which it may differ, if nothing else of a resource matters but how fresh these conditions are; else undefined. */
  generationsIf(conditions: readonly string[]): readonly number[] | undefined {
    return this.#thresholds.readsOnly(conditions) ? this.#thresholds.generations : undefined;
  }

  /** Whether to pulse. */
  decide(subject: Subject): Verdict {
    const evaluated = this.#evaluate(subject);
    if (evaluated.kind === "failed") return evaluated;
    return evaluated.result ? { kind: "pulse" } : { kind: "skip" };
  }

  /**
   * The first whole millisecond after now at which the decision is true. Between the moments at which one of its comparisons with
   * now turns, a decision does not change: so only those moments are tried, and the next one.
   */
  next({ resource, now }: Subject): NextPulse {
    const evaluated = this.#evaluate({ resource, now });
    if (evaluated.kind === "failed") return { kind: "unknown" };
    const turns = this.#thresholds.after(now, { ...subjectBindings({ resource, now }), ...evaluated.values });
    if (turns === undefined) return { kind: "unknown" };
    const time = [now + 1, ...turns].find((turn) => this.decide({ resource, now: turn }).kind === "pulse");
    return time === undefined ? { kind: "never" } : { kind: "at", time };
  }

  #evaluate(subject: Subject): Evaluated {
    const given = subjectBindings(subject);
    const values: Record<string, CelValue> = {};
    for (const { name, program } of this.#params) {
      const result = program.evaluate({ ...given, ...values }, { costLimit: EXPRESSION_COST_LIMIT });
      if (result.kind === "error")
        return { kind: "failed", reason: `param "${name}" evaluation failed: ${result.error.message}` };
      values[name] = result.value;
    }
    const result = this.#result.evaluate({ ...given, ...values }, { costLimit: EXPRESSION_COST_LIMIT });
    if (result.kind === "error") return { kind: "failed", reason: `result evaluation failed: ${result.error.message}` };
    if (typeof result.value !== "boolean") return { kind: "failed", reason: "result is not a bool" };
    return { kind: "values", values, result: result.value };
  }
}
