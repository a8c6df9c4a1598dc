import { formatType } from "@levelset/core/cel";
import { InputError } from "@levelset/core";
import type { CelBindings, CelProgram, CelType, CelValue } from "@levelset/core/cel";
import type { DecisionExpressions } from "./decision-expressions.ts";
import { DecisionTimes } from "./decision-times.ts";
import { EXPRESSION_COST_LIMIT, BUILTIN_VARIABLES, pulseCelBindings, pulseCelEnvironment } from "./pulse-subject.ts";
import type { PulseSubject } from "./pulse-subject.ts";

/** Result of a decision. `failed`: an expression cannot be evaluated for this resource, so it is not pulsed. */
export type DecisionResult =
  | { readonly kind: "pulse" }
  | { readonly kind: "skip" }
  | { readonly kind: "failed"; readonly reason: string };

/** When a decision becomes true if the resource does not change. `unknown`: the expressions cannot be analyzed. */
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

/** A compiled decision. Depends only on the resource and the time. */
export class PulseDecision {
  readonly texts: DecisionExpressions;
  readonly #params: readonly Step[];
  readonly #result: CelProgram;
  readonly #thresholds: DecisionTimes;

  /** Throws an InputError that names every invalid parameter. */
  constructor(texts: DecisionExpressions, path = "message_decision") {
    const problems: string[] = [];
    const variables = new Map<string, CelType>();
    const compile = (where: string, text: string): CelProgram | undefined => {
      const compiled = pulseCelEnvironment(variables).compile(text, { literals: "validate" });
      if (compiled.kind === "program") return compiled.program;
      problems.push(...compiled.issues.map(({ message, line, column }) => `${where}: ${line}:${column}: ${message}`));
      return undefined;
    };
    const params = texts.params.flatMap(({ name, expr }, index): readonly Step[] => {
      const where = `param "${name}"`;
      if (!PARAM_NAME.test(name)) problems.push(`params[${index}].name: must be a name such as is_stale`);
      else if (variables.has(name)) problems.push(`${where}: duplicate name`);
      else if (BUILTIN_VARIABLES.includes(name)) problems.push(`${where}: is a reserved name`);
      const program = expr.trim() === "" ? void problems.push(`${where}: expr is empty`) : compile(where, expr);
      // An invalid parameter is still declared, so that later ones get no follow-up errors.
      variables.set(name, program?.type ?? { kind: "dyn" });
      return program === undefined ? [] : [{ name, program }];
    });
    const result =
      texts.result.trim() === "" ? void problems.push("result: is empty") : compile("result", texts.result);
    if (result !== undefined && result.type.kind !== "bool" && result.type.kind !== "dyn")
      problems.push(`result: must be a bool, not ${formatType(result.type)}`);
    if (problems.length > 0 || result === undefined) throw new InputError(`${path}: ${problems.join("; ")}`);
    this.texts = texts;
    this.#params = params;
    this.#result = result;
    this.#thresholds = new DecisionTimes(texts, variables);
  }

  /**
   * Returns the generations for which the decision may differ, if it depends only on the freshness of these
   * conditions; else undefined.
   */
  generationsIf(conditions: readonly string[]): readonly number[] | undefined {
    return this.#thresholds.readsOnly(conditions) ? this.#thresholds.generations : undefined;
  }

  /** Decides whether to pulse. */
  decide(subject: PulseSubject): DecisionResult {
    const evaluated = this.#evaluate(subject);
    if (evaluated.kind === "failed") return evaluated;
    return evaluated.result ? { kind: "pulse" } : { kind: "skip" };
  }

  /**
   * Returns the first millisecond after now at which the decision is true. A decision only changes where one of its
   * comparisons with now flips, so only those times and the next millisecond are tried.
   */
  next({ resource, now }: PulseSubject): NextPulse {
    const evaluated = this.#evaluate({ resource, now });
    if (evaluated.kind === "failed") return { kind: "unknown" };
    const turns = this.#thresholds.after(now, { ...pulseCelBindings({ resource, now }), ...evaluated.values });
    if (turns === undefined) return { kind: "unknown" };
    const time = [now + 1, ...turns].find((turn) => this.decide({ resource, now: turn }).kind === "pulse");
    return time === undefined ? { kind: "never" } : { kind: "at", time };
  }

  #evaluate(subject: PulseSubject): Evaluated {
    const bindings = pulseCelBindings(subject);
    const values: Record<string, CelValue> = {};
    for (const { name, program } of this.#params) {
      const result = program.evaluate({ ...bindings, ...values }, { costLimit: EXPRESSION_COST_LIMIT });
      if (result.kind === "error")
        return { kind: "failed", reason: `param "${name}" evaluation failed: ${result.error.message}` };
      values[name] = result.value;
    }
    const result = this.#result.evaluate({ ...bindings, ...values }, { costLimit: EXPRESSION_COST_LIMIT });
    if (result.kind === "error") return { kind: "failed", reason: `result evaluation failed: ${result.error.message}` };
    if (typeof result.value !== "boolean") return { kind: "failed", reason: "result is not a bool" };
    return { kind: "values", values, result: result.value };
  }
}
