import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import type { BrokerConfig, StoreConfig } from "@levelset/fleet";
import { Client } from "@levelset/operator";
import { FleetSystem } from "./fleet-system.ts";
import type { SystemOptions } from "./fleet-system.ts";
import type { SystemPlace } from "./place.ts";

const POLL_MS = 50;

/** The servers that a fleet runs on. */
export interface Servers {
  readonly store: StoreConfig;
  readonly broker: BrokerConfig;
  readonly cluster: Fetch;
  /** How long something may take. Default a minute. */
  readonly patienceMs?: number;
}

/** A whole fleet on servers, in real time. The servers stay the caller's. */
export async function realPlace(
  { patienceMs = 60_000, ...servers }: Servers,
  options: Pick<SystemOptions, "validation"> = {},
): Promise<SystemPlace> {
  const world = { clock: realClock, random: realRandom, logger: silentLogger };
  const system = await FleetSystem.open({ ...world, ...servers, ...options });
  return {
    system,
    kube: new Client({ fetch: servers.cluster, fieldManager: "test" }),
    // A busy machine is not what is tested.
    readyMaxMs: patienceMs,
    until: async (what, holds) => {
      const start = realClock.now();
      while (!(await holds())) {
        if (realClock.now() - start > patienceMs) throw new Error(`it never came to pass: ${what}`);
        await realClock.sleep(POLL_MS);
      }
      return realClock.now() - start;
    },
    ending: (work) => work,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}
