import { isWrite } from "@levelset/core/testing";
import { expect } from "vitest";
import { goneFrom, namespacesLeft } from "./observations.ts";
import type { VirtualPlace } from "./virtual-place.ts";

/** An adapter that is configured, and one that is made of steps. */
export const ADAPTERS = ["clusters/validation", "clusters/hypershift"] as const;

/** How long a cluster is left to itself between what happens to it. */
const PAUSE_MS = 3_000;

/**
 * The life of a cluster, made, changed and deleted, through which an adapter dies right after its `nth` write to the API or its cluster. Tells
 * whether it had so many. Whatever the moment was, everything is gone in the end.
 */
export async function livedThrough(place: VirtualPlace, adapter: string, nth: number): Promise<"died" | "survived"> {
  const { system } = place;
  const faults = system.faults.get(adapter);
  if (faults === undefined) throw new TypeError(`there is no adapter ${adapter}`);
  faults.failNth(nth, { kind: "crash" }, isWrite);
  const cluster = await system.cluster(`c-${nth}`);
  await place.pass(PAUSE_MS);
  await system.clusters.patch(cluster.id, { spec: { version: "1.1" } });
  await place.pass(PAUSE_MS);
  await system.clusters.delete(cluster.id);
  await place.pass(PAUSE_MS);
  const hasDied = faults.isCrashed;
  if (hasDied) await place.ending(system.restart(adapter));
  await goneFrom(place, [cluster]);
  expect(await namespacesLeft(place)).toEqual([]);
  return hasDied ? "died" : "survived";
}
