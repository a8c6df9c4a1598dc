import { CEL_DYN, CEL_STRING, celEnvironment, celLibraries, listType, mapType } from "@levelset/core/cel";
import { redactFields } from "@levelset/core/internal";
import type { CelEnvironment } from "@levelset/core/cel";
import type { JsonObject, JsonValue } from "@levelset/core";
import type { AdapterStatus } from "../report/adapter-status.ts";
import { FLEET_READINESS } from "./readiness-functions.ts";
import { RULE_FUNCTIONS } from "./rule-functions.ts";
import { compileRule } from "./rule.ts";
import type { Rule, RuleType } from "./rule.ts";

/** Cost limit of one expression. */
const CUSTOM_COST_LIMIT = 10_000;
/** Maximum length of a condition type. */
export const TYPE_MAX = 100;
/** Maximum length of a reason. A condition with a longer one is omitted. */
export const REASON_MAX = 256;
/** Maximum size of a message in bytes. A longer one is truncated. */
export const MESSAGE_BYTES_MAX = 2_048;

/** Source expressions of a custom condition. */
export interface CustomConditionExpressions {
  readonly type: string;
  readonly when: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A condition defined by a kind: it exists while `when` is true; the other expressions yield its fields. */
export interface CustomCondition {
  readonly type: string;
  readonly when: Rule;
  readonly status: Rule;
  readonly reason: Rule;
  readonly message: Rule;
}

/** An evaluated custom condition, without times. */
export interface CustomConditionUpdate {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const ENVIRONMENT: CelEnvironment = celEnvironment({
  variables: { statuses: listType(mapType(CEL_STRING, CEL_DYN)), resource: mapType(CEL_STRING, CEL_DYN) },
  libraries: [...celLibraries.extensions, RULE_FUNCTIONS, FLEET_READINESS],
});

/** Compiles a condition. Adds problems and returns undefined if it is invalid. */
export function compileCustomCondition(
  kind: string,
  texts: CustomConditionExpressions,
  problems: string[],
): CustomCondition | undefined {
  const compile = (path: string, text: string, types: readonly RuleType[]): Rule | undefined => {
    const where = `conditions[${texts.type}].${path}`;
    const rule = compileRule({
      kind,
      path: where,
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

/** Builds the variables of custom conditions: verdicts and the resource, with secret-like fields redacted. */
export function customContext(
  resource: JsonObject,
  statuses: readonly AdapterStatus[],
): { readonly statuses: JsonValue; readonly resource: JsonValue } {
  return { statuses: redactFields(statuses.flatMap(statusView)), resource: redactFields(resource) };
}

/** An adapter as seen by rules. Unknown conditions are omitted; an adapter without a verdict is omitted too. */
function statusView({ adapter, verdict }: AdapterStatus): readonly JsonObject[] {
  if (verdict === undefined) return [];
  const conditions = verdict.conditions
    .filter(({ status }) => status !== "Unknown")
    .map(({ type, status, reason = "", message = "" }) => ({ type, status, reason, message }));
  return [{ adapter, observed_generation: verdict.observedGeneration, conditions, data: verdict.data ?? {} }];
}

/** Evaluates the conditions by type. Throws a RuleError if an expression fails. */
export function evaluateCustom(
  conditions: readonly CustomCondition[],
  context: ReturnType<typeof customContext>,
): readonly CustomConditionUpdate[] {
  return conditions.flatMap((condition): readonly CustomConditionUpdate[] => {
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

/** Truncates a text to the maximum number of bytes, between characters. */
function cut(text: string): string {
  if (text.length * 3 <= MESSAGE_BYTES_MAX) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MESSAGE_BYTES_MAX));
  return text.slice(0, read);
}
