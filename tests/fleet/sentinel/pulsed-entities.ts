/** The kinds of a fleet that is pulsed by processes of their own. */
export const PULSED_ENTITIES = [{ kind: "Cluster", plural: "clusters", required_adapters: ["dns"] }];

/** How long these processes hold what they claimed. */
export const LEASE_MS = 3_000;
