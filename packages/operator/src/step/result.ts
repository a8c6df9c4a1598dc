import { toError, unreachable } from "@levelset/core";
import type { Finding } from "@levelset/core";

/** What a step may say about its condition when the default for its result does not fit. */
export type ConditionOverride = Partial<Pick<Finding, "status" | "severity" | "reason">>;

/** What came of one phase of one step. */
export type Result<Out = void> =
  | { readonly kind: "ok"; readonly value: Out }
  /** Not yet, and no timer: a watched object will wake us. */
  | { readonly kind: "wait"; readonly reason: string; readonly condition?: ConditionOverride }
  /** Not yet; look again after a while. */
  | {
      readonly kind: "requeueAfter";
      readonly reason: string;
      readonly afterMs: number;
      readonly condition?: ConditionOverride;
    }
  /** It went wrong; tried again with growing delays. */
  | { readonly kind: "fail"; readonly error: Error; readonly condition?: ConditionOverride }
  /** It went wrong, and trying again is useless before the spec or an input changes. */
  | { readonly kind: "terminal"; readonly error: Error; readonly condition?: ConditionOverride };

/** A result now or later. */
export type Eventually<Out> = Result<Out> | Promise<Result<Out>>;

/** Any result, where the value does not matter. */
export type AnyResult = Result<unknown>;

/** The step is done; later steps may read `value` with `req.from(step)`. */
export function ok(): Result<undefined>;
export function ok<Out>(value: Out): Result<Out>;
export function ok<Out>(value?: Out): Result<Out | undefined> {
  return { kind: "ok", value };
}

/** Not yet; something that we watch will change. */
export function wait(reason: string, condition?: ConditionOverride): Result<never> {
  return { kind: "wait", reason, ...withCondition(condition) };
}

/** Not yet; look again in `afterMs` milliseconds. */
export function requeueAfter(reason: string, afterMs: number, condition?: ConditionOverride): Result<never> {
  return { kind: "requeueAfter", reason, afterMs, ...withCondition(condition) };
}

/** It went wrong; a retry may help. */
export function fail(error: unknown, condition?: ConditionOverride): Result<never> {
  return { kind: "fail", error: toError(error), ...withCondition(condition) };
}

/** It went wrong; only a change of the spec or of an input helps. */
export function terminal(error: unknown, condition?: ConditionOverride): Result<never> {
  return { kind: "terminal", error: toError(error), ...withCondition(condition) };
}

function withCondition(condition: ConditionOverride | undefined): { readonly condition?: ConditionOverride } {
  return condition === undefined ? {} : { condition };
}

const SEVERITY = { ok: 0, wait: 1, requeueAfter: 2, terminal: 3, fail: 4 } as const;

/**
 * The result of a run from those of its steps: the most severe (fail > terminal > requeueAfter > wait > ok), whatever their
 * order. The shortest requeue and every error survive.
 */
export function combine(results: readonly AnyResult[]): AnyResult {
  const most = results.reduce((a, b) => Math.max(a, SEVERITY[b.kind]), 0);
  const worst = results.filter((result) => SEVERITY[result.kind] === most);
  const [first] = worst;
  if (first === undefined) return ok();
  switch (first.kind) {
    case "ok":
      return ok();
    case "wait":
      return first;
    case "requeueAfter":
      return worst.reduce<AnyResult>((a, b) => (afterMs(b) < afterMs(a) ? b : a), first);
    case "fail":
    case "terminal":
      return { kind: first.kind, error: joined(results.flatMap(errorsOf)) };
    default:
      return unreachable(first);
  }
}

function afterMs(result: AnyResult): number {
  return result.kind === "requeueAfter" ? result.afterMs : Number.POSITIVE_INFINITY;
}

function errorsOf(result: AnyResult): readonly Error[] {
  return result.kind === "fail" || result.kind === "terminal" ? [result.error] : [];
}

function joined(errors: readonly Error[]): Error {
  const [first, ...others] = errors;
  if (first !== undefined && others.length === 0) return first;
  return new AggregateError(errors, errors.map((error) => error.message).join("; "));
}

/** The words of a result for people; empty for ok. */
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
