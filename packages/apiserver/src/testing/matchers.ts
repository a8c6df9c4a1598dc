import { describeGeneration } from "@levelset/core/internal";
import { findCondition, generationState, isReady, READY } from "@levelset/core";
import type { Condition, ObjectWithConditions, ConditionStatus, Severity } from "@levelset/core";

/** Result of a vitest or jest matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Expected fields of a condition in addition to its status. */
export interface ExpectedCondition {
  readonly severity?: Severity;
  readonly reason?: string;
  /** Exact text, or a pattern. */
  readonly message?: string | RegExp;
}

/** Passes if the condition Ready is True and was observed for the current generation. */
export function toBeReady(received: ObjectWithConditions): MatcherResult {
  const pass = isReady(received);
  const ready = findCondition(received.status?.conditions, READY);
  const state = generationState(received);
  const behind = state === "current" ? "" : ` (${describeGeneration(received)})`;
  return {
    pass,
    message: () =>
      `expected ${received.kind} ${received.metadata.name} ${pass ? "not " : ""}to be ready: ${describe(ready)}${behind}`,
  };
}

/** Passes if the object has the condition with the status and, if given, severity, reason and message. */
export function toHaveCondition(
  received: ObjectWithConditions,
  type: string,
  status: ConditionStatus,
  expected: ExpectedCondition = {},
): MatcherResult {
  const found = findCondition(received.status?.conditions, type);
  const pass = found !== undefined && found.status === status && meets(found, expected);
  const desired = [status, expected.severity, expected.reason, expected.message]
    .filter((part) => part !== undefined)
    .join(" ");
  return {
    pass,
    message: () =>
      `expected ${received.kind} ${received.metadata.name} ${pass ? "not " : ""}to have ${type} ${desired}: ${describe(found)}`,
  };
}

function meets(found: Condition, expected: ExpectedCondition): boolean {
  const { severity, reason, message } = expected;
  if (severity !== undefined && found.severity !== severity) return false;
  if (reason !== undefined && found.reason !== reason) return false;
  if (message === undefined) return true;
  return typeof message === "string" ? found.message === message : message.test(found.message);
}

function describe(condition: Condition | undefined): string {
  if (condition === undefined) return "it has no such condition";
  const { type, status, severity, reason, message } = condition;
  return `${type} is ${[status, severity, reason].filter((part) => part !== undefined).join(" ")}: ${message}`;
}

/** All matchers, for `expect.extend(matchers)`. */
export const matchers: {
  readonly toBeReady: typeof toBeReady;
  readonly toHaveCondition: typeof toHaveCondition;
} = { toBeReady, toHaveCondition };
