import { describeGeneration, whenAborted, objectState } from "@levelset/core/internal";
import { findCondition, generationState, READY } from "@levelset/core";
import type { AnyCustomKind, Clock, Condition, ObjectWithConditions, World } from "@levelset/core";
import { Cache } from "@levelset/operator";
import { STATE_SYMBOLS } from "../terminal/index.ts";

/** Watches objects of the kinds and prints a line when the conditions or generation of one change. */
export async function printStatus(
  watched: { readonly kinds: readonly AnyCustomKind[]; readonly namespaces: readonly string[] | undefined },
  world: World,
  print: (line: string) => void,
): Promise<void> {
  const cache = new Cache(world);
  const shown = new Map<string, string>();
  for (const kind of watched.kinds) {
    cache.watch(kind, { namespaces: watched.namespaces }).subscribe((change) => {
      const { object } = change;
      const state = change.kind === "removed" ? "deleted" : describeObject(object);
      if (shown.get(object.metadata.uid) === state) return;
      shown.set(object.metadata.uid, state);
      print(`${time(world.clock)}  ${nameOf(object)}  ${state}`);
    });
  }
  await whenAborted(world.signal);
  await cache.close();
}

/** Formats the state of an object as one line: state, generation and conditions. */
export function describeObject(object: ObjectWithConditions): string {
  const state = objectState(object, { hasStatus: true, reportsReady: true });
  const shown = `${STATE_SYMBOLS[state]} ${state}`;
  const { generation = 0 } = object.metadata;
  if (object.status === undefined && state === "Ready") return `${shown}   generation ${generation}`;
  // Conditions of another generation do not describe this spec.
  if (generationState(object) !== "current") return `${shown}   ${describeGeneration(object)}`;
  const conditions = object.status?.conditions ?? [];
  const texts = conditions.map((condition) => describeCondition(condition, findCondition(conditions, READY)));
  return [shown, `generation ${generation}`, ...texts].join("   ");
}

/** Formats a condition; omits a message that repeats the one of Ready. */
function describeCondition(condition: Condition, ready: Condition | undefined): string {
  const { type, status, severity, reason, message } = condition;
  if (status === "True") return `${type} ✓`;
  if (condition !== ready && status === "Unknown") return `${type} …`;
  if (condition !== ready && message === ready?.message) return `${type} ✗`;
  const qualified = severity === undefined ? status : `${status}/${severity}`;
  return `${type} ${qualified} ${reason}: ${message}`;
}

function nameOf(object: ObjectWithConditions): string {
  const { namespace, name } = object.metadata;
  return `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

function time(clock: Clock): string {
  return new Date(clock.now()).toTimeString().slice(0, 8);
}
