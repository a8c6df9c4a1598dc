import { CEL_DYN, CEL_STRING, celEnvironment, celLibraries, listType, mapType } from "@levelset/core";
import type { CelEnvironment, JsonObject, JsonValue } from "@levelset/core";
import type { AdapterStatus } from "./adapter-status.ts";
import { FLEET_READINESS } from "./readiness-functions.ts";
import { redact } from "./redact.ts";
import { RULE_FUNCTIONS } from "./rule-functions.ts";
import { compileRule } from "./rule.ts";
import type { Rule, RuleType } from "./rule.ts";

/** What an evaluation of one of these expressions may cost. */
const CUSTOM_COST_LIMIT = 10_000;
/** The most characters of a condition's type. */
export const TYPE_MAX = 100;
/** The most characters of a reason. A condition with a longer one is left out. */
export const REASON_MAX = 256;
/** The most bytes of a message. A longer one is cut. */
export const MESSAGE_BYTES_MAX = 2_048;

/** The expressions of a condition that a kind defines, as its declaration has them. */
export interface CustomConditionTexts {
  readonly type: string;
  readonly when: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A condition that a kind defines: it is there while `when` holds, and says what the other expressions give. */
export interface CustomCondition {
  readonly type: string;
  readonly when: Rule;
  readonly status: Rule;
  readonly reason: Rule;
  readonly message: Rule;
}

/** What a custom condition says, without its times. */
export interface CustomFinding {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const ENVIRONMENT: CelEnvironment = celEnvironment({
  variables: { statuses: listType(mapType(CEL_STRING, CEL_DYN)), resource: mapType(CEL_STRING, CEL_DYN) },
  libraries: [...celLibraries.extensions, RULE_FUNCTIONS, FLEET_READINESS],
});

/** Compiles a condition; pushes what is wrong with it and gives undefined if anything is. */
export function compileCustomCondition(
  kind: string,
  texts: CustomConditionTexts,
  problems: string[],
): CustomCondition | undefined {
  const compile = (place: string, text: string, types: readonly RuleType[]): Rule | undefined => {
    const where = `conditions[${texts.type}].${place}`;
    const rule = compileRule({
      kind,
      place: where,
      text,
      environment: ENVIRONMENT,
      types,
      costLimit: CUSTOM_COST_LIMIT,
    });
    if (typeof rule !== "string") return rule;
    problems.push(rule);
    return undefined;
  };
  const when = compile("when", texts.when, ["bool"]);
  const status = compile("output.status", texts.status, ["bool", "string"]);
  const reason = compile("output.reason", texts.reason, ["string"]);
  const message = compile("output.message", texts.message, ["string"]);
  if (when === undefined || status === undefined || reason === undefined || message === undefined) return undefined;
  return { type: texts.type, when, status, reason, message };
}

/** What the expressions of custom conditions see: verdicts and the resource, with everything masked that sounds like a secret. */
export function customContext(
  resource: JsonObject,
  statuses: readonly AdapterStatus[],
): { readonly statuses: JsonValue; readonly resource: JsonValue } {
  return { statuses: redact(statuses.flatMap(statusView)), resource: redact(resource) };
}

/**
 * An adapter as rules see it. A condition that is Unknown is not there, but the others of its report are; an adapter that has only
 * made progress so far is not there either.
 */
function statusView({ adapter, verdict }: AdapterStatus): readonly JsonObject[] {
  if (verdict === undefined) return [];
  const conditions = verdict.conditions
    .filter(({ status }) => status !== "Unknown")
    .map(({ type, status, reason = "", message = "" }) => ({ type, status, reason, message }));
  return [{ adapter, observed_generation: verdict.observedGeneration, conditions, data: verdict.data ?? {} }];
}

/** What the conditions say about this context, by type. Throws a RuleError if an expression fails. */
export function evaluateCustom(
  conditions: readonly CustomCondition[],
  context: ReturnType<typeof customContext>,
): readonly CustomFinding[] {
  return conditions.flatMap((condition): readonly CustomFinding[] => {
    if (!condition.when.bool(context)) return [];
    const status = statusOf(condition.status, context);
    const reason = condition.reason.text(context);
    if (reason.length > REASON_MAX) return [];
    return [{ type: condition.type, status, reason, message: cut(condition.message.text(context)) }];
  });
}

function statusOf(rule: Rule, context: ReturnType<typeof customContext>): "True" | "False" {
  const value = rule.value(context);
  const text = typeof value === "string" || typeof value === "boolean" ? String(value).toLowerCase() : "";
  if (text === "true") return "True";
  if (text === "false") return "False";
  throw rule.error(`invalid status value: must be True or False`);
}

/** A text of at most so many bytes, cut between characters. */
function cut(text: string): string {
  if (text.length * 3 <= MESSAGE_BYTES_MAX) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MESSAGE_BYTES_MAX));
  return text.slice(0, read);
}
