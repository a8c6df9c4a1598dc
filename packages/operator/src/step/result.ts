import { toError, unreachable } from "@levelset/core";
import type { Finding } from "@levelset/core";
import type { ObjectRef } from "./object-ref.ts";

/** What a step may say about its condition when the default for its result does not fit. */
export type ConditionOverride = Partial<Pick<Finding, "status" | "severity" | "reason">>;

/** What a step may add to a result that is not ok. */
export interface Remark extends ConditionOverride {
  /** The objects that it is about: those it waits for, or those that are wrong. `levelset why` follows them. */
  readonly on?: readonly ObjectRef[];
}

/** What every result that is not ok may carry. */
interface Remarks {
  readonly condition?: ConditionOverride;
  readonly on?: readonly ObjectRef[];
}

/** What came of one phase of one step. */
export type Result<Out = void> =
  | { readonly kind: "ok"; readonly value: Out }
  /** Not yet, and no timer: a watched object will wake us. */
  | ({ readonly kind: "wait"; readonly reason: string } & Remarks)
  /** Not yet; look again after a while. */
  | ({ readonly kind: "requeueAfter"; readonly reason: string; readonly afterMs: number } & Remarks)
  /** It went wrong; tried again with growing delays. */
  | ({ readonly kind: "fail"; readonly error: Error } & Remarks)
  /** It went wrong, and trying again is useless before the spec or an input changes. */
  | ({ readonly kind: "terminal"; readonly error: Error } & Remarks);

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
export function wait(reason: string, remark?: Remark): Result<never> {
  return { kind: "wait", reason, ...remarks(remark) };
}

/** Not yet; look again in `afterMs` milliseconds. */
export function requeueAfter(reason: string, afterMs: number, remark?: Remark): Result<never> {
  return { kind: "requeueAfter", reason, afterMs, ...remarks(remark) };
}

/** It went wrong; a retry may help. */
export function fail(error: unknown, remark?: Remark): Result<never> {
  return { kind: "fail", error: toError(error), ...remarks(remark) };
}

/** It went wrong; only a change of the spec or of an input helps. */
export function terminal(error: unknown, remark?: Remark): Result<never> {
  return { kind: "terminal", error: toError(error), ...remarks(remark) };
}

/** What a step answered, if it is a result. Not everybody compiles with TypeScript: anything else is a defect that says so. */
export function checkResult(answer: unknown, by: string): AnyResult {
  const result = answer as AnyResult; // looked at before anybody believes it
  if (typeof answer !== "object" || answer === null || !Object.hasOwn(SEVERITY, result.kind)) {
    throw new TypeError(
      `${by} answered with ${inWords(answer)}; it ends with ok(), wait(), requeueAfter(), fail() or terminal()`,
    );
  }
  if (result.kind === "requeueAfter" && !(result.afterMs >= 0 && result.afterMs < Number.POSITIVE_INFINITY)) {
    throw new TypeError(`${by} asks to look again after ${String(result.afterMs)} ms, which is no duration`);
  }
  return result;
}

function inWords(answer: unknown): string {
  const isPlain = typeof answer === "number" || typeof answer === "boolean" || answer === undefined;
  return isPlain ? String(answer) : answer === null ? "null" : `some ${typeof answer}`;
}

function remarks(remark: Remark | undefined): Remarks {
  if (remark === undefined) return {};
  const { on, ...condition } = remark;
  return { condition, ...(on === undefined ? {} : { on }) };
}

const SEVERITY = { ok: 0, wait: 1, requeueAfter: 2, terminal: 3, fail: 4 } as const;

/**
 * The result of a run from those of its steps: the most severe (fail > terminal > requeueAfter > wait > ok), whatever their
 * order. The shortest requeue and every error survive, and a single error with its remarks.
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
    case "terminal": {
      const errors = results.flatMap(errorsOf);
      // A single error keeps what its step says about its condition and its objects.
      return errors.length === 1 ? first : { kind: first.kind, error: joined(errors) };
    }
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
