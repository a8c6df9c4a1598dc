import type { Client } from "@levelset/operator";
import type { FleetSystem, SystemOptions } from "./fleet-system.ts";

/** Where a whole fleet runs: in memory under a virtual clock, or on real servers. */
export interface SystemPlace extends AsyncDisposable {
  readonly system: FleetSystem;
  /** The cluster in which the adapters work, as the test sees it. */
  readonly kube: Client;
  /** How long a cluster may take from its declaration until it is Ready. */
  readonly readyMaxMs: number;
  /** Lets time pass until something holds, and tells how much did. */
  until(what: string, holds: () => Promise<boolean>): Promise<number>;
  /** Waits for something that takes time to end. */
  ending<Out>(work: Promise<Out>): Promise<Out>;
}

/** Starts a whole fleet of its own. */
export type OpenPlace = (options?: Pick<SystemOptions, "validation">) => Promise<SystemPlace>;
