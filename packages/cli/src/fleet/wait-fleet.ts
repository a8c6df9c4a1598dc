import { TransportError } from "@levelset/core";
import { FleetProblem, WaitError } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, WaitProgress, WireResource } from "@levelset/fleet/client";
import type { FleetFlags } from "../fleet-flags.ts";
import { findFleet } from "../fleet-flags.ts";
import type { ObjectWord } from "../object-word.ts";
import type { Shell } from "../shell.ts";
import type { WaitGoal, WaitState, WaitTarget } from "../wait/index.ts";
import { explainedByFleet, withFleet } from "./fleet-session.ts";
import type { FleetSession } from "./fleet-session.ts";
import { AbsentResource, findParent, findResource, kindIn, resourceWord } from "./resource-word.ts";
import { adapterMessage, deletionMessage } from "./wait-message.ts";
import type { WaitMessage } from "./wait-message.ts";
import { adapterFacts, childrenOf } from "./why-facts.ts";

/** What is waited for in a fleet. */
export interface WaitFleetFlags extends FleetFlags {
  readonly in?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
}

/** A target for each word whose kind the known fleet has, undefined for the others; all undefined if no fleet is known. */
export async function waitTargetsInFleet(
  words: readonly ObjectWord[],
  flags: WaitFleetFlags,
  shell: Shell,
): Promise<readonly (WaitTarget | undefined)[]> {
  const place = findFleet(shell, flags);
  if (place === undefined) return words.map(() => undefined);
  const targets = await withFleet(shell, flags, async (session) => {
    const found: (WaitTarget | undefined)[] = [];
    for (const word of words) {
      const kind = kindIn(session.kinds, word.kind);
      found.push(kind === undefined ? undefined : await namedTarget(session, kind, word.name, flags));
    }
    return found;
  });
  return targets.map((target) => {
    if (target === undefined) return undefined;
    const wait: WaitTarget["wait"] = async (report, signal) => {
      try {
        return await target.wait(report, signal);
      } catch (error) {
        throw explainedByFleet(error, place);
      }
    };
    return { ...target, wait };
  });
}

async function namedTarget(
  session: FleetSession,
  kind: KindDescription,
  name: string,
  flags: WaitFleetFlags,
): Promise<WaitTarget> {
  const { for: goal, generation } = flags;
  try {
    const parent = await findParent(session, kind, flags.in);
    const { resource } = await findResource(session, kind, name, parent, goal === "deleted" ? "deleting" : "live");
    return resourceTarget({ session, kind, resource, parent: flags.in, goal, generation });
  } catch (error) {
    if (goal === "deleted" && error instanceof AbsentResource) return deletedTarget(kind, name);
    throw error;
  }
}

/** A resource that is not there: its deletion is over. */
function deletedTarget({ kind }: KindDescription, name: string): WaitTarget {
  const state: WaitState = { kind: "reached", state: "Unknown", message: "does not exist" };
  return { name: resourceWord({ kind, name }), fields: { kind }, hint: "", wait: () => Promise.resolve(state) };
}

/** A resource of a fleet, and what to wait for. */
export interface ResourceWait {
  readonly session: FleetSession;
  readonly kind: KindDescription;
  readonly resource: WireResource;
  /** The parent as the flag `--in` names it. */
  readonly parent?: string | undefined;
  readonly goal: WaitGoal;
  /** The oldest generation that counts. */
  readonly generation?: number | undefined;
}

/** Waits for a resource by its id, and reports which adapters it waits for. */
export function resourceTarget(wait: ResourceWait): WaitTarget {
  const { session, kind, resource, parent, goal, generation } = wait;
  const { id } = resource;
  const collection = session.client.collection(kind);
  const word = resourceWord(resource);
  return {
    name: word,
    fields: { kind: kind.kind, id },
    hint: `levelset why ${word}${parent === undefined ? "" : ` --in ${parent}`}`,
    wait: async (report, signal) => {
      let last: WaitState = { kind: "reached", state: "Unknown", message: "does not exist" };
      const onProgress = async (progress: WaitProgress): Promise<void> => {
        last = stateOf(progress, await explained(progress, wait, collection, signal));
        if (last.kind === "waiting") report(last);
      };
      try {
        await collection.waitUntilReady(id, { for: goal, generation, onProgress, signal });
      } catch (error) {
        // Its progress is the last one.
        if (!(error instanceof WaitError)) throw error;
      }
      return last;
    },
  };
}

function stateOf(progress: WaitProgress, words: WaitMessage | undefined): WaitState {
  const { generation, observedGeneration } = progress;
  const kind = progress.kind === "deleted" ? "gone" : progress.kind;
  const state = progress.state === "Unknown" && words?.isWorking === true ? "Progressing" : progress.state;
  const { reason, message } = words ?? progress;
  return { kind, generation, observedGeneration, state, reason, message };
}

/**
 * What adapters have reported about a resource that is waited for. Undefined if something else decides, or if the reports cannot be read: the
 * wait goes on with what the resource itself says.
 */
async function explained(
  { kind: phase, resource }: WaitProgress,
  { session, kind, goal, generation = 0 }: ResourceWait,
  collection: FleetCollection,
  signal: AbortSignal,
): Promise<WaitMessage | undefined> {
  const isDeleting = resource.deleted_time !== undefined;
  if (phase !== "waiting" || (goal === "deleted" && !isDeleting) || resource.generation < generation) return undefined;
  const subject = { kind, resource, collection, signal };
  try {
    const facts = await adapterFacts(subject);
    if (!isDeleting) return adapterMessage(facts, resource.generation);
    return deletionMessage(facts, await childrenOf(subject, session));
  } catch (error) {
    if (error instanceof FleetProblem || error instanceof TransportError) return undefined;
    throw error;
  }
}
