import type { Client } from "@levelset/operator";
import type { FleetSystem, SystemOptions } from "./fleet-system.ts";

/** The environment of a complete fleet: in memory with a virtual clock, or on real servers. */
export interface SystemHarness extends AsyncDisposable {
  readonly system: FleetSystem;
  /** A client of the adapters' cluster. */
  readonly kube: Client;
  /** The maximum time from creation of a cluster until it is Ready. */
  readonly readyMaxMs: number;
  /** Advances time until a condition holds, and returns the elapsed time. */
  until(what: string, isMet: () => Promise<boolean>): Promise<number>;
  /** Waits for work that takes time. */
  advanceUntil<Out>(work: Promise<Out>): Promise<Out>;
}

/** Starts a separate fleet. */
export type OpenSystemHarness = (options?: Pick<SystemOptions, "validation">) => Promise<SystemHarness>;
