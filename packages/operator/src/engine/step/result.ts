import type { ConditionUpdate } from "@levelset/core";
import { joinMessages, MESSAGE_MAX, toError, unreachable } from "@levelset/core/internal";
import type { ObjectRef } from "./object-ref.ts";

/** Overrides the default condition of a step's result. */
export type ConditionOverride = Partial<Omit<ConditionUpdate, "type" | "message">>;

/** Options of a result that is not ok. */
export interface ResultOptions extends ConditionOverride {
  /**
   * The objects that the result is about: those it waits for, or those that failed. `levelset why` inspects them next.
   */
  readonly on?: readonly ObjectRef[];
}

/** Optional fields of every result that is not ok. */
interface Remarks {
  readonly condition?: ConditionOverride;
  readonly on?: readonly ObjectRef[];
}

/** The result of one phase of one step. */
export type Result<Out = void> =
  | { readonly kind: "ok"; readonly value: Out }
  /** Not done yet; the change of a watched object triggers the next run, without a timer. */
  | ({ readonly kind: "wait"; readonly reason: string } & Remarks)
  /** Not done yet; the object is requeued after a delay. */
  | ({ readonly kind: "requeueAfter"; readonly reason: string; readonly afterMs: number } & Remarks)
  /** Failed; the object is retried with backoff. */
  | ({ readonly kind: "fail"; readonly error: Error } & Remarks)
  /** Failed; the object is not retried until its spec or an input changes. */
  | ({ readonly kind: "terminal"; readonly error: Error } & Remarks);

/** A result, or a promise of one. */
export type MaybeAsyncResult<Out> = Result<Out> | Promise<Result<Out>>;

/** Any result, where the value does not matter. */
export type AnyResult = Result<unknown>;

/** Returns the result of a finished step; later steps may read `value` with `req.from(step)`. */
export function ok(): Result<undefined>;
export function ok<Out>(value: Out): Result<Out>;
export function ok<Out>(value?: Out): Result<Out | undefined> {
  return { kind: "ok", value };
}

/**
 * Returns a result that waits for a change of a watched object. Assumes that such a change will come: no timer is set.
 */
export function wait(reason: string, remark?: ResultOptions): Result<never> {
  return { kind: "wait", reason, ...remarks(remark) };
}

/** Returns a result that requeues the object after `afterMs` milliseconds, which must be finite and not negative. */
export function requeueAfter(reason: string, afterMs: number, remark?: ResultOptions): Result<never> {
  return { kind: "requeueAfter", reason, afterMs, ...remarks(remark) };
}

/** Returns a failure that is retried with backoff. */
export function fail(error: unknown, remark?: ResultOptions): Result<never> {
  return { kind: "fail", error: toError(error), ...remarks(remark) };
}

/** Returns a failure that is not retried until the spec or an input changes. */
export function terminal(error: unknown, remark?: ResultOptions): Result<never> {
  return { kind: "terminal", error: toError(error), ...remarks(remark) };
}

/**
 * Returns the value of a step if it is a valid result; throws a `TypeError` otherwise, as JavaScript callers may return
 * anything.
 */
export function checkResult(answer: unknown, by: string): AnyResult {
  const result = answer as AnyResult; // checked below
  if (typeof answer !== "object" || answer === null || !Object.hasOwn(SEVERITY, result.kind)) {
    throw new TypeError(
      `${by} returned ${describeValue(answer)}; return ok(), wait(), requeueAfter(), fail() or terminal()`,
    );
  }
  if (result.kind === "requeueAfter" && !(result.afterMs >= 0 && result.afterMs < Number.POSITIVE_INFINITY)) {
    throw new TypeError(
      `${by} returned requeueAfter with an invalid delay of ${String(result.afterMs)} ms; use a finite number, 0 or more`,
    );
  }
  return result;
}

function describeValue(result: unknown): string {
  const isPlain = typeof result === "number" || typeof result === "boolean" || result === undefined;
  return isPlain ? String(result) : result === null ? "null" : `a value of type ${typeof result}`;
}

function remarks(remark: ResultOptions | undefined): Remarks {
  if (remark === undefined) return {};
  const { on, ...condition } = remark;
  return { condition, ...(on === undefined ? {} : { on }) };
}

const SEVERITY = { ok: 0, wait: 1, requeueAfter: 2, terminal: 3, fail: 4 } as const;

/**
 * Combines the results of the steps to the result of a run: the most severe one (fail > terminal > requeueAfter > wait
 * > ok), independent of their order. Keeps the shortest requeue delay, every error, and the reasons of equally severe
 * results; a single error keeps its options.
 */
export function combineResults(results: readonly AnyResult[]): AnyResult {
  const most = results.reduce((a, b) => Math.max(a, SEVERITY[b.kind]), 0);
  const worst = results.filter((result) => SEVERITY[result.kind] === most);
  const [first] = worst;
  if (first === undefined) return ok();
  switch (first.kind) {
    case "ok":
      return ok();
    case "wait":
      return { ...first, reason: joinedReasons(first, worst) };
    case "requeueAfter": {
      const soonest = worst.reduce<typeof first>((a, b) => (b.kind === a.kind && b.afterMs < a.afterMs ? b : a), first);
      return { ...soonest, reason: joinedReasons(soonest, worst) };
    }
    case "fail":
    case "terminal": {
      const errors = results.flatMap(errorsOf);
      // A single error keeps the condition override and the objects of its step.
      return errors.length === 1 ? first : { kind: first.kind, error: joined(errors) };
    }
    default:
      return unreachable(first);
  }
}

/** Returns the reasons of all results with the severity of one of them. */
function joinedReasons({ condition }: Remarks, results: readonly AnyResult[]): string {
  const equal = results.filter((one) => one.kind !== "ok" && one.condition?.severity === condition?.severity);
  return joinMessages(equal.map(describeResult), MESSAGE_MAX);
}

function errorsOf(result: AnyResult): readonly Error[] {
  return result.kind === "fail" || result.kind === "terminal" ? [result.error] : [];
}

function joined(errors: readonly Error[]): Error {
  const messages = errors.map(({ message }) => message);
  return new AggregateError(errors, joinMessages(messages, MESSAGE_MAX));
}

/** Returns the message of a result; empty for ok. */
export function describeResult(result: AnyResult): string {
  switch (result.kind) {
    case "ok":
      return "";
    case "wait":
    case "requeueAfter":
      return result.reason;
    case "fail":
    case "terminal":
      return result.error.message;
    default:
      return unreachable(result);
  }
}
