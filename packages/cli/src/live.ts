import { describeGeneration, findCondition, generationState, isReady, isUnobserved, READY } from "@levelset/core";
import type { AnyCustomKind, Clock, Condition, Conditioned, World } from "@levelset/core";
import { Client, Informer } from "@levelset/operator";

/** Follows all objects of the kinds, or those in some namespaces, and prints a line whenever the conditions or the generation of one change. */
export async function printLive(
  followed: { readonly kinds: readonly AnyCustomKind[]; readonly namespaces: readonly string[] | undefined },
  world: World,
  print: (line: string) => void,
): Promise<void> {
  const client = new Client({ fetch: world.fetch, fieldManager: "levelset-cli" });
  const shown = new Map<string, string>();
  const collections = followed.kinds.flatMap((kind) =>
    kind.scope === "Cluster" || followed.namespaces === undefined
      ? [{ kind }]
      : followed.namespaces.map((namespace) => ({ kind, selection: { namespace } })),
  );
  const followers = collections.map((collection) => {
    const informer = new Informer({ ...world, client, ...collection });
    informer.subscribe((change) => {
      const { object } = change;
      const state = change.kind === "removed" ? "gone" : describeObject(object);
      if (shown.get(object.metadata.uid) === state) return;
      shown.set(object.metadata.uid, state);
      print(`${time(world.clock)}  ${nameOf(object)}  ${state}`);
    });
    return informer.run(world.signal);
  });
  await Promise.all(followers);
}

/** Where an object stands, in one line: generation, whether the latest spec has been reached, and why not. */
export function describeObject(object: Conditioned): string {
  const generation = object.metadata.generation ?? 0;
  // No controller writes the status of a record.
  if (object.status === undefined && !isUnobserved(object, true)) return `✓ ready   generation ${generation}`;
  // Conditions of another generation say nothing about this spec.
  if (generationState(object) !== "current") return `… progressing   ${describeGeneration(object)}`;
  const conditions = object.status?.conditions ?? [];
  const verdict = isReady(object) ? "✓ ready" : "✗ not ready";
  const words = conditions.map((condition) => describeCondition(condition, findCondition(conditions, READY)));
  return [verdict, `generation ${generation}`, ...words].join("   ");
}

/** What Ready says in full; of the others only what it does not say already. */
function describeCondition(condition: Condition, ready: Condition | undefined): string {
  const { type, status, severity, reason, message } = condition;
  if (status === "True") return `${type} ✓`;
  if (condition !== ready && status === "Unknown") return `${type} …`;
  if (condition !== ready && message === ready?.message) return `${type} ✗`;
  const qualified = severity === undefined ? status : `${status}/${severity}`;
  return `${type} ${qualified} ${reason}: ${message}`;
}

function nameOf(object: Conditioned): string {
  const { namespace, name } = object.metadata;
  return `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

function time(clock: Clock): string {
  return new Date(clock.now()).toTimeString().slice(0, 8);
}
