import { isWrite } from "@levelset/core/testing";
import { expect } from "vitest";
import { untilDeleted, namespacesLeft } from "./observations.ts";
import type { VirtualSystem } from "./virtual-system.ts";

/** A configured adapter, and one made of steps. */
export const ADAPTERS = ["clusters/validation", "clusters/hypershift"] as const;

/** The pause between two events of a cluster. */
const PAUSE_MS = 3_000;

/**
 * Creates, changes and deletes a cluster while an adapter crashes right after its `nth` write to the API or its
 * cluster. Returns whether it had that many writes. All objects are removed at the end.
 */
export async function runWithCrash(harness: VirtualSystem, adapter: string, nth: number): Promise<"died" | "survived"> {
  const { system } = harness;
  const faults = system.faults.get(adapter);
  if (faults === undefined) throw new TypeError(`there is no adapter ${adapter}`);
  faults.failNth(nth, { kind: "crash" }, isWrite);
  const cluster = await system.cluster(`c-${nth}`);
  await harness.advance(PAUSE_MS);
  await system.clusters.patch(cluster.id, { spec: { version: "1.1" } });
  await harness.advance(PAUSE_MS);
  await system.clusters.delete(cluster.id);
  await harness.advance(PAUSE_MS);
  const hasDied = faults.isCrashed;
  if (hasDied) await harness.advanceUntil(system.restart(adapter));
  await untilDeleted(harness, [cluster]);
  expect(await namespacesLeft(harness)).toEqual([]);
  return hasDied ? "died" : "survived";
}
