import { realClock, realRandom, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import type { BrokerConfig, StoreConfig } from "@levelset/fleet";
import { Client } from "@levelset/operator";
import { eventually } from "../../../support/eventually.ts";
import { FleetSystem } from "./fleet-system.ts";
import type { SystemOptions } from "./fleet-system.ts";
import type { SystemHarness } from "./system-harness.ts";

const POLL_MS = 50;

/** The servers that a fleet runs on. */
export interface Servers {
  readonly store: StoreConfig;
  readonly broker: BrokerConfig;
  readonly cluster: Fetch;
  /** The timeout of waits. Default one minute. */
  readonly timeoutMs?: number;
}

/** Starts a complete fleet on servers, in real time. The caller owns the servers. */
export async function openRealSystem(
  { timeoutMs = 60_000, ...servers }: Servers,
  options: Pick<SystemOptions, "validation"> = {},
): Promise<SystemHarness> {
  const world = { clock: realClock, random: realRandom, logger: silentLogger };
  const system = await FleetSystem.start({ ...world, ...servers, ...options });
  return {
    system,
    kube: new Client({ fetch: servers.cluster, fieldManager: "test" }),
    // The speed of the machine is not tested.
    readyMaxMs: timeoutMs,
    until: async (what, isMet) => {
      const start = realClock.now();
      await eventually(what, isMet, { timeoutMs, pollMs: POLL_MS });
      return realClock.now() - start;
    },
    advanceUntil: (work) => work,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}
