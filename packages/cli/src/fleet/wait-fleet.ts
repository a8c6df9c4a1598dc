import { TransportError } from "@levelset/core";
import { FleetApiError, FleetWaitError } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, WireResource, FleetWaitProgress } from "@levelset/fleet/client";
import { findFleet } from "../fleet-location/index.ts";
import type { ObjectArg } from "../cluster/index.ts";
import type { FleetFlags } from "../fleet-location/index.ts";
import type { Shell } from "../terminal/index.ts";
import type { WaitGoal, WaitState, WaitTarget } from "../wait/index.ts";
import { explainFleetError, withFleet } from "./fleet-session.ts";
import type { FleetSession } from "./fleet-session.ts";
import { ResourceNotFound, findParent, findResource, matchKind, formatResourceArg } from "./resource-arg.ts";
import { adapterMessage, deletionMessage } from "./wait-message.ts";
import type { WaitMessage } from "./wait-message.ts";
import { explainAdapters, childrenOf } from "./explain-resource.ts";

/** Flags of a wait for fleet resources. */
export interface WaitFleetFlags extends FleetFlags {
  readonly in?: string;
  readonly for: WaitGoal;
  readonly generation?: number;
}

/** Returns a target for each argument whose kind the fleet has, and undefined for the others. */
export async function waitTargetsInFleet(
  args: readonly ObjectArg[],
  flags: WaitFleetFlags,
  shell: Shell,
): Promise<readonly (WaitTarget | undefined)[]> {
  const location = findFleet(shell, flags);
  if (location === undefined) return args.map(() => undefined);
  const targets = await withFleet(shell, flags, async (session) => {
    const found: (WaitTarget | undefined)[] = [];
    for (const arg of args) {
      const kind = matchKind(session.kinds, arg.kind);
      found.push(kind === undefined ? undefined : await namedTarget(session, kind, arg.name, flags));
    }
    return found;
  });
  return targets.map((target) => {
    if (target === undefined) return undefined;
    const wait: WaitTarget["wait"] = async (report, signal) => {
      try {
        return await target.wait(report, signal);
      } catch (error) {
        throw explainFleetError(error, location);
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
    if (goal === "deleted" && error instanceof ResourceNotFound) return deletedTarget(kind, name);
    throw error;
  }
}

/** Target for a resource that does not exist: it is already deleted. */
function deletedTarget({ kind }: KindDescription, name: string): WaitTarget {
  const state: WaitState = { kind: "reached", state: "Unknown", message: "does not exist" };
  return { name: formatResourceArg({ kind, name }), fields: { kind }, hint: "", wait: () => Promise.resolve(state) };
}

/** A fleet resource and the goal of the wait. */
export interface ResourceWait {
  readonly session: FleetSession;
  readonly kind: KindDescription;
  readonly resource: WireResource;
  /** Value of `--in`. */
  readonly parent?: string | undefined;
  readonly goal: WaitGoal;
  /** Minimum generation. */
  readonly generation?: number | undefined;
}

/** Waits for a resource by its id, and reports which adapters it waits for. */
export function resourceTarget(wait: ResourceWait): WaitTarget {
  const { session, kind, resource, parent, goal, generation } = wait;
  const { id } = resource;
  const collection = session.client.collection(kind);
  const name = formatResourceArg(resource);
  return {
    name,
    fields: { kind: kind.kind, id },
    hint: `levelset why ${name}${parent === undefined ? "" : ` --in ${parent}`}`,
    wait: async (report, signal) => {
      let last: WaitState = { kind: "reached", state: "Unknown", message: "does not exist" };
      const onProgress = async (progress: FleetWaitProgress): Promise<void> => {
        last = stateOf(progress, await adapterText(progress, wait, collection, signal));
        if (last.kind === "waiting") report(last);
      };
      try {
        await collection.waitUntilReady(id, { for: goal, generation, onProgress, signal });
      } catch (error) {
        // The error carries the last progress.
        if (!(error instanceof FleetWaitError)) throw error;
      }
      return last;
    },
  };
}

function stateOf(progress: FleetWaitProgress, text: WaitMessage | undefined): WaitState {
  const { generation, observedGeneration } = progress;
  const kind = progress.kind === "deleted" ? "gone" : progress.kind;
  const state = progress.state === "Unknown" && text?.isWorking === true ? "Progressing" : progress.state;
  const { reason, message } = text ?? progress;
  return { kind, generation, observedGeneration, state, reason, message };
}

/**
 * Describes what the adapters have reported. Returns undefined if the reports do not matter for the goal or cannot be
 * read; the message of the resource is printed then.
 */
async function adapterText(
  { kind: phase, resource }: FleetWaitProgress,
  { session, kind, goal, generation = 0 }: ResourceWait,
  collection: FleetCollection,
  signal: AbortSignal,
): Promise<WaitMessage | undefined> {
  const isDeleting = resource.deleted_time !== undefined;
  if (phase !== "waiting" || (goal === "deleted" && !isDeleting) || resource.generation < generation) return undefined;
  const subject = { kind, resource, collection, signal };
  try {
    const adapters = await explainAdapters(subject);
    if (!isDeleting) return adapterMessage(adapters, resource.generation);
    return deletionMessage(adapters, await childrenOf(subject, session));
  } catch (error) {
    if (error instanceof FleetApiError || error instanceof TransportError) return undefined;
    throw error;
  }
}
