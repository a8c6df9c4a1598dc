import { READY, unreachable } from "@levelset/core";
import type { Condition } from "@levelset/core";
import type { ObjectRef } from "../step/index.ts";
import { conditionsOf, conditionState } from "./conditions.ts";
import { detailsOf } from "./details.ts";
import { refId } from "./facts.ts";
import type { Facts, Seen, Sight } from "./facts.ts";
import { lastChange } from "./last-change.ts";
import { leadsOf } from "./leads.ts";
import type { Lead } from "./leads.ts";
import { generationOf, isBuiltIn, standingOf } from "./standing.ts";
import type { Standing } from "./standing.ts";
import type { ConditionNode, EventNote, NodeState, ObjectNode } from "./tree.ts";

/** How many warnings are told of one object. */
const EVENTS_MAX = 2;

/** Why the object is as it is, as a tree: pure, from what was read. Every object is explained once, where it is met first. */
export function explain(facts: Facts): ObjectNode {
  return new Explainer(facts).node(facts.root);
}

class Explainer {
  readonly #facts: Facts;
  readonly #explained = new Set<string>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  node(ref: ObjectRef): ObjectNode {
    const sight = this.#facts.sights.get(refId(ref));
    if (sight === undefined) return bare(ref, "skipped", "not looked at: enough others were");
    switch (sight.kind) {
      case "missing":
        return bare(ref, "missing", "not there");
      case "unreadable":
        return bare(ref, "unreadable", sight.why);
      case "seen":
        return this.#seen(ref, sight);
      default:
        return unreachable(sight);
    }
  }

  #seen(ref: ObjectRef, seen: Seen): ObjectNode {
    const standing = standingOf(seen);
    if (this.#explained.has(refId(ref))) return bare(ref, standing.state, standing.message);
    this.#explained.add(refId(ref));
    const { object, run } = seen;
    const { deletionTimestamp: deletedAt } = object.metadata;
    const { leads, left } = leadsOf(seen);
    const generation = generationOf(object, seen.hasStatus);
    // Conditions of another generation say nothing about this spec.
    const isTold = !isBuiltIn(object) && (generation === undefined || generation.state === "current");
    const told = isTold ? shownConditions(seen, standing) : [];
    const types = new Set(told.map(({ type }) => type));
    const conditions = told.map((condition) => this.#condition(condition, seen, leads));
    const causes = leads.filter((lead) => !types.has(lead.condition ?? "")).flatMap((lead) => this.#causes(lead, seen));
    const isLeaf = causes.length === 0 && conditions.every((condition) => condition.causes.length === 0);
    const change = refId(ref) === refId(this.#facts.root) ? lastChange(object) : undefined;
    return {
      ...ref,
      ...standing,
      ...(generation === undefined ? {} : { generation }),
      ...(deletedAt === undefined ? {} : { deletedAt }),
      conditions,
      details: [...(standing.state === "ready" ? [] : detailsOf(object)), ...unattended(seen), ...seen.blind],
      events: isLeaf ? newEvents(seen.events, standing, conditions) : [],
      causes,
      left,
      ...(change === undefined ? {} : { change }),
      ...(run === undefined ? {} : { run: { number: run.number, result: run.result, startedAt: run.startedAt } }),
    };
  }

  #condition(condition: Condition, seen: Seen, leads: readonly Lead[]): ConditionNode {
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

  /** What a lead comes to. A ReplicaSet that stands between a Deployment and the pods to blame is only in the way. */
  #causes({ ref, isGuess }: Lead, from: Seen): readonly ObjectNode[] {
    const sight = this.#facts.sights.get(refId(ref));
    if (isGuess === true && !isToBlame(sight)) return [];
    const node = this.node(ref);
    const isBetween = from.object.kind === "Deployment" && ref.kind === "ReplicaSet" && node.causes.length > 0;
    return isBetween ? node.causes : [node];
  }
}

function isToBlame(sight: Sight | undefined): boolean {
  return sight?.kind === "missing" || (sight?.kind === "seen" && standingOf(sight).state !== "ready");
}

function bare(ref: ObjectRef, state: NodeState, message: string): ObjectNode {
  return { ...ref, state, message, conditions: [], details: [], events: [], causes: [], left: 0 };
}

/** All but Ready, which repeats the worst of them, in the order of the last run's steps. Ready alone if there is no other that is not done. */
function shownConditions({ object, run }: Seen, { state }: Standing): readonly Condition[] {
  const all = conditionsOf(object);
  const others = all.filter(({ type }) => type !== READY);
  const order = (run?.steps ?? []).map(({ condition }) => condition);
  const place = ({ type }: Condition): number => (order.includes(type) ? order.indexOf(type) : order.length);
  const sorted = others.toSorted((a, b) => place(a) - place(b));
  const isExplained = state === "ready" || others.some((condition) => conditionState(condition) !== "done");
  return isExplained ? sorted : [...all.filter(({ type }) => type === READY), ...sorted];
}

/** An operator that runs soon looks at the latest spec. */
function unattended({ object, hasStatus, run }: Seen): readonly string[] {
  if (isBuiltIn(object) || generationOf(object, hasStatus)?.state !== "behind" || run !== undefined) return [];
  return ["is its operator running?"];
}

/** The newest warnings that say more than the object itself. */
function newEvents(
  events: readonly EventNote[],
  { message }: Standing,
  conditions: readonly ConditionNode[],
): readonly EventNote[] {
  const said = [message, ...conditions.map((condition) => condition.message)];
  return events.filter((event) => !said.some((words) => words.includes(event.message))).slice(0, EVENTS_MAX);
}
