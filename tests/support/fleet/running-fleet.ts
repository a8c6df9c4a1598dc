import { realClock, realRandom } from "@levelset/core";
import { memoryLogger } from "@levelset/core/testing";
import { DEFAULT_ENTITIES, openStore, readKinds } from "@levelset/fleet";
import type { AuthConfig, LimitsConfig, SchemaComponents } from "@levelset/fleet/server";
import type { FleetKinds, FleetStore, StoreConfig } from "@levelset/fleet";
import { Fleet } from "./fleet.ts";
import type { FleetOptions } from "./fleet.ts";
import { FleetUser } from "./fleet-user.ts";
import { FleetHttpClient } from "./http.ts";

/** Any free port on the loopback interface. */
const ANY = { host: "127.0.0.1", port: 0 };

/** Options of a fleet in a test. Default: the kinds of the scenarios, without authentication. */
export interface FleetSetup {
  readonly entities?: readonly unknown[];
  readonly schemas?: SchemaComponents;
  readonly auth?: AuthConfig;
  readonly limits?: LimitsConfig;
}

/** Tenants with two headers, one of them required. */
export const TENANTS: AuthConfig = {
  tenants: {
    dimensions: [
      { name: "org", header: "x-org", isRequired: true },
      { name: "project", header: "x-project", isRequired: false },
    ],
    systemHeader: "x-system",
  },
};

/** An API with its store on loopback. */
export interface RunningFleet extends AsyncDisposable {
  readonly url: string;
  readonly healthUrl: string;
  readonly metricsUrl: string;
  readonly kinds: FleetKinds;
  readonly store: FleetStore;
  readonly user: FleetUser;
}

/** Starts a fleet with a separate store. */
export type StartFleet = (setup?: FleetSetup) => Promise<RunningFleet>;

/** The kinds of the scenarios: the default ones; a cluster may refer to one channel. */
export const ENTITIES: readonly unknown[] = DEFAULT_ENTITIES.map((entity) => {
  if (entity["kind"] !== "Cluster") return entity;
  const references = [
    { ref_type: "channel", target_kind: "Channel", min: 0, max: 1 },
    { ref_type: "wif", target_kind: "WifConfig", min: 0, max: 0 },
  ];
  return { ...entity, references };
});

function realWorld(): Pick<FleetOptions, "clock" | "random" | "logger"> {
  return { clock: realClock, random: realRandom, logger: memoryLogger().logger };
}

/** Opens a store with real clock and randomness. */
export function openTestStore(config: StoreConfig): Promise<FleetStore> {
  return openStore(config, realWorld());
}

/** Starts an API with its own store. */
export async function startFleet(config: StoreConfig, setup: FleetSetup = {}): Promise<RunningFleet> {
  const { entities = ENTITIES, schemas, ...more } = setup;
  const kinds = readKinds(entities, schemas);
  const api = { health: ANY, metrics: ANY, ...more };
  const fleet = await Fleet.open({ ...realWorld(), store: config, kinds, api });
  const { url, healthUrl = "", metricsUrl = "" } = await fleet.listen();
  const http = new FleetHttpClient(url);
  return {
    url,
    healthUrl,
    metricsUrl,
    kinds,
    store: fleet.store,
    user: new FleetUser(http),
    [Symbol.asyncDispose]: async () => {
      http[Symbol.dispose]();
      await fleet[Symbol.asyncDispose]();
    },
  };
}
