import {
  CelError,
  nativeToValue,
  compare,
  isList,
  isMap,
  mapGet,
  mapKey,
  mapKeys,
  noOverload,
  typeName,
} from "../value/index.ts";
import type { CelList, CelOutcome, CelValue } from "../value/index.ts";
import type { FoldKind } from "../syntax/index.ts";
import { MapBuilder } from "./literal.ts";
import { toBoolError } from "./logic.ts";
import type { ExecutionFrame, EvalFunction } from "./frame.ts";

/** A fold with its parts compiled, and the slots of its variables. */
export interface FoldPlan {
  readonly fold: FoldKind;
  readonly range: EvalFunction;
  readonly filter: EvalFunction | undefined;
  readonly body: EvalFunction;
  readonly first: number;
  /** The slot of the second variable, if any. */
  readonly second: number | undefined;
  readonly at: number;
}

/** The range of a fold: the first variables, and the second ones if there are two. */
interface Range {
  readonly firsts: CelList;
  readonly seconds: CelList;
}

/** Compiles a fold. */
export function planFold(plan: FoldPlan): EvalFunction {
  const steps = stepsOf(plan);
  const { range, second, at } = plan;
  return (frame) => {
    const value = range(frame);
    if (isList(value)) return steps(frame, second === undefined ? single(value) : indexed(value));
    if (value instanceof CelError) return value;
    if (!isMap(value)) return noOverload("comprehension", [typeName(value)]).withOffset(at);
    const keys = mapKeys(value);
    frame.spend(keys.length);
    if (second === undefined) return steps(frame, single(keys));
    return steps(frame, { firsts: keys, seconds: keys.map((key) => mapGet(value, mapKey(key) ?? "") ?? null) });
  };
}

function single(list: CelList): Range {
  return { firsts: list, seconds: list };
}

function indexed(list: CelList): Range {
  return { firsts: list.map((_, index) => index), seconds: list };
}

type Steps = (frame: ExecutionFrame, range: Range) => CelOutcome;

function stepsOf(plan: FoldPlan): Steps {
  switch (plan.fold) {
    case "all":
      return quantified(plan, false);
    case "exists":
      return quantified(plan, true);
    case "existsOne":
      return existsOne(plan);
    case "filter":
      return filtered(plan);
    case "map":
    case "transformList":
      return mapped(plan);
    case "transformMap":
    case "transformMapEntry":
      return transformedMap(plan);
    case "sortBy":
      return sorted(plan);
    default:
      return plan.fold satisfies never;
  }
}

/** Sets the variables for one element and charges for the step. */
function enter(plan: FoldPlan, frame: ExecutionFrame, { firsts, seconds }: Range, index: number): void {
  frame.spend(1);
  frame.slots[plan.first] = nativeToValue(firsts[index] ?? null);
  if (plan.second !== undefined) frame.slots[plan.second] = nativeToValue(seconds[index] ?? null);
}

/** `all` and `exists`: a decisive element ends the loop; errors count only if there is none. */
function quantified(plan: FoldPlan, decisive: boolean): Steps {
  const { body, first, second, at } = plan;
  const name = decisive ? "exists" : "all";
  return (frame, range) => {
    const { firsts } = range;
    let failure: CelError | undefined;
    for (let index = 0; index < firsts.length; index += 1) {
      if (second === undefined) {
        frame.spend(1);
        frame.slots[first] = nativeToValue(firsts[index] ?? null);
      } else {
        enter(plan, frame, range, index);
      }
      const value = body(frame);
      if (value === decisive) return decisive;
      if (value !== !decisive) failure ??= toBoolError(name, value, at);
    }
    return failure ?? !decisive;
  };
}

function existsOne(plan: FoldPlan): Steps {
  return (frame, range) => {
    let found = 0;
    for (let index = 0; index < range.firsts.length; index += 1) {
      enter(plan, frame, range, index);
      const value = plan.body(frame);
      if (typeof value !== "boolean") return toBoolError("exists_one", value, plan.at);
      if (value) found += 1;
    }
    return found === 1;
  };
}

function filtered(plan: FoldPlan): Steps {
  return (frame, range) => {
    const kept: CelValue[] = [];
    for (let index = 0; index < range.firsts.length; index += 1) {
      enter(plan, frame, range, index);
      const value = plan.body(frame);
      if (typeof value !== "boolean") return toBoolError("filter", value, plan.at);
      if (value) kept.push(range.firsts[index] ?? null);
    }
    return kept;
  };
}

/** Reports whether the filter accepts the current element. */
function admitted({ filter, at }: FoldPlan, frame: ExecutionFrame): boolean | CelError {
  if (filter === undefined) return true;
  const value = filter(frame);
  return typeof value === "boolean" ? value : toBoolError("filter", value, at);
}

function mapped(plan: FoldPlan): Steps {
  return (frame, range) => {
    const made: CelValue[] = [];
    for (let index = 0; index < range.firsts.length; index += 1) {
      enter(plan, frame, range, index);
      const takesPart = admitted(plan, frame);
      if (takesPart instanceof CelError) return takesPart;
      if (!takesPart) continue;
      const value = plan.body(frame);
      if (value instanceof CelError) return value;
      made.push(value);
    }
    return made;
  };
}

function transformedMap(plan: FoldPlan): Steps {
  return (frame, range) => {
    const made = new MapBuilder();
    for (let index = 0; index < range.firsts.length; index += 1) {
      enter(plan, frame, range, index);
      const takesPart = admitted(plan, frame);
      if (takesPart instanceof CelError) return takesPart;
      if (!takesPart) continue;
      const value = plan.body(frame);
      if (value instanceof CelError) return value;
      const failure =
        plan.fold === "transformMap" ? made.add(range.firsts[index] ?? null, value) : addEntries(made, value);
      if (failure !== undefined) return failure.withOffset(plan.at);
    }
    return made.build();
  };
}

function addEntries(map: MapBuilder, entries: CelValue): CelError | undefined {
  if (!isMap(entries)) return noOverload("transformMapEntry", [typeName(entries)]);
  for (const key of mapKeys(entries)) {
    const failure = map.add(key, mapGet(entries, mapKey(key) ?? "") ?? null);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function sorted(plan: FoldPlan): Steps {
  return (frame, range) => {
    const keyed: { readonly key: CelValue; readonly item: CelValue }[] = [];
    for (let index = 0; index < range.firsts.length; index += 1) {
      enter(plan, frame, range, index);
      const key = plan.body(frame);
      if (key instanceof CelError) return key;
      const [head = { key }] = keyed;
      if (compare(head.key, key) === undefined || typeName(head.key) !== typeName(key)) {
        return noOverload("sortBy", [typeName(head.key), typeName(key)]).withOffset(plan.at);
      }
      keyed.push({ key, item: range.firsts[index] ?? null });
    }
    frame.spend(keyed.length * Math.log2(keyed.length + 1));
    return keyed.toSorted((a, b) => compare(a.key, b.key) ?? 0).map(({ item }) => item);
  };
}
