import { ExecutionFrame } from "./plan/index.ts";
import type { CancelSignal, GlobalSlot, CelPlan } from "./plan/index.ts";
import { issueAt } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { CelError, EvalCancelledError, fromJson } from "./value/index.ts";
import type { CelOutcome, CelType, CelValue } from "./value/index.ts";
import type { CostEstimate, SizeHints } from "./cost/index.ts";

/** Default cost limit of one evaluation (`PerCallLimit`, k8s.io/apiserver/pkg/apis/cel/config.go). */
export const CEL_COST_LIMIT = 1_000_000;

/** Values of variables, by name. JSON data can be passed unchanged. */
export type CelBindings = Readonly<Record<string, CelValue>>;

/** Limits of an evaluation. */
export interface EvaluateOptions {
  /** The cost limit. Default: `CEL_COST_LIMIT`. */
  readonly costLimit?: number;
  /** Checked every thousand units of cost. An AbortSignal, or a getter that compares a clock with a deadline. */
  readonly signal?: CancelSignal;
}

/** The result of an evaluation and its cost. */
export type CelResult =
  | { readonly kind: "value"; readonly value: CelValue; readonly cost: number }
  | {
      readonly kind: "error";
      readonly error: CelIssue;
      /** Reports whether the error is a missing key, item or variable. */
      readonly isAbsence: boolean;
      readonly cost: number;
    };

/** A compiled expression. Immutable and reentrant. */
export class CelProgram {
  /** The expression's text. */
  readonly source: string;
  /** The result type; dyn if the expression was not checked. */
  readonly type: CelType;
  readonly #plan: CelPlan;
  readonly #estimate: (sizes: SizeHints) => CostEstimate;

  constructor(source: string, type: CelType, plan: CelPlan, estimate: (sizes: SizeHints) => CostEstimate) {
    this.source = source;
    this.type = type;
    this.#plan = plan;
    this.#estimate = estimate;
  }

  /** Estimates the minimum and maximum cost of an evaluation from the size limits of the variables. */
  estimateCost(sizes: SizeHints = {}): CostEstimate {
    return this.#estimate(sizes);
  }

  /** Evaluates the expression. Does not throw for any data. */
  evaluate(bindings: CelBindings = {}, options: EvaluateOptions = {}): CelResult {
    const { run, globals } = this.#plan;
    const slots = this.#plan.slots.slice();
    const limit = options.costLimit ?? CEL_COST_LIMIT;
    const frame = new ExecutionFrame(slots, limit, options.signal);
    for (const global of globals) bind(slots, global, bindings);
    try {
      const outcome = run(frame);
      if (frame.spent > limit) return this.#stopped(new EvalCancelledError("cost"), frame);
      if (!(outcome instanceof CelError)) return { kind: "value", value: outcome, cost: frame.spent };
      const error = issueAt(this.source, outcome.message, outcome.at);
      return { kind: "error", error, isAbsence: outcome.isMissing, cost: frame.spent };
    } catch (error) {
      if (error instanceof EvalCancelledError) return this.#stopped(error, frame);
      throw error;
    }
  }

  #stopped({ reason }: EvalCancelledError, { limit, spent }: ExecutionFrame): CelResult {
    const message =
      reason === "cost"
        ? `cost limit exceeded: the evaluation costs more than ${limit}`
        : `evaluation cancelled after a cost of ${Math.ceil(spent)}`;
    return { kind: "error", error: issueAt(this.source, message, -1), isAbsence: false, cost: spent };
  }
}

function bind(slots: CelOutcome[], { slot, names, type, isTentative, at }: GlobalSlot, bindings: CelBindings): void {
  for (const name of names) {
    const value = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
    if (value === undefined) continue;
    slots[slot] = fromJson(value, type);
    return;
  }
  if (!isTentative)
    slots[slot] = new CelError(`undeclared reference to '${names.at(-1) ?? ""}': no such attribute`, at, true);
}
