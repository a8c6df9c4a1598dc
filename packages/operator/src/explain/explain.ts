import { READY } from "@levelset/core";
import { isBuiltIn, unreachable } from "@levelset/core/internal";
import type { Condition } from "@levelset/core";
import type { ObjectRef } from "../engine/index.ts";
import { conditionsOf, conditionState } from "./conditions.ts";
import { detailsOf } from "./details.ts";
import { objectRefId } from "./explain-input.ts";
import { groupKindOf } from "./group-kind.ts";
import type { ExplainInput, FoundObject, ObjectLookup } from "./explain-input.ts";
import { lastChange } from "./last-change.ts";
import { findCauseCandidates } from "./cause-candidates.ts";
import type { CauseCandidate } from "./cause-candidates.ts";
import { generationStatusOf, nodeStatusOf } from "./node-status.ts";
import type { NodeStatus } from "./node-status.ts";
import type { ConditionNode, EventSummary, ObjectNode } from "./tree.ts";

/** Maximum number of warnings per object. */
const EVENTS_MAX = 2;

/**
 * Explains the state of an object as a tree. Pure: depends only on the input. Every object is explained once, at its
 * first occurrence.
 */
export function explain(facts: ExplainInput): ObjectNode {
  return new Explainer(facts).node(facts.root);
}

class Explainer {
  readonly #facts: ExplainInput;
  readonly #explained = new Set<string>();

  constructor(facts: ExplainInput) {
    this.#facts = facts;
  }

  node(ref: ObjectRef): ObjectNode {
    const lookup = this.#facts.lookups.get(objectRefId(ref));
    if (lookup === undefined)
      return bare(ref, { ...UNREAD, state: "skipped", message: "not read: the maximum number of objects was reached" });
    switch (lookup.kind) {
      case "missing":
        return bare(ref, { ...UNREAD, state: "missing", message: "not found" });
      case "unreadable":
        return bare(ref, { ...UNREAD, state: "unreadable", message: lookup.why });
      case "seen":
        return this.#seen(ref, lookup);
      default:
        return unreachable(lookup);
    }
  }

  #seen(ref: ObjectRef, seen: FoundObject): ObjectNode {
    const standing = nodeStatusOf(seen);
    if (this.#explained.has(objectRefId(ref))) return bare(ref, standing);
    this.#explained.add(objectRefId(ref));
    const { object, run } = seen;
    const { deletionTimestamp: deletedAt } = object.metadata;
    const { leads, omitted } = findCauseCandidates(seen);
    const generation = generationStatusOf(object, seen.hasStatus);
    // Conditions of another generation do not apply to this spec.
    const isReported = !isBuiltIn(object) && (generation === undefined || generation.state === "current");
    const reported = isReported ? shownConditions(seen, standing) : [];
    const types = new Set(reported.map(({ type }) => type));
    const conditions = reported.map((condition) => this.#condition(condition, seen, leads));
    const causes = leads.filter((lead) => !types.has(lead.condition ?? "")).flatMap((lead) => this.#causes(lead, seen));
    const isLeaf = causes.length === 0 && conditions.every((condition) => condition.causes.length === 0);
    const change = objectRefId(ref) === objectRefId(this.#facts.root) ? lastChange(object) : undefined;
    return {
      ...ref,
      ...standing,
      ...(generation === undefined ? {} : { generation }),
      ...(deletedAt === undefined ? {} : { deletedAt }),
      conditions,
      details: [...(standing.state === "ready" ? [] : detailsOf(object)), ...unattended(seen), ...seen.unreadableKinds],
      events: isLeaf ? newEvents(seen.events, standing, conditions) : [],
      causes,
      left: omitted,
      ...(change === undefined ? {} : { change }),
      ...(run === undefined ? {} : { run: { number: run.number, result: run.result, startedAt: run.startedAt } }),
    };
  }

  #condition(condition: Condition, seen: FoundObject, leads: readonly CauseCandidate[]): ConditionNode {
    const { type, status, severity, reason, message, lastTransitionTime: since } = condition;
    const step = seen.run?.steps.find((record) => record.condition === type)?.step;
    return {
      type,
      status,
      ...(severity === undefined ? {} : { severity }),
      reason,
      message,
      state: conditionState(condition),
      ...(since === "" ? {} : { since }),
      ...(step === undefined ? {} : { step }),
      causes: leads.filter((lead) => lead.condition === type).flatMap((lead) => this.#causes(lead, seen)),
    };
  }

  /** Returns the nodes of a candidate. A ReplicaSet between a Deployment and failing pods is replaced by the pods. */
  #causes({ ref, isGuess }: CauseCandidate, from: FoundObject): readonly ObjectNode[] {
    const lookup = this.#facts.lookups.get(objectRefId(ref));
    if (isGuess === true && !isCause(lookup)) return [];
    const node = this.node(ref);
    const isBetween = groupKindOf(from.object) === "Deployment.apps" && groupKindOf(ref) === "ReplicaSet.apps";
    return isBetween && node.causes.length > 0 ? node.causes : [node];
  }
}

function isCause(lookup: ObjectLookup | undefined): boolean {
  return lookup?.kind === "missing" || (lookup?.kind === "seen" && nodeStatusOf(lookup).state !== "ready");
}

const UNREAD = { objectState: "Unknown" } as const;

function bare(ref: ObjectRef, status: NodeStatus): ObjectNode {
  return { ...ref, ...status, conditions: [], details: [], events: [], causes: [], left: 0 };
}

/**
 * Returns the conditions in the order of the last run's steps. Ready repeats the worst of them, so it is included only
 * if all others are done.
 */
function shownConditions({ object, run }: FoundObject, { state }: NodeStatus): readonly Condition[] {
  const all = conditionsOf(object);
  const others = all.filter(({ type }) => type !== READY);
  const order = (run?.steps ?? []).map(({ condition }) => condition);
  const place = ({ type }: Condition): number => (order.includes(type) ? order.indexOf(type) : order.length);
  const sorted = others.toSorted((a, b) => place(a) - place(b));
  const isExplained = state === "ready" || others.some((condition) => conditionState(condition) !== "done");
  return isExplained ? sorted : [...all.filter(({ type }) => type === READY), ...sorted];
}

/** Reports an object whose latest generation has not been reconciled. */
function unattended({ object, hasStatus, run }: FoundObject): readonly string[] {
  if (isBuiltIn(object) || generationStatusOf(object, hasStatus)?.state !== "behind" || run !== undefined) return [];
  return ["is its operator running?"];
}

/** Returns the newest warnings that do not repeat the object's message. */
function newEvents(
  events: readonly EventSummary[],
  { message }: NodeStatus,
  conditions: readonly ConditionNode[],
): readonly EventSummary[] {
  const output = [message, ...conditions.map((condition) => condition.message)];
  return events.filter((event) => !output.some((words) => words.includes(event.message))).slice(0, EVENTS_MAX);
}
