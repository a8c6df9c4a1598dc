import { Frame } from "./plan/index.ts";
import type { CancelSignal, GlobalSlot, Plan } from "./plan/index.ts";
import { issueAt } from "./issue.ts";
import type { CelIssue } from "./issue.ts";
import { CelFault, CelStop, fromJson } from "./value/index.ts";
import type { CelOutcome, CelType, CelValue } from "./value/index.ts";
import type { CostEstimate, SizeHints } from "./cost/index.ts";

/** The default bound on what one evaluation may cost, the same as Kubernetes has for a rule. */
export const CEL_COST_LIMIT = 1_000_000;

/** Values for variables, by name. JSON data may be given as it is. */
export type CelBindings = Readonly<Record<string, CelValue>>;

/** Bounds on an evaluation. */
export interface EvaluateOptions {
  /** What it may cost; `CEL_COST_LIMIT` if left out. */
  readonly costLimit?: number;
  /** Asked every thousand units of cost. An AbortSignal, or a getter that compares a clock with a deadline. */
  readonly signal?: CancelSignal;
}

/** What an evaluation gives, and what it cost. */
export type CelResult =
  | { readonly kind: "value"; readonly value: CelValue; readonly cost: number }
  | {
      readonly kind: "error";
      readonly error: CelIssue;
      /** Whether the error is that something in the data is not there: a key, an item, a variable. */
      readonly isAbsence: boolean;
      readonly cost: number;
    };

/** A compiled expression. Immutable: it may be evaluated any number of times, also from within an evaluation. */
export class CelProgram {
  /** The expression's text. */
  readonly source: string;
  /** The type of its values; dyn if it was not checked. */
  readonly type: CelType;
  readonly #plan: Plan;
  readonly #estimate: (sizes: SizeHints) => CostEstimate;

  constructor(source: string, type: CelType, plan: Plan, estimate: (sizes: SizeHints) => CostEstimate) {
    this.source = source;
    this.type = type;
    this.#plan = plan;
    this.#estimate = estimate;
  }

  /** The least and the most that an evaluation may cost, given how large the variables may be. */
  estimateCost(sizes: SizeHints = {}): CostEstimate {
    return this.#estimate(sizes);
  }

  /** Evaluates with these values. Never throws for anything in them. */
  evaluate(bindings: CelBindings = {}, options: EvaluateOptions = {}): CelResult {
    const { run, globals } = this.#plan;
    const slots = this.#plan.slots.slice();
    const limit = options.costLimit ?? CEL_COST_LIMIT;
    const frame = new Frame(slots, limit, options.signal);
    for (const global of globals) bind(slots, global, bindings);
    try {
      const outcome = run(frame);
      if (frame.spent > limit) return this.#stopped(new CelStop("cost"), frame);
      if (!(outcome instanceof CelFault)) return { kind: "value", value: outcome, cost: frame.spent };
      const error = issueAt(this.source, outcome.message, outcome.at);
      return { kind: "error", error, isAbsence: outcome.isAbsence, cost: frame.spent };
    } catch (error) {
      if (error instanceof CelStop) return this.#stopped(error, frame);
      throw error;
    }
  }

  #stopped({ reason }: CelStop, { limit, spent }: Frame): CelResult {
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
    slots[slot] = new CelFault(`undeclared reference to '${names.at(-1) ?? ""}': no such attribute`, at, true);
}
