/** The kinds of a fleet that is pulsed by separate processes. */
export const PULSED_ENTITIES = [{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"] }];

/** The lease of these processes. */
export const LEASE_MS = 3_000;
