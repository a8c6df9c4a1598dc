import { describeGeneration, findCondition, generationState, isReady, READY } from "@levelset/core";
import type { Condition, Conditioned, ConditionStatus, Severity } from "@levelset/core";

/** What a matcher of vitest or jest answers with. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What a condition must say besides its status. */
export interface ExpectedCondition {
  readonly severity?: Severity;
  readonly reason?: string;
  /** A text that must be equal, or a pattern that must match. */
  readonly message?: string | RegExp;
}

/** Passes when the latest spec of the object has been reached: Ready is True and speaks of the present generation. */
export function toBeReady(received: Conditioned): MatcherResult {
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

/** Passes when the object has this condition with this status and, where given, severity, reason and message. */
export function toHaveCondition(
  received: Conditioned,
  type: string,
  status: ConditionStatus,
  expected: ExpectedCondition = {},
): MatcherResult {
  const found = findCondition(received.status?.conditions, type);
  const pass = found !== undefined && found.status === status && meets(found, expected);
  const wanted = [status, expected.severity, expected.reason, expected.message]
    .filter((part) => part !== undefined)
    .join(" ");
  return {
    pass,
    message: () =>
      `expected ${received.kind} ${received.metadata.name} ${pass ? "not " : ""}to have ${type} ${wanted}: ${describe(found)}`,
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
