import { DEFAULT_ENTITIES } from "@levelset/fleet";
import type { AuthConfig, FleetKinds, FleetStore, LimitsConfig, SchemaComponents } from "@levelset/fleet";
import type { FleetUser } from "./fleet-user.ts";

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
