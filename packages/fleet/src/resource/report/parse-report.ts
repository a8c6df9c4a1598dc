import { isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { Report, ReportedCondition, ReportedStatus } from "./adapter-status.ts";
import type { FieldProblem } from "../field-problem.ts";
import { parseTime } from "../time.ts";

/** Maximum age of a report's observed time. */
export const OBSERVED_PAST_MS: number = 30 * 60_000;
/** How far in the future a report's observed time may be, to tolerate clock skew. */
export const OBSERVED_FUTURE_MS: number = 5 * 60_000;
/** Maximum length of an adapter's name. */
export const ADAPTER_NAME_MAX = 255;
/** Maximum number of conditions of a report. */
export const CONDITIONS_MAX = 64;
/** Maximum generation on the wire. */
const GENERATION_MAX = 2 ** 31 - 1;

const STATUSES: readonly unknown[] = ["True", "False", "Unknown"] satisfies readonly ReportedStatus[];

/** A parsed report, or all its problems. */
export type ParsedReport =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/** Parses the body of a status report. Unknown fields are ignored. */
export function parseReport(body: unknown, now: number): ParsedReport {
  if (!isJsonObject(body))
    return { kind: "invalid", problems: [{ field: "", message: "the report must be an object" }] };
  const problems: FieldProblem[] = [];
  const adapter = adapterOf(body["adapter"], problems);
  const observedGeneration = generationOf(body["observed_generation"], problems);
  const observedTime = timeOf(body["observed_time"], now, problems);
  const conditions = conditionsOf(body["conditions"], problems);
  const data = objectOf("data", body["data"], problems);
  const metadata = objectOf("metadata", body["metadata"], problems);
  if (problems.length > 0) return { kind: "invalid", problems };
  const report = { adapter, observedGeneration, observedTime, conditions };
  return {
    kind: "report",
    report: { ...report, ...(data === undefined ? {} : { data }), ...(metadata === undefined ? {} : { metadata }) },
  };
}

function adapterOf(value: unknown, problems: FieldProblem[]): string {
  if (typeof value === "string" && value !== "" && Array.from(value).length <= ADAPTER_NAME_MAX) return value;
  const isLong = typeof value === "string" && value !== "";
  problems.push({
    field: "adapter",
    message: isLong ? `adapter must be at most ${ADAPTER_NAME_MAX} characters` : "adapter is required",
    constraint: isLong ? "max" : "required",
  });
  return "";
}

function generationOf(value: unknown, problems: FieldProblem[]): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= GENERATION_MAX) return value;
  const isSmall = typeof value === "number" && value < 1;
  problems.push({
    field: "observed_generation",
    message: isSmall ? "observed_generation must be >= 1" : "observed_generation must be a 32-bit integer",
    ...(value === undefined ? { constraint: "required" } : { constraint: isSmall ? "min" : "format" }),
  });
  return 0;
}

function timeOf(value: unknown, now: number, problems: FieldProblem[]): number {
  const time = typeof value === "string" ? parseTime(value) : undefined;
  if (time !== undefined && time >= now - OBSERVED_PAST_MS && time <= now + OBSERVED_FUTURE_MS) return time;
  const field = "observed_time";
  if (time === undefined) {
    const message = "observed_time must be an RFC 3339 time";
    problems.push({ field, message, constraint: value === undefined ? "required" : "format" });
  } else {
    const isOld = time < now;
    const limit = isOld ? "more than 30 minutes in the past" : "more than 5 minutes in the future";
    problems.push({ field, message: `observed_time is ${limit}`, constraint: isOld ? "min" : "max" });
  }
  return 0;
}

function conditionsOf(value: unknown, problems: FieldProblem[]): readonly ReportedCondition[] {
  if (!Array.isArray(value)) {
    problems.push({ field: "conditions", message: "conditions must be a list", constraint: "required" });
    return [];
  }
  if (value.length > CONDITIONS_MAX) {
    problems.push({
      field: "conditions",
      message: `at most ${CONDITIONS_MAX} conditions are allowed`,
      constraint: "max",
    });
    return [];
  }
  const types = new Set<string>();
  return value.map((item: unknown, index) => conditionAt(item, index, types, problems));
}

function conditionAt(item: unknown, index: number, types: Set<string>, problems: FieldProblem[]): ReportedCondition {
  const field = `conditions[${index}]`;
  const { type, status, reason, message } = isJsonObject(item) ? item : {};
  if (typeof type !== "string" || type === "") {
    problems.push({ field: `${field}.type`, message: "condition type cannot be empty", constraint: "required" });
  } else if (types.has(type)) {
    problems.push({ field: `${field}.type`, message: `duplicate condition type '${type}' at index ${index}` });
  } else types.add(type);
  if (!isStatus(status)) {
    const text = typeof status === "string" ? status : "";
    const problem = `invalid status value '${text}' for condition at index ${index}: must be 'True', 'False', or 'Unknown'`;
    problems.push({ field: `${field}.status`, message: problem, value: text });
  }
  return {
    type: typeof type === "string" ? type : "",
    status: isStatus(status) ? status : "Unknown",
    ...textMember("reason", reason, field, problems),
    ...textMember("message", message, field, problems),
  };
}

function isStatus(value: unknown): value is ReportedStatus {
  return STATUSES.includes(value);
}

function textMember(
  name: "reason" | "message",
  value: unknown,
  field: string,
  problems: FieldProblem[],
): { readonly reason?: string; readonly message?: string } {
  if (typeof value === "string") return { [name]: value };
  if (value !== undefined && value !== null)
    problems.push({ field: `${field}.${name}`, message: `${name} must be a string` });
  return {};
}

function objectOf(field: string, value: unknown, problems: FieldProblem[]): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  // Parsed from JSON, so its content is JSON.
  if (isJsonObject(value)) return value as JsonObject;
  problems.push({ field, message: `${field} must be an object` });
  return undefined;
}
