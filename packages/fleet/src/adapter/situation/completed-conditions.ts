import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { conditionsOf } from "./situation.ts";
import type { Cause, Situation, WorkState } from "./situation.ts";

/** What is known about a run in addition to the computed conditions. */
export interface Evidence {
  readonly situation: Situation;
  readonly state: WorkState;
  /** The resource in progress, if any. Conditions computed from its status are ignored. */
  readonly progress: Cause | undefined;
  /** Why the work was rejected, if the run could determine that. */
  readonly refusal: Cause | undefined;
}

/**
 * Returns the conditions of a report. Conditions missing from the configuration are derived from the situation.
 * Computed conditions stay as they are, with these exceptions: while a resource is in progress, Available is Unknown;
 * after rejected work, Available is not True; after a run that could not determine the state, Available is Unknown,
 * Health is False, and Applied=False and Finalized=True are not reported.
 */
export function completedConditions(written: JsonValue | undefined, evidence: Evidence): readonly JsonValue[] {
  const { situation, state } = evidence;
  const derived = conditionsOf(situation, state).map((condition): JsonObject => ({ ...condition }));
  if (!Array.isArray(written) || written.length === 0) return derived;
  const types = new Set(written.map((one: JsonValue) => (isJsonObject(one) ? one["type"] : undefined)));
  const missing = derived.filter(({ type }) => type !== "Finalized" && !types.has(type));
  return [...written.map((one: JsonValue) => (isJsonObject(one) ? corrected(one, evidence) : one)), ...missing];
}

function corrected(condition: JsonObject, { situation, progress, refusal }: Evidence): JsonObject {
  if (situation.kind === "undetermined") return withStatus(condition, UNDETERMINED, situation);
  if (refusal !== undefined) return withStatus(condition, REFUSED, refusal);
  return progress === undefined ? condition : withStatus(condition, PROGRESSING, progress);
}

/** Replacement statuses by condition type. */
type Corrections = Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;

const UNDETERMINED: Corrections = {
  Available: { from: ["True", "False"], to: "Unknown" },
  Applied: { from: ["False"], to: "Unknown" },
  Health: { from: ["True"], to: "False" },
  Finalized: { from: ["True"], to: "False" },
};

const REFUSED: Corrections = { Available: { from: ["True"], to: "False" } };
const PROGRESSING: Corrections = { Available: { from: ["True", "False"], to: "Unknown" } };

function withStatus(condition: JsonObject, corrections: Corrections, { reason, message }: Cause): JsonObject {
  const { type, status } = condition;
  const correction = typeof type === "string" && Object.hasOwn(corrections, type) ? corrections[type] : undefined;
  if (correction === undefined || typeof status !== "string" || !correction.from.includes(status)) return condition;
  return { ...condition, status: correction.to, reason, message };
}
