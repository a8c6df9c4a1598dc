import { isJsonObject } from "@levelset/core";
import type { JsonObject, JsonValue } from "@levelset/core";
import { conditionsOf } from "./situation.ts";
import type { Cause, Situation, WorkState } from "./situation.ts";

/** What a run in YAML knows beside what its configuration computes. */
export interface Evidence {
  readonly situation: Situation;
  readonly state: WorkState;
  /** The resource in progress, if there is one. What a configuration computes from its status counts for nothing. */
  readonly progress: Cause | undefined;
  /** Why the run could not do its work, if it could judge that. */
  readonly refusal: Cause | undefined;
}

/**
 * The conditions of a report. Those that the configuration leaves out are derived from the situation. Those that it computes stay as they
 * are, with these exceptions: while a resource is in progress, Available is Unknown; after a run whose work was refused, Available is not
 * True; after a run that could not judge, Available is Unknown, Health is False, and neither Applied=False nor Finalized=True is claimed.
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
  if (situation.kind === "unjudged") return withStatus(condition, UNJUDGED, situation);
  if (refusal !== undefined) return withStatus(condition, REFUSED, refusal);
  return progress === undefined ? condition : withStatus(condition, PROGRESSING, progress);
}

/** The status that takes the place of another, by the type of the condition. */
type Corrections = Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;

const UNJUDGED: Corrections = {
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
